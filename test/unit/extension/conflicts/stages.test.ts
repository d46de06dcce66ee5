import assert from 'node:assert/strict';
import { isKnown, stagesAfter, type Stage } from '../../../../src/extension/conflicts/stages.ts';
import type { UnderWay } from '../../../../src/core/merge/underWay.ts';
import { worktreeModel } from '../../../support/worktreeModel.ts';

type State = Parameters<typeof stagesAfter>[1];

describe('what is told of what has stopped', () => {
  const state = (
    conflicts: number | undefined,
    { head = 'one', busy = false, begun = true }: { head?: string; busy?: boolean; begun?: boolean } = {},
  ): State => {
    const changes = { total: 1, staged: 1, unstaged: 0, untracked: 0, submodules: 0 };
    const worktree = worktreeModel('knot', undefined, {
      head,
      changes: conflicts === undefined ? undefined : { ...changes, conflicts },
    });
    const underWay: UnderWay = { by: 'git', operation: 'rebase' };
    return {
      worktrees: [worktree],
      underWay: new Map(begun ? [[worktree.path, underWay]] : []),
      agents: new Map(
        busy
          ? [['knot', { activity: 'working', agents: [], denied: 0, lastDenied: undefined, finished: undefined }]]
          : [],
      ),
    };
  };
  /** The kinds of news that a row of states gives. */
  const news = (...states: State[]): string[] => {
    let told: ReadonlyMap<string, Stage> | undefined;
    return states.map((each) => {
      const after = stagesAfter(told, each);
      told = after.stages;
      return after.news.length === 0 ? '' : (told.get('/orchard/knot')?.kind ?? 'gone');
    });
  };
  const idle = state(0, { begun: false });

  it('is a stop, once, and that all its conflicts are resolved, once', () => {
    assert.deepEqual(news(idle, state(2), state(1), state(0), state(0)), ['', 'conflicts', '', 'resolved', '']);
  });

  it('is each stop of a rebase, also when nobody has seen it without conflicts', () => {
    assert.deepEqual(news(idle, state(1), state(1, { head: 'two' })), ['', 'conflicts', 'conflicts']);
    assert.deepEqual(news(idle, state(1), state(0), state(1, { head: 'two' })), [
      '',
      'conflicts',
      'resolved',
      'conflicts',
    ]);
  });

  it('is nothing of what was there at first, of what never was in conflict, and of what has ended', () => {
    assert.deepEqual(news(state(1), state(1)), ['', '']);
    assert.deepEqual(news(state(1), state(0)), ['', 'resolved']);
    assert.deepEqual(news(idle, state(0), state(0, { head: 'two' })), ['', '', '']);
    assert.deepEqual(news(idle, state(1), idle, idle), ['', 'conflicts', '', '']);
  });

  it('is nothing while an agent works there, and the stop when it has left it to a person', () => {
    assert.deepEqual(news(idle, state(1, { busy: true }), state(0, { busy: true }), idle), ['', '', '', '']);
    assert.deepEqual(news(idle, state(1, { busy: true }), state(1)), ['', '', 'conflicts']);
  });

  it('waits until the conflicts are known', () => {
    assert.equal(isKnown(state(undefined)), false);
    assert.equal(isKnown(state(undefined, { begun: false })), true);
    assert.deepEqual(news(idle, state(1), state(undefined), state(1)), ['', 'conflicts', '', '']);
  });
});
