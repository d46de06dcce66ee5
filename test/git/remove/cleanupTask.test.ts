import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mergeSessionText } from '../../../src/core/session/mergeText.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { removeWorktree, type Removed } from '../../../src/core/remove/remove.ts';
import { inspectRemoval } from '../../../src/core/remove/inspect.ts';
import { deleteTrash } from '../../../src/core/trash/trash.ts';
import { Creations } from '../../support/creations.ts';
import { texts } from '../../support/texts.ts';
import { shareOf } from '../../support/share.ts';

const session =
  '# Session\n\n## Pending Tasks\n\n- [ ] **Write docs**\n- [ ] **Fix login** — soon\n\n## Blockers\n\n- none of note\n';
const without = session
  .replace('- [ ] **Fix login** — soon\n', '')
  .replace('## Blockers', '## Worktree Tasks\n\n## Blockers');
const pending = session.replace('## Blockers', '## Worktree Tasks\n\n## Blockers');

describe('removing the worktree of a task', () => {
  let at: Creations;
  let path: string;
  beforeEach(async () => {
    at = await Creations.start();
    await at.repository.commit('Session', { 'agents/session.md': session });
    ({ path } = await at.create({ task: 'Fix login' }));
    await at.repository.commit('Hand out', {});
  });
  afterEach(() => at.dispose());

  const main = (): string => join(at.repository.root, 'agents/session.md');
  const text = (): Promise<string> => readFile(main(), 'utf8');
  const work = (mark: string): Promise<string> =>
    at.repository.commit(
      'Work',
      { 'login.txt': 'login\n', 'agents/session.md': `## Pending Tasks\n\n- [${mark}] **Fix login** — soon\n` },
      path,
    );
  /** Merges the branch as it is, with the session file of the main working tree. */
  const merge = async (): Promise<void> => {
    const before = await text();
    await at.repository.git('merge', '--quiet', '--no-ff', '-X', 'ours', '-m', 'Merge', 'fix-login');
    await at.repository.commit('Ours', { 'agents/session.md': before });
  };
  const remove = async (force = false): Promise<Removed> => {
    const snapshot = await readSnapshot(at.workspace, { withChanges: false });
    const removal = await inspectRemoval(at.workspace, snapshot, await findWorktree(snapshot, 'fix-login', path));
    let trash: Promise<unknown> = Promise.resolve();
    const removed = await removeWorktree(at.workspace, removal, {
      force,
      drop: force,
      deleteLater: (bin) => {
        trash = deleteTrash(at.workspace.git, bin);
      },
    });
    await trash;
    return removed;
  };

  it('that was not worked on makes it pending again, and takes the branch', async () => {
    const removed = await remove();
    assert.deepEqual(removed.tasks, [{ name: 'Fix login', to: 'pending' }]);
    assert.equal(removed.branchDeleted, true);
    assert.equal(await text(), pending);
    assert.equal((await at.create({ task: 'Fix login' })).branch, 'fix-login', 'and it can be started again');
  });

  it('keeps a branch that holds more than its session file', async () => {
    await work(' ');
    const removed = await remove();
    assert.deepEqual(removed.branchKept?.name, 'fix-login');
    assert.deepEqual(removed.tasks, [{ name: 'Fix login', to: 'pending' }]);
  });

  it('keeps a branch whose session file was worked on', async () => {
    await at.repository.commit('Session for fix-login', { 'agents/session.md': '# Notes\n' }, path);
    assert.deepEqual((await remove()).branchKept?.name, 'fix-login');
  });

  it('that is done but not merged makes it pending again', async () => {
    await work('x');
    assert.deepEqual((await remove()).tasks, [{ name: 'Fix login', to: 'pending' }]);
    assert.equal(await text(), pending);
  });

  it('that is merged and done takes it out', async () => {
    await work('x');
    await merge();
    const removed = await remove();
    assert.deepEqual(removed.tasks, [{ name: 'Fix login', to: 'out' }]);
    assert.equal(await text(), without);
  });

  it('that is merged and still open makes it pending again', async () => {
    await work(' ');
    await merge();
    assert.deepEqual((await remove()).tasks, [{ name: 'Fix login', to: 'pending' }]);
    assert.equal(await text(), pending);
  });

  it('goes by the committed session file where the folder is gone', async () => {
    await work(' ');
    await merge();
    await rm(path, { recursive: true });
    assert.deepEqual((await remove(true)).tasks, [{ name: 'Fix login', to: 'pending' }]);
  });

  for (const [mark, expected] of shareOf(
    [
      ['x', without],
      [' ', pending],
    ] as const,
    2,
  )) {
    it(`after a merge by the rules for session files changes nothing more (marked “${mark}”)`, async () => {
      await work(mark);
      const base = await at.repository.git('show', 'main~:agents/session.md');
      const theirs = await readFile(join(path, 'agents/session.md'), 'utf8');
      const merged = mergeSessionText({
        kind: 'session',
        base: `${base}\n`,
        ours: await text(),
        theirs,
        slug: 'fix-login',
      });
      await merge();
      await writeFile(main(), merged.text);
      assert.deepEqual((await remove()).tasks, []);
      assert.equal(await text(), merged.text);
      assert.equal(merged.text, expected);
    });
  }

  it('leaves a session file alone that cannot be read, and says so', async () => {
    const broken = '## Worktree Tasks\n\n- [ ] **Fix login** → `wt/fix-login`\n\n```\n';
    await writeFile(main(), broken);
    const removed = await remove();
    assert.match(texts(removed.notes).join(), /session file was left as it is: .* line 5/);
    assert.equal(await text(), broken);
  });
});
