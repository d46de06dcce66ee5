import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../support/tempRepo.ts';
import { windowsHome, type WindowsHome } from '../support/windows/home.ts';

const session = 'agents/session.md';
const learnings = 'agents/learnings.md';
const files = [session, learnings];
/** Lines as an editor on Windows writes them. */
const lines = (...all: readonly string[]): string => all.map((line) => `${line}\r\n`).join('');
const notes = (...pending: readonly string[]): string =>
  lines('# Session', '', '## Pending Tasks', '', ...pending, '', '## Blockers', '', '- The gateway is down');

describe('session files that are merged on Windows', () => {
  let home: WindowsHome;
  let repository: TestRepository;
  /** The worktree of the task. */
  let tree: string;
  before(async () => {
    home = await windowsHome();
    repository = await home.repository();
    await repository.commit('Notes', {
      [session]: notes('- [ ] **Receipts** — by mail', '- [ ] **Login** — a form'),
      [learnings]: lines('# Learnings', '', '## Tests', '', '- Freeze the clock'),
    });
  });
  after(() => home.dispose());

  const wt = (...args: string[]): Promise<string> => home.done(repository.root, ...args);
  const read = (file: string, folder = repository.root): Promise<string> => readFile(join(folder, file), 'utf8');
  const both = (): Promise<string[]> => Promise.all(files.map((file) => read(file)));
  /** Changes a file in the place of a person. */
  const edit = async (folder: string, file: string, change: (text: string) => string): Promise<void> =>
    writeFile(join(folder, file), change(await read(file, folder)));
  /** All lines end as Windows ends them, git has them as it keeps them, and finds nothing changed. */
  const isInOrder = async (folder = repository.root): Promise<void> => {
    for (const file of files) {
      assert.doesNotMatch(await read(file, folder), /(?<!\r)\n|\r\r/, file);
      assert.doesNotMatch(await repository.gitIn(folder, 'show', `:${file}`), /\r/, file);
    }
    assert.equal(await repository.gitIn(folder, 'status', '--porcelain'), '');
  };

  it('begin with a task that goes to a worktree, whose own session file has the line ends of Windows too', async () => {
    tree = join(repository.root, (await wt('create', '--task', 'Receipts')).trim());
    assert.match(await read(session, tree), /^# Session: Worktree — Receipts\r\n/);
    await isInOrder(tree);
    assert.match(await read(session), /## Worktree Tasks\r\n(?:\r\n)?- \[ \] \*\*Receipts\*\* → `wt\/receipts`/);
    await repository.commit('Task moved', {});
    await isInOrder();
  });

  it('have the notes and tasks of both sides, which git by itself finds in conflict, and none after an undo', async () => {
    const found = lines('', '## Decisions', '', '- Letters are PDF');
    await edit(tree, session, (text) => text.replace('[ ]', '[x]') + found);
    await edit(tree, learnings, (text) => text + lines('- Run it a hundred times'));
    await repository.commit('Work', { 'mailer.js': lines('send();') }, tree);
    await edit(repository.root, session, (text) =>
      text.replace('- [ ] **Login**', '- [ ] **Labels** — for the boxes\r\n- [ ] **Login**'),
    );
    await edit(repository.root, learnings, (text) => text + lines('- Look for shared state first'));
    const before = await repository.commit('Meanwhile', {});
    const texts = await both();
    await assert.rejects(repository.git('merge', '--no-commit', 'receipts'));
    await repository.git('merge', '--abort');

    await wt('merge', 'receipts');
    await isInOrder();
    const [merged = '', learned = ''] = await both();
    for (const each of ['**Labels**', '**Login**', '- The gateway is down', '- Letters are PDF'])
      assert.ok(merged.includes(each), `${each} in:\n${merged}`);
    // It is done: neither pending nor in a worktree.
    assert.doesNotMatch(merged, /\[ \] \*\*Receipts/);
    for (const each of ['Freeze the clock', 'Run it a hundred times', 'Look for shared state first'])
      assert.ok(learned.includes(`- ${each}\r\n`), `${each} in:\n${learned}`);
    assert.equal(await read('mailer.js'), 'send();\r\n');

    await wt('undo');
    assert.equal(await repository.git('rev-parse', 'HEAD'), before);
    assert.deepEqual(await both(), texts);
    await isInOrder();
  });

  it('are settled by the rules where git has stopped at them', async () => {
    await assert.rejects(repository.git('merge', '--no-commit', 'receipts'));
    assert.match(await read(learnings), /^<{7} /m);
    await wt('resolve');
    assert.equal(await repository.git('diff', '--name-only', '--diff-filter=U'), '');
    for (const file of files) assert.doesNotMatch(await read(file), /^[<=>]{7}|(?<!\r)\n|\r\r/m, file);
    assert.match(await read(learnings), /hundred times\r\n/);
    assert.match(await read(learnings), /shared state first\r\n/);
    assert.equal(await repository.git('diff', '--name-only'), '');
  });
});
