import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import {
  readRegistry,
  registryFile,
  updateRegistry,
  type RegistryEntry,
} from '../../../src/core/repository/registry.ts';
import { lifecycleOf } from '../../../src/core/repository/standing.ts';
import { examine, treat } from '../../../src/core/doctor/doctor.ts';
import { prepareRestack } from '../../../src/core/restack/prepareRestack.ts';
import { restack } from '../../../src/core/restack/restack.ts';
import { readStack } from '../../../src/core/stack/readStack.ts';
import { viewStacks } from '../../../src/core/stack/stackView.ts';
import { redo, undo } from '../../../src/core/recovery/undo.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import { recordMerge, recordPullRequests, type PullRequestOutcome } from '../../../src/core/lifecycle/outcome.ts';
import { workOf } from '../../../src/core/snapshot/facts.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { removeWorktree } from '../../../src/core/remove/remove.ts';
import { inspectRemoval } from '../../../src/core/remove/inspect.ts';
import { deleteTrash } from '../../../src/core/trash/trash.ts';
import { Merges } from '../../support/merges.ts';
import { textOf } from '../../../src/core/messages/message.ts';

describe('what became of work', function () {
  this.timeout(300_000);
  let merges: Merges;
  let tip: string;
  beforeEach(async () => {
    merges = await Merges.start();
    await merges.at.create('x');
    tip = await merges.commit('x', { 'x.txt': 'x\n' });
    await edit((entry) => ({ ...entry, pr: { number: 7, url: 'https://example.com/7', theirs: 'kept' }, own: 1 }));
  });
  afterEach(() => merges.dispose());

  const workspace = (): Merges['at']['workspace'] => merges.at.workspace;
  const entry = async (): Promise<RegistryEntry> => {
    const found = (await readRegistry(workspace().repository)).worktrees.get('x');
    assert.ok(found);
    return found;
  };
  const edit = async (change: (before: RegistryEntry) => RegistryEntry): Promise<void> => {
    const { environment, repository } = workspace();
    await updateRegistry(environment, repository, ({ worktrees }) => {
      worktrees.set('x', change(worktrees.get('x') as RegistryEntry));
    });
  };
  const learn = (change: Partial<PullRequestOutcome>): Promise<void> =>
    recordPullRequests(workspace(), [{ branch: 'x', number: 7, state: 'open', headCommit: tip, ...change }]);
  /** The work comes into main as one commit, as the button of a host makes it. */
  const land = async (): Promise<string> => {
    await merges.git('.', 'merge', '--quiet', '--squash', 'x');
    await merges.git('.', 'commit', '--quiet', '-m', 'x (#7)');
    return merges.git('.', 'rev-parse', 'HEAD');
  };
  /** What the list, the stack and JSON say of the work. */
  const shown = async (): Promise<(string | undefined)[]> => {
    const state = await readStack(workspace());
    const worktree = state.snapshot.worktrees.find(({ name }) => name === 'x');
    assert.ok(worktree);
    const roots = await viewStacks(workspace(), state);
    const standing = roots.flatMap(({ branches }) => branches).find(({ shown: each }) => each.name === 'x')
      ?.shown.standing;
    return [workOf(worktree), standing, lifecycleOf(worktree.entry, worktree.head)];
  };
  const revision = async (): Promise<[number, number]> => {
    const { ino, mtimeMs } = await stat(registryFile(workspace().repository));
    return [ino, mtimeMs];
  };

  it('of a pull request that is said to be merged is its own, as long as the work is not seen in its base', async () => {
    await learn({ state: 'merged', mergeCommit: 'c'.repeat(40) });
    const { pr, lifecycle, merged } = await entry();
    assert.deepEqual([pr?.['state'], lifecycle, merged], ['merged', 'created', undefined]);
    assert.deepEqual(await shown(), ['unproven', 'unproven', 'created']);
    const before = await revision();
    await learn({ state: 'merged', mergeCommit: 'c'.repeat(40) });
    assert.deepEqual(await revision(), before);
    await land();
    await learn({ state: 'merged', mergeCommit: 'c'.repeat(40) });
    assert.deepEqual(await shown(), ['merged', 'merged', 'merged']);
  });

  it('of a merged pull request is written down once, and keeps what others have written', async () => {
    const commit = await land();
    await learn({ state: 'merged', mergeCommit: 'c'.repeat(40) });
    const { pr, lifecycle, merged, own } = await entry();
    assert.deepEqual(pr, {
      ...{ number: 7, url: 'https://example.com/7', theirs: 'kept', state: 'merged' },
      ...{ headCommit: tip, mergeCommit: 'c'.repeat(40) },
    });
    assert.deepEqual([lifecycle, own], ['merged', 1]);
    assert.deepEqual(merged, { head: tip, pr: 7, into: 'main', commit, before: 'created' });
    assert.deepEqual(await shown(), ['merged', 'merged', 'merged']);
    const before = await revision();
    // Not everybody who asks hears of the merge commit.
    for (const change of [{}, { mergeCommit: 'c'.repeat(40) }]) await learn({ state: 'merged', ...change });
    assert.deepEqual(await revision(), before, 'nothing new was written');
  });

  it('writes nothing of one that goes on as before, or that is not the one on record', async () => {
    const before = await revision();
    await learn({ state: 'open' });
    await learn({ state: 'merged', number: 8 });
    await learn({ state: 'merged', branch: 'main' });
    assert.deepEqual(await revision(), before);
  });

  it('of a pull request that was closed is taken back when it is reopened', async () => {
    await learn({ state: 'closed' });
    assert.equal((await entry()).pr?.['state'], 'closed');
    assert.deepEqual(await shown(), ['closed', 'closed', 'created']);
    await learn({ state: 'open' });
    assert.deepEqual((await entry()).pr, { number: 7, url: 'https://example.com/7', theirs: 'kept', state: 'open' });
    assert.deepEqual(await shown(), ['open', 'open', 'created']);
  });

  it('of one that was taken for merged and is open after all is taken back, also where only the word was written', async () => {
    await land();
    await learn({ state: 'merged' });
    await learn({ state: 'open' });
    assert.deepEqual(await shown(), ['open', 'open', 'created']);
    await edit((before) => ({ ...before, lifecycle: 'merged', pr: { number: 7, url: '', state: 'MERGED' } }));
    assert.deepEqual(await shown(), ['unproven', 'unproven', 'active']);
    await learn({ state: 'open' });
    assert.deepEqual(await shown(), ['open', 'open', 'active']);
  });

  it('ends with new commits of the branch, before and after they were learnt of', async () => {
    await land();
    await learn({ state: 'merged' });
    await merges.commit('x', { 'more.txt': 'more\n' });
    assert.deepEqual(await shown(), [undefined, undefined, 'active']);
    await learn({ state: 'merged' });
    const { lifecycle, merged, pr } = await entry();
    assert.deepEqual([lifecycle, merged, pr?.['state']], ['created', undefined, 'merged']);
    assert.deepEqual(await shown(), [undefined, undefined, 'created']);
    const before = await revision();
    await learn({ state: 'merged' });
    assert.deepEqual(await revision(), before);
  });

  it('is not said of commits that a merged pull request never had', async () => {
    await land();
    await merges.commit('x', { 'more.txt': 'more\n' });
    for (const headCommit of [tip, 'd'.repeat(40)]) {
      await learn({ state: 'merged', headCommit });
      assert.notEqual((await shown())[2], 'merged', headCommit);
    }
  });

  it('that came in with another commit is seen where that one is here', async () => {
    const suggested = await merges.commit('x', { 'x.txt': 'better\n' });
    await land();
    await merges.git('.worktrees/x', 'reset', '--quiet', '--hard', 'HEAD~1');
    await learn({ state: 'merged', headCommit: undefined });
    assert.deepEqual((await shown())[2], 'created');
    await learn({ state: 'merged', headCommit: suggested });
    assert.deepEqual(await shown(), ['merged', 'merged', 'merged']);
  });

  it('of a merge here is written down, taken back by undo and there again after redo', async () => {
    await edit((before) => ({ ...before, lifecycle: 'active' }));
    const { commit } = await merges.merge('x');
    assert.deepEqual((await entry())['merged'], { head: tip, into: 'main', commit, before: 'active' });
    assert.deepEqual(await shown(), ['merged', 'merged', 'merged']);
    // That its pull request is open is no contradiction.
    await learn({ state: 'open' });
    assert.deepEqual((await shown())[0], 'merged');
    await undo(workspace());
    assert.deepEqual(await shown(), ['open', 'open', 'active']);
    await redo(workspace());
    assert.deepEqual(await shown(), ['merged', 'merged', 'merged']);
    await merges.commit('x', { 'more.txt': 'more\n' });
    assert.deepEqual(await shown(), ['open', 'open', 'active']);
    await merges.merge('x');
    assert.deepEqual(await shown(), ['merged', 'merged', 'merged']);
    await undo(workspace());
    assert.deepEqual(await shown(), ['open', 'open', 'active']);
  });

  it('of a merge here is written down also where its checks fail, and by the run that goes on after a stop', async () => {
    await merges.at.configure('checks: "false"\n');
    await merges.approve('false');
    assert.equal((await merges.refusal('x')).reason, 'checks-failed');
    assert.deepEqual((await shown())[0], 'merged');
    await merges.at.create('y');
    await merges.commit('y', { 'z.txt': 'y\n' });
    await merges.commit('', { 'z.txt': 'main\n' });
    assert.equal((await merges.refusal('y')).reason, 'conflicts');
    const lifecycle = async (): Promise<unknown> =>
      (await readRegistry(workspace().repository)).worktrees.get('y')?.lifecycle;
    assert.equal(await lifecycle(), 'created', 'a merge that has stopped is none yet');
    await merges.git('.', 'checkout', '--quiet', '--ours', 'z.txt');
    await merges.git('.', 'add', 'z.txt');
    await merges.git('.', 'commit', '--quiet', '--no-edit');
    await merges.refusal('y');
    assert.equal(await lifecycle(), 'merged', 'also where a person has committed it with git');
  });

  it('of a merge that git alone has taken back is found by doctor, and so is the landing that a restack finds', async () => {
    await merges.merge('x');
    assert.deepEqual(
      (await examine(workspace())).filter(({ kind }) => kind === 'entry'),
      [],
    );
    await merges.git('.', 'reset', '--quiet', '--hard', 'HEAD^1');
    const found = (await examine(workspace())).filter(({ kind }) => kind === 'entry');
    assert.deepEqual(
      found.map(({ message }) => textOf(message)),
      ['x is recorded as merged into main, which does not have that merge any more.'],
    );
    await treat(found);
    assert.deepEqual((await shown())[0], 'open');
    // Squashed by hand.
    await merges.git('.', 'merge', '--quiet', '--squash', 'x');
    await merges.git('.', 'commit', '--quiet', '-m', 'x, squashed');
    const { snapshot } = await readStack(workspace());
    const wish = { worktree: await findWorktree(snapshot, 'x', merges.root) };
    await restack(workspace(), wish, await prepareRestack(workspace(), wish, { offline: true }), { offline: true });
    assert.deepEqual((await entry())['merged'], { head: tip, into: 'main', before: 'created' });
  });

  it('is not said of a branch that never had any', async () => {
    await merges.merge('x');
    await merges.at.create({ name: 'fresh', base: 'x' });
    await merges.merge('fresh');
    const { worktrees } = await readRegistry(workspace().repository);
    assert.deepEqual([worktrees.get('fresh')?.lifecycle, worktrees.get('fresh')?.['merged']], ['created', undefined]);
  });

  it('comes back with a worktree that undo brings back', async () => {
    await land();
    await learn({ state: 'merged' });
    const before = await entry();
    const snapshot = await readSnapshot(workspace(), { withChanges: false });
    const removal = await inspectRemoval(workspace(), snapshot, await findWorktree(snapshot, 'x', merges.root));
    const bins: string[] = [];
    await removeWorktree(workspace(), removal, { force: true, deleteLater: (folder) => void bins.push(folder) });
    for (const bin of bins) await deleteTrash(workspace().git, bin);
    assert.equal((await readRegistry(workspace().repository)).worktrees.has('x'), false);
    await undo(workspace());
    const { merged, lifecycle, pr } = await entry();
    assert.deepEqual([merged, lifecycle, pr], [before['merged'], before.lifecycle, before.pr]);
  });

  it('stops nobody when it cannot be written down', async () => {
    await merges.at.repository.write('.worktrees/stack.json', '{ "worktrees": ');
    await learn({ state: 'merged' });
    assert.deepEqual(await recordMerge(workspace(), { branch: 'x', head: tip, into: 'main' }), []);
  });
});
