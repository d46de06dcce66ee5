import assert from 'node:assert/strict';
import { Problem } from '../../../../src/core/base/problem.ts';
import type { PredictedConflict } from '../../../../src/core/restack/predict.ts';
import type { Snapshot, Worktree } from '../../../../src/core/worktree/model.ts';
import {
  nothingKnown,
  stateAfter,
  type ModelState,
  type Reading,
  type StateChange,
} from '../../../../src/extension/repository/repositoryState.ts';
import { verbatim } from '../../../../src/core/messages/message.ts';

const reading = (trunk: string, names: readonly string[] = ['a', 'b']): Reading => ({
  snapshot: { trunk, worktrees: [] } as unknown as Snapshot,
  worktrees: names.map((name) => ({ name })) as unknown as Worktree[],
  here: [],
  finished: new Set(),
  agents: new Map(),
  stacks: undefined,
  underWay: new Map(),
  settled: true,
  problems: [],
});
const after = (...changes: readonly StateChange[]): ModelState =>
  changes.reduce<ModelState>((state, change) => stateAfter(state, change), nothingKnown);

describe('the state of a repository in a window', () => {
  const read: StateChange = { kind: 'read', reading: reading('main') };
  const predicted = [{ worktree: 'a', with: 'b', kind: 'sibling', files: ['x'] }] as unknown as PredictedConflict[];
  const later: readonly StateChange[] = [
    { kind: 'agents', agents: new Map() },
    { kind: 'predicted', predicted },
    { kind: 'pullRequests', pullRequests: { watched: new Set(['a']) } },
  ];

  it('is begun by a reading: what else is reported before does not count', () => {
    for (const change of later) assert.equal(after(change), nothingKnown);
    assert.equal(after(read).known?.snapshot.trunk, 'main');
  });

  it('keeps with each reading what no reading gives: predictions and pull requests', () => {
    const { known } = after(read, ...later, { kind: 'read', reading: reading('trunk') });
    assert.deepEqual(
      [known?.snapshot.trunk, known?.predicted, [...(known?.pullRequests.watched ?? [])]],
      ['trunk', predicted, ['a']],
    );
  });

  it('has no conflict with a worktree that is gone, whichever is told first', () => {
    const withBase = { worktree: 'b', with: 'main', kind: 'base', files: ['x'] } as PredictedConflict;
    const told: StateChange = { kind: 'predicted', predicted: [...predicted, withBase] };
    for (const name of ['a', 'b']) {
      const gone: StateChange = { kind: 'read', reading: reading('main', [name]) };
      const left = name === 'b' ? [withBase] : [];
      assert.deepEqual(after(read, told, gone).known?.predicted, left);
      const state = after(gone, told);
      assert.deepEqual(state.known?.predicted, left);
      assert.equal(stateAfter(state, told), state);
    }
  });

  it('keeps what was known when a reading fails, until the next one succeeds', () => {
    const problem = new Problem('git-failed', verbatim('It failed.'));
    const failed = after(read, { kind: 'failed', problem });
    assert.deepEqual([failed.known?.snapshot.trunk, failed.problem], ['main', problem]);
    assert.equal(stateAfter(failed, read).problem, undefined);
    assert.equal(after({ kind: 'failed', problem }).known, undefined);
  });

  it('is the very same when a prediction says nothing new, so that nothing is drawn', () => {
    const state = after(read, { kind: 'predicted', predicted });
    assert.equal(stateAfter(state, { kind: 'predicted', predicted: structuredClone(predicted) }), state);
  });

  it('changes only the part of the pull requests that a change names', () => {
    const statuses = new Map([[7, {} as never]]);
    const { known } = after(read, ...later, { kind: 'pullRequests', pullRequests: { statuses } });
    assert.deepEqual([known?.pullRequests.statuses, known?.pullRequests.watched], [statuses, new Set(['a'])]);
  });
});
