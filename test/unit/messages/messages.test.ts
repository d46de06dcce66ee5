import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import {
  editorTextOf,
  isMessage,
  messages,
  remediesOf,
  textOf,
  verbatim,
  type Text,
} from '../../../src/core/messages/message.ts';

const folder = join(import.meta.dirname, '../../../src/core/messages');

describe('a message', () => {
  const room = messages('room', {
    taken: 'The name {name} is taken by {holder}.',
    commits: { one: '1 commit', other: '{count} commits' },
    behind: '{name} is {commits} behind {bases}',
    nothing: 'Nothing is there.',
  });

  it('is data: an id that no wording changes, and what it is about', () => {
    const message = room.taken({ name: 'login', holder: 'search' });
    assert.deepEqual([message.id, message.args], ['room.taken', { name: 'login', holder: 'search' }]);
    assert.equal(textOf(message), 'The name login is taken by search.');
    assert.ok(isMessage(message));
    assert.ok(!isMessage('The name login is taken.'));
  });

  it('tells one from many, and has messages and lists in it', () => {
    const told = (count: number): string =>
      textOf(room.behind({ name: 'login', commits: room.commits({ count }), bases: ['main', 'search'] }));
    assert.deepEqual(
      [told(1), told(2), told(0)],
      [
        'login is 1 commit behind main, search',
        'login is 2 commits behind main, search',
        'login is 0 commits behind main, search',
      ],
    );
  });

  it('never takes what it is about for a name of something else', () => {
    assert.equal(textOf(room.taken({ name: '{holder}', holder: '$&' })), 'The name {holder} is taken by $&.');
  });

  it('is translated as a whole, with the messages in it; what others wrote is not', () => {
    const german = new Map([
      ['{name} is {commits} behind {bases}', '{name} liegt {commits} hinter {bases}'],
      ['{count} commits', '{count} Commits'],
      ['Nothing is there.', 'Es gibt nichts.'],
    ]);
    const translate = (english: string): string => german.get(english) ?? english;
    const message = room.behind({ name: 'login', commits: room.commits({ count: 2 }), bases: 'main' });
    assert.equal(editorTextOf(message, translate), 'login liegt 2 Commits hinter main');
    assert.equal(editorTextOf(room.nothing(), translate), 'Es gibt nichts.');
    assert.equal(editorTextOf(verbatim('Nothing is there.'), translate), 'Nothing is there.');
  });

  it('has other words for VS Code, and what helps as data, also from the messages in it', () => {
    const offers = messages('offers', {
      useBranch: {
        terminal: 'run `wt create {name} --branch {branch}`',
        editor: 'use that branch',
        remedies: [{ kind: 'useBranch', name: '{name}', branch: '{branch}' }],
      },
      again: { terminal: 'run `wt create` again', remedies: [{ kind: 'retry' }] },
      both: '{first}; {second}',
    });
    const use = offers.useBranch({ name: '"a b"', branch: 'old' });
    assert.equal(textOf(use), 'run `wt create "a b" --branch old`');
    assert.equal(editorTextOf(use), 'use that branch');
    assert.deepEqual(
      remediesOf(use),
      [{ kind: 'useBranch', name: 'a b', branch: 'old' }],
      'as a name, not as a word of a shell',
    );
    assert.equal(editorTextOf(offers.again()), '');
    const both = offers.both({ first: use, second: offers.again() });
    const expected = [{ kind: 'useBranch', name: 'a b', branch: 'old' }, { kind: 'retry' }];
    assert.deepEqual(remediesOf(both), expected);
    const problem = new Problem('taken', room.nothing(), {
      next: both,
      remedies: [{ kind: 'retry' }, { kind: 'addRemote' }],
    });
    assert.deepEqual(problem.remedies, [{ kind: 'retry' }, { kind: 'addRemote' }, expected[0]], 'each once');
    // What was read from disk, or is told once more, has them as well.
    assert.deepEqual(
      new Problem('taken', room.nothing(), { next: JSON.parse(JSON.stringify(both)) as typeof both }).remedies,
      expected,
    );
  });

  it('makes a problem that has its id, its text and its next step', () => {
    const problem = new Problem('taken', room.taken({ name: 'login', holder: 'search' }), { next: room.nothing() });
    assert.deepEqual(
      [problem.id, problem.message, problem.next, problem.nextStep?.id],
      ['room.taken', 'The name login is taken by search.', 'Nothing is there.', 'room.nothing'],
    );
  });
});

describe('the messages of the core', () => {
  it('say nothing twice, and each is used', async () => {
    const sources = await textsOf(join(folder, '../..'));
    const seen = new Map<string, string>();
    const twice: string[] = [];
    const unused: string[] = [];
    for (const name of await readdir(folder)) {
      const room = name.replace('.ts', '');
      const exported = (await import(join(folder, name))) as Record<string, Record<string, { template?: Text }>>;
      for (const [constant, texts] of Object.entries(exported)) {
        if (!constant.endsWith('Messages')) continue;
        for (const [key, { template }] of Object.entries(texts)) {
          const text = JSON.stringify(template);
          const other = seen.get(text);
          if (other !== undefined) twice.push(`${other} and ${room}.${key}: ${text}`);
          seen.set(text, `${room}.${key}`);
          // Those of facts are chosen by what the fact is.
          if (room !== 'facts' && !sources.includes(`${constant}.${key}`)) unused.push(`${room}.${key}`);
        }
      }
    }
    assert.deepEqual([twice, unused], [[], []]);
    assert.ok(seen.size > 500);
  });
});

async function textsOf(root: string): Promise<string> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.parentPath !== folder);
  const read = async (file: string): Promise<string> => {
    const text = await readFile(file, 'utf8');
    const [, constant, alias] = /import \{ (\w+Messages) as (\w+) \}/.exec(text) ?? [];
    return alias === undefined ? text : text.replace(new RegExp(`\\b${alias}\\.`, 'g'), `${constant}.`);
  };
  return (await Promise.all(files.map(({ parentPath, name }) => read(join(parentPath, name))))).join('\n');
}
