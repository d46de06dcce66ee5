import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../../scripts/lib/install.mjs';
import { references } from '../../scripts/generate.mjs';
import { catalogue } from '../../src/cli/definitions/catalogue.ts';
import { schemas } from '../../src/cli/schemas.ts';

/** The lines of a text that the other does not have, without what only lays a table out. */
function missing(from: string, other: string): string[] {
  const plain = (text: string): string[] => text.split('\n').map((line) => line.replaceAll(/ +|-{3,}/g, ' ').trim());
  const there = new Set(plain(other));
  return plain(from).filter((line) => !there.has(line));
}

const inCamelCase = (name: string): string => name.replaceAll(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase());

describe('what repeats a list of the sources', () => {
  it('is up to date in the docs', async () => {
    const all = await references();
    assert.ok(all.length > 0);
    for (const { file, before, after } of all) {
      assert.deepEqual(missing(after, before), [], `${file} lacks these lines: \`npm run generate\` writes them`);
      assert.deepEqual(missing(before, after), [], `${file} has lines too many: \`npm run generate\` removes them`);
    }
  });

  it('says the argument of each command of VS Code', async () => {
    const text = await readFile(join(root, 'docs/extension.md'), 'utf8');
    const [, section = ''] = /\n## Commands and their arguments\n([^]*?)\nEvery command:/.exec(text) ?? [];
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const described = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    const { contributes } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      contributes: { commands: { command: string }[] };
    };
    const ids = contributes.commands
      .map(({ command }) => command.replace('worktreeStacks.', ''))
      .filter((id) => !id.startsWith('row.'));
    assert.deepEqual(described.sort(), ids.sort(), 'each once, and no other');
  });

  it('is complete for each command of wt: its code, its schema, its test', async () => {
    const code = new Set(await readdir(join(root, 'src/cli/commands')));
    const folders = ['cli', 'github'].map((lane) => join(root, 'test', lane));
    const files = (
      await Promise.all(
        folders.map(async (folder) => (await readdir(folder, { recursive: true })).map((file) => join(folder, file))),
      )
    ).flat();
    const texts = files.filter((file) => file.endsWith('.test.ts')).map((file) => readFile(file, 'utf8'));
    const tests = (await Promise.all(texts)).join('\n');
    const lacking = catalogue.flatMap(({ name, group }) => [
      ...(code.delete(`${inCamelCase(name)}.ts`) ? [] : [`src/cli/commands/${inCamelCase(name)}.ts`]),
      ...(group === undefined || name.replaceAll(' ', '-') in schemas
        ? []
        : [`schemas/${name.replaceAll(' ', '-')}.schema.json`]),
      ...(group === undefined || tests.includes(`'${name.split(' ')[0]}'`) ? [] : [`a test of ${name} in test/cli`]),
    ]);
    assert.deepEqual(lacking, []);
    // `wt` alone.
    assert.deepEqual([...code], ['status.ts'], 'no command is defined for these files');
  });

  it('is shown by tests whose folders are those of the sources', async () => {
    /** Where the sources are that the tests below a folder show: that of the folder itself is none. */
    const sources: Readonly<Record<string, (folder: string) => string[]>> = {
      unit: (folder) => [`src/core/${folder}`, ...(/^(cli|extension|webview)\b/.test(folder) ? [`src/${folder}`] : [])],
      git: (folder) => [`src/core/${folder}`],
      github: (folder) => [`src/core/github/${folder}`],
      cli: (folder) => [folder === '.' ? 'src/cli' : `src/cli/definitions/${folder}.ts`],
    };
    const misplaced: string[] = [];
    for (const [lane, placesOf] of Object.entries(sources)) {
      const files = await readdir(join(root, 'test', lane), { recursive: true });
      for (const file of files.filter((each) => each.endsWith('.test.ts'))) {
        const folder = dirname(file).replaceAll('\\', '/');
        const isAbove = folder === '.' && (lane === 'unit' || lane === 'git');
        if (isAbove || !placesOf(folder).some((place) => existsSync(join(root, place))))
          misplaced.push(`test/${lane}/${file}`);
      }
    }
    assert.deepEqual(misplaced, []);
  });

  it('is where CONTRIBUTING says, with a test beside at most four files', async () => {
    const text = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
    const [, table = ''] = /## Adding something\n([^]*?)\n## /.exec(text) ?? [];
    const rows = table.split('\n').filter((line) => /^\| an? /.test(line));
    assert.ok(rows.length > 5, 'the table of additions was not found');
    for (const row of rows) {
      const places = [...row.matchAll(/`((?:src|test|docs|schemas|plugin)\/[^`]*|package[.\w]*\.json)`/g)].map(
        ([, path]) => path,
      );
      assert.ok(places.length > 0 && new Set(places).size <= 5, row);
      for (const path of places) assert.ok(existsSync(join(root, path ?? '')), `${path} does not exist: ${row}`);
    }
  });
});
