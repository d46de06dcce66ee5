import assert from 'node:assert/strict';
import { readOperations } from '../../../src/core/operations/store.ts';
import { planRename, renameWorktree } from '../../../src/core/restack/rename.ts';
import { planRedo, planUndo, reverse, undo, undoable } from '../../../src/core/recovery/undo.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { Stacks } from '../../support/stacks.ts';

describe('the plan of an undo', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.add('a', 'main', { 'a.txt': 'a1\n' });
    await at.add('b', 'a', { 'b.txt': 'b1\n' });
    await at.add('c', 'main', { 'c.txt': 'c1\n' });
  });
  afterEach(() => at.dispose());

  const titles = async (): Promise<string[]> => undoable(await readOperations(at.workspace)).map(({ title }) => title);
  const rename = async (name: string, to: string): Promise<void> => {
    const snapshot = await readSnapshot(at.workspace, { withChanges: false });
    const worktree = await findWorktree(snapshot, name, at.repository.root);
    await renameWorktree(at.workspace, (await planRename(at.workspace, snapshot, worktree, { name: to })).renaming);
  };

  it('says which branches go back to which commits, and touches nothing', async () => {
    await at.commit('main', 'News', { 'news.txt': 'news\n' });
    const before = { a: await at.tip('a'), b: await at.tip('b') };
    await at.rebase('b', { wholeStack: true });
    const picture = await at.picture();
    const { kind, steps } = await planUndo(at.workspace);
    assert.equal(kind, 'undo');
    assert.deepEqual(
      steps[0]?.inverse.batch?.moves.map(({ branch, to, worktrees }) => [
        branch,
        to,
        worktrees.map(({ path }) => path),
      ]),
      [
        ['a', before.a, [at.path('a')]],
        ['b', before.b, [at.path('b')]],
      ],
    );
    assert.deepEqual(await at.picture(), picture);
  });

  it('is what is carried out, and the redo after it as well', async () => {
    await at.rebase('c', { onto: 'a', wholeStack: true, move: true });
    const moved = await at.picture();
    await reverse(at.workspace, await planUndo(at.workspace));
    assert.equal((await at.entry('c'))?.base, 'main');
    const again = await planRedo(at.workspace);
    assert.equal(again.of.title, 'move c onto a');
    await reverse(at.workspace, again);
    assert.deepEqual(await at.picture(), moved);
  });

  it('can be about every operation that was not taken back, the latest first', async () => {
    await at.rebase('c', { onto: 'a', wholeStack: true, move: true });
    await rename('b', 'd');
    assert.deepEqual(await titles(), ['rename b to d', 'move c onto a']);
    await undo(at.workspace);
    assert.deepEqual(await titles(), ['move c onto a']);
  });

  it('of a renaming is refused when the worktree has yet another name, or its name is taken', async () => {
    await rename('b', 'd');
    const [first] = await readOperations(at.workspace);
    await rename('d', 'e');
    await assert.rejects(planUndo(at.workspace, first?.id), {
      reason: 'in-use',
      message: 'This cannot be undone, because d is called e now, with the branch e: rename b to d.',
    });
    await undo(at.workspace);
    await at.repository.git('branch', 'b', 'main');
    await assert.rejects(planUndo(at.workspace, first?.id), { reason: 'taken' });
    assert.equal((await at.entry('d'))?.branch, 'd');
  });
});
