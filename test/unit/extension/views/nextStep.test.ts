import assert from 'node:assert/strict';
import type { StackInShort } from '../../../../src/core/snapshot/facts.ts';
import type { Worktree } from '../../../../src/core/worktree/model.ts';
import { nextStepOf } from '../../../../src/extension/views/nextStep.ts';
import type { RowFacts } from '../../../../src/extension/views/rowFacts.ts';
import { worktreeModel } from '../../../support/worktreeModel.ts';

const clean = { total: 0, staged: 0, unstaged: 0, untracked: 0, conflicts: 0, submodules: 0 };
const dirty = { ...clean, total: 2, unstaged: 2 };
const inConflict = { ...dirty, conflicts: 1 };
const ahead = { branch: 'main', recorded: true, exists: true, distance: { ahead: 2, behind: 0 } };
const agents = (activity: 'waiting' | 'working' | 'idle', toReview?: number): Pick<RowFacts, 'agents'> => ({
  agents: { activity, agents: [], finished: undefined, denied: 0, lastDenied: undefined, toReview },
});
const stack = (more: Partial<StackInShort>): Pick<RowFacts, 'stack'> => ({
  stack: { stacked: true, needsRestack: true, cycle: undefined, stopped: undefined, predicted: [], ...more },
});
const pull = { number: 7, url: '', status: undefined, recorded: 'open', watched: false } as const;
const recorded = { branch: 'quince', pr: { number: 7, url: '' } } as unknown as Worktree['entry'];
const upstream = (ahead: number, gone = false): Partial<Worktree> => ({
  upstream: { name: 'origin/quince', gone, distance: { ahead, behind: 0 } },
});

describe('the next step of a row', () => {
  const step = (change: Partial<Worktree>, row: RowFacts = {}): unknown =>
    nextStepOf(worktreeModel('quince', 'main', { changes: clean, ...change }), row);

  it('is the most pressing of all that there is to do', () => {
    // Everything at once, and then one thing less each time.
    const all: Partial<Worktree> = { changes: inConflict, operation: 'rebase', base: ahead };
    const row: RowFacts = {
      ...agents('waiting', 2),
      ...stack({ toRestack: 2 }),
      finished: true,
      sharing: 'pullRequests',
    };
    assert.equal(step(all, row), 'goToAgent');
    assert.equal(step(all, { ...row, ...agents('idle', 2) }), 'resolve');
    assert.equal(step({ ...all, changes: dirty }, { ...row, ...agents('idle', 2) }), 'continue');
    assert.equal(step({ changes: dirty, base: ahead }, { ...row, ...agents('idle', 2) }), 'review');
    assert.equal(step({ changes: dirty, base: ahead }, { ...row, ...agents('working', 2) }), 'openChanges');
    assert.equal(step({ base: ahead }, { ...row, agents: undefined }), 'restack');
    assert.equal(step({ base: ahead }, { finished: true, sharing: 'pullRequests' }), 'remove');
    assert.equal(step({ base: ahead }, { sharing: 'pullRequests' }), 'createPullRequest');
    assert.equal(step({}, { sharing: 'pullRequests' }), 'open');
  });

  it('shares only what there is to share, and where it can be shared', () => {
    assert.equal(step({}, { sharing: 'pullRequests' }), 'open', 'no commit of its own');
    assert.equal(step({ base: ahead }), 'open', 'it is not known yet where');
    assert.equal(step({ base: ahead }, { sharing: 'nowhere' }), 'open', 'no remote');
    assert.equal(step({ base: ahead }, { sharing: 'push' }), 'push', 'a remote that is not on GitHub');
    assert.equal(step({ base: ahead, ...upstream(0) }, { sharing: 'push' }), 'open', 'it is pushed');
    assert.equal(step({ base: ahead, ...upstream(1) }, { sharing: 'push' }), 'push', 'there is more to push');
    assert.equal(step({ base: ahead, ...upstream(0, true) }, { sharing: 'push' }), 'push', 'its upstream is gone');
    assert.equal(step({ base: ahead, ...upstream(0) }, { sharing: 'pullRequests' }), 'createPullRequest');
    assert.equal(step({ base: ahead, branch: undefined }, { sharing: 'pullRequests' }), 'open', 'no branch');
    assert.equal(step({ base: ahead, main: true }, { sharing: 'pullRequests', here: true }), undefined);
    assert.equal(step({ base: undefined }, { sharing: 'pullRequests' }), 'open', 'nobody knows what is its own');
    const other = { base: ahead, entry: recorded, branch: 'other' };
    assert.equal(step(other, { sharing: 'pullRequests' }), 'open', 'it was made for another branch');
    assert.equal(step({ base: ahead }, { sharing: 'push', trunk: 'quince' }), 'open', 'it is on the trunk');
  });

  it('opens a pull request that there is, and pushes what it does not have yet', () => {
    const has = { entry: recorded, base: ahead };
    assert.equal(step({ ...has, ...upstream(0) }, { pull, sharing: 'pullRequests' }), 'openPullRequest');
    assert.equal(step({ ...has, ...upstream(2) }, { pull, sharing: 'pullRequests' }), 'push');
    assert.equal(step({ ...has, ...upstream(0, true) }, { pull, sharing: 'pullRequests' }), 'openPullRequest');
    assert.equal(step(has, { pull, sharing: 'pullRequests' }), 'openPullRequest', 'pushed without an upstream');
  });

  it('is one restack for a whole stack, where it begins', () => {
    assert.equal(step({ base: ahead }, { ...stack({}), sharing: 'pullRequests' }), 'createPullRequest');
    assert.equal(step({}, stack({ toRestack: 3, needsRestack: false })), 'restack');
    assert.equal(step({}, stack({ stopped: { here: true, at: 'quince' } })), 'continue');
    assert.equal(step({}, stack({ stopped: { here: false, at: 'medlar' } })), 'open', 'it waits for another one');
  });

  it('leaves a bisection to the terminal that it goes on in', () => {
    const bisected = { operation: 'bisect', base: ahead } as const;
    for (const row of [{}, { sharing: 'pullRequests' }, stack({ toRestack: 2 })] as const)
      assert.equal(step(bisected, row), 'open');
    assert.equal(step(bisected, { here: true }), undefined);
  });

  it('leaves a locked worktree alone', () => {
    const locked = { lockReason: '', base: ahead };
    assert.equal(step(locked, { sharing: 'pullRequests', finished: true }), 'open');
    assert.equal(step({ ...locked, changes: dirty }), 'openChanges', 'to look is harmless');
    assert.equal(step({ ...locked, condition: 'missing' }), undefined, 'its disk may be away');
  });

  it('is what helps where the folder is not as it should be', () => {
    assert.equal(step({ condition: 'moved' }), 'repair');
    assert.equal(step({ staleLink: true }), 'repair');
    assert.equal(step({ condition: 'missing' }), 'remove');
    assert.equal(step({ condition: 'missing', main: true }), undefined);
    for (const condition of ['empty', 'broken', 'foreign'] as const)
      assert.equal(step({ condition, base: ahead }, { sharing: 'pullRequests' }), undefined, condition);
    assert.equal(step({ condition: 'broken' }, agents('waiting')), 'goToAgent', 'whoever waits is in a terminal');
  });

  it('is nothing in the row of this window when there is nothing to do', () => {
    assert.equal(step({}, { here: true }), undefined);
    assert.equal(step({}, { ...agents('working'), here: true }), undefined);
  });
});
