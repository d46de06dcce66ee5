import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/install.mjs';
import { terminalRooms } from '../../../scripts/generate.mjs';
import type { Message, Text } from '../../../src/core/messages/message.ts';

/** A command line, an option, or an argument of a message that is one. */
const command =
  /\bwt\b(?!-)|`(?:git|gh|npm|claude|duckdb|sudo|rm|mv|ls|chmod|find|mount|ulimit|dmesg)\b|\bgit (?:-C |(?:add|am|apply|bisect|branch|checkout|cherry-pick|clone|commit|config|diff|fetch|fsck|help|init|log|merge|mv|pull|push|rebase|reflog|remote|reset|restore|revert|rev-parse|rm|show|stash|status|submodule|switch|tag|update-index|worktree) (?:[-<{]|[a-z./]+`)|(?:add|commit|init|fsck|stash)`|(?:worktree|submodule|remote|stash) [a-z]+ (?:\{|<))|\bgit (?:worktree|submodule) (?:add|repair|prune|list|move|remove|update)\b|(?:^|[\s`(])--[a-z]|\{(?:command|again|againCommand|pick|remove)\}/;

/** Texts that are right although they name a command: it is what they are about. */
const about: Readonly<Record<string, readonly string[]>> = {
  'package.nls.json': ['configuration.addToPath'],
  'l10n/bundle.l10n.json': ['Makes the command wt available in terminals.'],
  // The checks, the hooks and the setup of a repository, which a person has to know before they approve them.
  messages: [
    'create.setupCommandCommand',
    'create.runningSetup',
    'mergePreview.checks',
    'merge.runningChecks',
    'mergePreview.checks',
    'merge.mergedButChecks',
    'merge.mergedButChecksCommand',
    'merge.checksNotApproved',
    'hooks.running',
    'hooks.stopped',
    'hooks.failedAfter',
    'hooks.inBackground',
  ],
};

interface Told extends Pick<Message, 'template' | 'editor' | 'remedies'> {
  readonly id: string;
}

async function coreMessages(): Promise<Told[]> {
  const folder = join(root, 'src/core/messages');
  const rooms = (await readdir(folder)).filter((name) => !terminalRooms.includes(name.replace('.ts', '')));
  const modules = await Promise.all(
    rooms.map(async (name) => (await import(join(folder, name))) as Record<string, Record<string, Told>>),
  );
  const all = modules.flatMap((each) => Object.values(each)).flatMap((texts) => Object.values(texts));
  return all.filter(({ template, id }) => template !== undefined && id.includes('.'));
}

const forms = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text));

describe('what VS Code shows', () => {
  it('names no command: a message has other words there, or a remedy that becomes a button', async () => {
    const all = await coreMessages();
    assert.ok(all.length > 900);
    const withCommand = all.filter(({ id, template, editor = template }) =>
      forms(editor).some((text) => command.test(text) && !about['messages']?.includes(id)),
    );
    assert.deepEqual(
      withCommand.map(({ id, editor, template }) => `${id}: ${JSON.stringify(editor ?? template)}`),
      [],
      'give these `{ terminal, editor, remedies }`',
    );
  });

  it('leaves nothing without a word or a button: only a next step may be its remedy alone', async () => {
    const silent = (await coreMessages()).filter(({ editor }) => editor === '');
    const wrong = silent.filter(
      ({ template, remedies = [] }) =>
        remedies.length === 0 || forms(template).some((text) => /^[A-Z{]|\.$/.test(text)),
    );
    assert.deepEqual(
      wrong.map(({ id }) => id),
      [],
    );
  });

  it('has none in the texts of the manifest and of the extension either', async () => {
    for (const file of ['package.nls.json', 'l10n/bundle.l10n.json']) {
      const texts = Object.entries(JSON.parse(await readFile(join(root, file), 'utf8')) as Record<string, string>);
      const known = new Set((await coreMessages()).flatMap(({ template, editor = template }) => forms(editor)));
      const wrong = texts.filter(
        ([key, text]) =>
          command.test(text.replaceAll(/command:[^)]*/g, '')) && !about[file]?.includes(key) && !known.has(text),
      );
      assert.deepEqual(wrong, [], file);
    }
  });

  it('calls the worktree that Claude is led to by that name, and never “active”', async () => {
    const files = ['package.nls.json', 'l10n/bundle.l10n.json'];
    const read = files.map(async (file) => {
      const texts = JSON.parse(await readFile(join(root, file), 'utf8')) as Record<string, string>;
      return Object.values(texts);
    });
    const core = (await coreMessages()).flatMap(({ template, editor = template }) => forms(editor));
    const wrong = [...(await Promise.all(read)).flat(), ...core].filter((text) => /\bactive\b/i.test(text));
    assert.deepEqual(wrong, []);
  });

  it('has remedies that the schema of failures knows', async () => {
    const { definitions } = JSON.parse(await readFile(join(root, 'schemas/definitions.schema.json'), 'utf8')) as {
      definitions: { remedy: { properties: { kind: { enum: string[] } } } };
    };
    const declared = await readFile(join(root, 'src/core/messages/remedy.ts'), 'utf8');
    const kinds = [...declared.matchAll(/readonly kind: '(\w+)'/g)].map(([, kind]) => kind);
    assert.deepEqual(definitions.remedy.properties.kind.enum, kinds);
  });

  it('has nothing of the rooms that only the terminal speaks of', async () => {
    const folders = ['core', 'extension', 'webview'].map((each) => join(root, 'src', each));
    const room = new RegExp(`/(?:${terminalRooms.join('|')})(?:/\\w+)?\\.ts'`);
    const others: string[] = [];
    for (const folder of folders) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !file.endsWith('.ts') || terminalRooms.some((each) => file.includes(`/${each}`)))
          continue;
        for (const line of (await readFile(file, 'utf8')).split('\n'))
          if (/ from '\.|import\('/.test(line) && room.test(line) && !line.includes('./exec.ts'))
            others.push(`${file}: ${line}`);
      }
    }
    assert.deepEqual(others, []);
  });
});
