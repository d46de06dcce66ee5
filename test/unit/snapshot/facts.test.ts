import assert from 'node:assert/strict';
import { byActivity, factsOf, needsAttention } from '../../../src/core/snapshot/facts.ts';
import type { Worktree } from '../../../src/core/worktree/model.ts';
import { worktreeModel } from '../../support/worktreeModel.ts';

/** One that has all that a snapshot can know, and nothing to tell. */
const worktree = (name: string, change: Partial<Worktree> = {}): Worktree =>
  worktreeModel(name, 'main', {
    base: { branch: 'main', recorded: true, exists: true, distance: { ahead: 0, behind: 0 } },
    changes: { total: 0, staged: 0, unstaged: 0, untracked: 0, conflicts: 0, submodules: 0 },
    lastCommit: { time: 1000, subject: 'Start' },
    gitDir: `/orchard/.git/worktrees/${name}`,
    ...change,
  });

const kinds = (of: Worktree): string[] => factsOf(of).map((fact) => fact.kind);
const dirty = { total: 3, staged: 0, unstaged: 3, untracked: 0, conflicts: 0, submodules: 0 };

describe('facts of a worktree', () => {
  it('a fresh worktree has its base and nothing else to say', () => {
    assert.deepEqual(kinds(worktree('quince')), ['base']);
  });

  it('an operation under way comes before conflicts, and those before changes', () => {
    const busy = worktree('quince', { operation: 'rebase', changes: { ...dirty, conflicts: 1 } });
    assert.deepEqual(kinds(busy), ['operation', 'conflicts', 'changes', 'base']);
  });

  it('what an agent does and was denied comes after what needs a person, and before changes', () => {
    const locked = worktree('quince', { lockReason: 'release', changes: dirty });
    assert.deepEqual(
      factsOf(locked, { activity: 'working', denied: 2 }).map((fact) => fact.kind),
      ['locked', 'agent', 'denied', 'changes', 'base'],
    );
  });

  it('an agent that waits comes before everything else, and is told once', () => {
    const busy = worktree('quince', {
      operation: 'rebase',
      lockReason: 'release',
      changes: { ...dirty, conflicts: 1 },
    });
    assert.deepEqual(
      factsOf(busy, { activity: 'waiting', denied: 1, toReview: 2 }).map((fact) => fact.kind),
      ['agent', 'operation', 'conflicts', 'locked', 'denied', 'changes', 'base'],
    );
  });

  it('work that is done and to be reviewed stands for the idle agent and for the changes, and comes after what is wrong', () => {
    const done = worktree('quince', { changes: { ...dirty, conflicts: 1 } });
    assert.deepEqual(
      factsOf(done, { activity: 'idle', denied: 0, toReview: 3 }).map((fact) => fact.kind),
      ['conflicts', 'to-review', 'base'],
    );
    assert.deepEqual(
      factsOf(done, { activity: undefined, denied: 0, toReview: 3 })[1],
      { kind: 'to-review', count: 3 },
      'the agent may be gone',
    );
    for (const [activity, toReview] of [
      ['working', 3],
      ['idle', 0],
      ['idle', undefined],
    ] as const) {
      const facts = factsOf(done, { activity, denied: 0, toReview }).map((fact) => fact.kind);
      assert.deepEqual(facts, ['conflicts', 'agent', 'changes', 'base'], `${activity} ${toReview}`);
    }
  });

  it('a restack that several branches need is told with their number where it begins', () => {
    const stack = { stacked: true, needsRestack: true, cycle: undefined, stopped: undefined, predicted: [] };
    const first = (toRestack?: number, needsRestack = true): unknown =>
      factsOf(worktree('quince'), undefined, {
        ...{ ...stack, needsRestack },
        ...(toRestack === undefined ? {} : { toRestack }),
      })[0];
    assert.deepEqual(first(3), { kind: 'stack-needs-restack', count: 3 });
    assert.deepEqual(first(3, false), { kind: 'stack-needs-restack', count: 3 }, 'others of its stack need it');
    assert.deepEqual(first(1), { kind: 'needs-restack' });
    assert.deepEqual(first(), { kind: 'needs-restack' });
  });

  it('a restack that has stopped comes first and stands for its rebase; conflicts that would come stand before a restack that is due', () => {
    const stack = { stacked: true, needsRestack: true, cycle: undefined, stopped: undefined, predicted: [] };
    const stopped = { ...stack, stopped: { here: true, at: 'quince' } };
    assert.deepEqual(
      factsOf(worktree('quince', { operation: 'rebase' }), undefined, stopped).map((fact) => fact.kind),
      ['restack-stopped', 'base'],
    );
    assert.equal(needsAttention(worktree('quince'), stopped), true);
    const waiting = { ...stack, stopped: { here: false, at: 'medlar' } };
    assert.deepEqual(factsOf(worktree('quince'), undefined, waiting)[0], { kind: 'restack-stopped', at: 'medlar' });
    assert.equal(needsAttention(worktree('quince'), waiting), false);
    const predicted = [
      { with: 'main', files: ['a'] },
      { with: 'medlar', files: ['a', 'b'] },
    ];
    assert.deepEqual(
      factsOf(worktree('quince'), { activity: 'idle', denied: 0 }, { ...stack, predicted }).slice(0, 3),
      [
        { kind: 'predicted', with: ['medlar', 'main'], files: 2 },
        { kind: 'needs-restack' },
        { kind: 'agent', activity: 'idle' },
      ],
    );
  });

  it('everything at once stands in one order, from the operation under way to the pull request', () => {
    const entry = { path: '/orchard/quince', branch: 'fruit/quince', base: 'main', pr: { number: 12, url: 'u' } };
    const all = worktree('quince', {
      branch: 'fruit/quince',
      operation: 'merge',
      changes: dirty,
      base: { branch: 'main', recorded: true, exists: true, distance: { ahead: 3, behind: 1 } },
      upstream: { name: 'origin/quince', gone: false, distance: { ahead: 1, behind: 0 } },
      entry,
    });
    const predicted = [{ with: 'medlar', files: ['a'] }];
    const stack = { stacked: true, needsRestack: true, cycle: undefined, stopped: undefined, predicted };
    assert.deepEqual(
      factsOf(all, { activity: 'working', denied: 0 }, stack).map((fact) => fact.kind),
      ['operation', 'predicted', 'needs-restack', 'agent', 'changes', 'base', 'upstream', 'pull-request', 'branch'],
    );
  });

  it('the pull request of another branch than the one that is checked out is not told', () => {
    const entry = { path: '/orchard/quince', branch: 'quince', base: 'main', pr: { number: 12, url: 'u' } };
    assert.deepEqual(factsOf(worktree('quince', { entry })).at(-1), { kind: 'pull-request', number: 12 });
    assert.deepEqual(kinds(worktree('quince', { entry, branch: 'medlar' })), ['base', 'branch']);
    assert.deepEqual(kinds(worktree('quince', { entry, branch: undefined, base: undefined })), ['detached']);
  });

  it('agents that are gone say nothing', () => {
    assert.deepEqual(
      factsOf(worktree('quince'), { activity: undefined, denied: 0 }).map((fact) => fact.kind),
      ['base'],
    );
  });

  it('a locked worktree whose folder is missing says both, the missing folder first', () => {
    assert.deepEqual(
      kinds(worktree('quince', { condition: 'missing', lockReason: '', changes: undefined })).slice(0, 2),
      ['condition', 'locked'],
    );
  });

  it('a branch that is called otherwise is named', () => {
    assert.deepEqual(factsOf(worktree('quince', { branch: 'fruit/quince' })).at(-1), {
      kind: 'branch',
      branch: 'fruit/quince',
    });
  });

  it('that only some files are there is said last', () => {
    assert.deepEqual(kinds(worktree('quince', { changes: dirty, branch: 'fruit/quince', sparse: true })), [
      ...['changes', 'base', 'branch', 'sparse'],
    ]);
    assert.equal(needsAttention(worktree('quince', { sparse: true })), false);
  });

  it('a detached worktree shows its commit', () => {
    assert.deepEqual(kinds(worktree('quince', { branch: undefined, base: undefined })), ['detached']);
  });

  it('an upstream is mentioned only when it differs', () => {
    const same = { name: 'origin/quince', gone: false, distance: { ahead: 0, behind: 0 } };
    assert.deepEqual(kinds(worktree('quince', { upstream: same })), ['base']);
    assert.deepEqual(kinds(worktree('quince', { upstream: { ...same, distance: { ahead: 0, behind: 2 } } })), [
      'base',
      'upstream',
    ]);
    assert.deepEqual(kinds(worktree('quince', { upstream: { ...same, gone: true, distance: undefined } })), [
      'base',
      'upstream-gone',
    ]);
  });

  it('a base that does not exist any more needs a person; plain changes and a lock do not', () => {
    assert.equal(
      needsAttention(
        worktree('quince', { base: { branch: 'gone', recorded: true, exists: false, distance: undefined } }),
      ),
      true,
    );
    assert.equal(needsAttention(worktree('quince', { changes: dirty, lockReason: 'on the shelf' })), false);
  });
});

describe('order of worktrees', () => {
  const names = (of: readonly Worktree[]): string[] => byActivity(of).map((each) => each.name);

  it('the main working tree comes first, however old', () => {
    const main = worktree('main', { main: true, lastCommit: { time: 1, subject: 'Start' } });
    assert.deepEqual(names([worktree('quince'), main]), ['main', 'quince']);
  });

  it('those with changes come before clean ones, and then the latest commit decides', () => {
    const old = worktree('old', { lastCommit: { time: 10, subject: '' } });
    const fresh = worktree('fresh', { lastCommit: { time: 20, subject: '' } });
    const busy = worktree('busy', { lastCommit: { time: 5, subject: '' }, changes: dirty });
    assert.deepEqual(names([old, fresh, busy]), ['busy', 'fresh', 'old']);
  });

  it('one that was made just now counts as recent, however old its last commit is', () => {
    const entry = { path: '/orchard/new', branch: 'new', base: 'main', pr: null, created: '2026-01-01T00:00:00Z' };
    const made = worktree('new', { lastCommit: { time: 5, subject: '' }, entry });
    assert.deepEqual(names([worktree('quince'), made]), ['new', 'quince']);
  });

  it('with nothing to choose by, the name decides', () => {
    assert.deepEqual(names([worktree('b'), worktree('a')]), ['a', 'b']);
  });
});
