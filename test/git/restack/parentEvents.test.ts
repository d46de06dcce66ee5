import assert from 'node:assert/strict';
import { updateRegistry } from '../../../src/core/repository/registry.ts';
import type { PullRequestLookup, PullRequestState } from '../../../src/core/stack/pullRequestLookup.ts';
import { sceneForEach } from '../../support/sceneForEach.ts';
import { Stacks } from '../../support/stacks.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { shareOf } from '../../support/share.ts';

/** What happens to the branch below, before the one above is restacked. */
const events: [name: string, happens: (at: Stacks) => Promise<void>, base: string][] = [
  ['gets another commit', async (at) => void (await at.commit('p', 'p 3', { 'p3.txt': 'x\n' })), 'p'],
  [
    'is renamed',
    async (at) => {
      await at.git('p', 'branch', '-m', 'renamed');
      await at.commit('p', 'p 3', { 'p3.txt': 'x\n' });
    },
    'renamed',
  ],
  [
    'is merged with a merge commit',
    async (at) => void (await at.git('main', 'merge', '--quiet', '--no-ff', '--no-edit', 'p')),
    'main',
  ],
  [
    'is merged by moving trunk forward',
    async (at) => void (await at.git('main', 'merge', '--quiet', '--ff-only', 'p')),
    'main',
  ],
  [
    'has its last commit amended',
    async (at) => {
      await at.repository.write(`${at.path('p')}/p.txt`, 'p one\np amended\n');
      await at.git('p', 'commit', '--quiet', '--all', '--amend', '-m', 'p 2 amended');
    },
    'p',
  ],
  [
    'has its history squashed',
    async (at) => {
      await at.git('p', 'reset', '--quiet', '--soft', 'main');
      await at.git('p', 'commit', '--quiet', '-m', 'p squashed');
    },
    'p',
  ],
  [
    'loses a file by an amend',
    async (at) => {
      await at.git('p', 'rm', '--quiet', 'extra.txt');
      await at.git('p', 'commit', '--quiet', '--amend', '-m', 'p 2 amended');
    },
    'p',
  ],
  ['drops its last commit', async (at) => void (await at.git('p', 'reset', '--quiet', '--hard', 'HEAD~1')), 'p'],
  ['is squash-merged', async (at) => squash(at), 'main'],
  [
    'is squash-merged, and trunk edits the same line later',
    async (at) => {
      await squash(at);
      await at.commit('main', 'Later', { 'p.txt': 'p one\np later\n' });
    },
    'main',
  ],
  [
    'is squash-merged and deleted',
    async (at) => {
      await squash(at);
      await at.git('main', 'worktree', 'remove', '--force', at.path('p'));
      await at.git('main', 'branch', '--quiet', '-D', 'p');
    },
    'main',
  ],
  [
    'is rebase-merged',
    async (at) => {
      await at.commit('main', 'News', { 'news.txt': 'x\n' });
      await at.git('main', 'cherry-pick', 'main..p');
    },
    'main',
  ],
];

async function squash(at: Stacks): Promise<void> {
  await at.git('main', 'merge', '--quiet', '--squash', 'p');
  await at.git('main', 'commit', '--quiet', '-m', 'p squashed (#1)');
}

describe('when the branch below', function () {
  this.timeout(300_000);
  let at: Stacks;
  sceneForEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Lines', { 'p.txt': 'p\n' });
    await at.add('p', 'main', { 'p.txt': 'p one\n' }, { 'p.txt': 'p one\np two\n', 'extra.txt': 'e\n' });
    await at.add('child', 'p', { 'own.txt': '1\n' }, { 'own.txt': '1\n2\n' });
    return at.home;
  });

  for (const [event, happens, base] of shareOf(events, 3)) {
    it(`${event}, the one above keeps its own commits and no other`, async () => {
      await happens(at);
      assert.deepEqual(await at.outcomes('child'), {
        child: event === 'is merged by moving trunk forward' ? 'current' : 'moves',
      });
      assert.deepEqual(await at.subjects('child', base), ['child 1', 'child 2']);
      assert.equal(await at.repository.git('merge-base', base, 'child'), await at.tip(base));
      assert.equal(await at.git('child', 'status', '--porcelain'), '');
      const entry = await at.entry('child');
      assert.deepEqual([entry?.base, entry?.baseCommit], [base, await at.tip(base)]);
      assert.equal(await at.repository.git('rev-parse', 'child^{tree}'), await plainRebase(event));
    });
  }

  /** The tree that git's own rebase gives, told the right boundary. */
  async function plainRebase(event: string): Promise<string> {
    assert.notEqual(event, '');
    const base = (await at.entry('child'))?.base ?? '';
    const [first, second] = (await at.repository.git('log', '--reverse', '--format=%H', `${base}..child`)).split('\n');
    const scratch = `${at.home.root}/scratch`;
    await at.repository.git('worktree', 'add', '--quiet', '--detach', scratch, base);
    await at.repository.gitIn(scratch, 'cherry-pick', first ?? '', second ?? '');
    return at.repository.gitIn(scratch, 'rev-parse', 'HEAD^{tree}');
  }

  it('was amended after the squash merge, what was amended is nowhere else, whatever the host says', async () => {
    await squash(at);
    await at.repository.write(`${at.path('p')}/p.txt`, 'p one\np amended\n');
    await at.git('p', 'commit', '--quiet', '--all', '--amend', '-m', 'p 2 amended');
    const host = hostSaying({ p: { number: 1, recorded: true, state: 'merged', headCommit: await at.tip('p') } });
    const { branches, notes } = await at.rebase('child', {}, { host });
    assert.deepEqual(
      branches.map(({ base, outcome }) => [base, outcome]),
      [['p', 'moves']],
    );
    assert.match(
      notes.map((note) => textOf(note)).join(),
      /#1 of p counts as merged, but its work is not in main, so all of it stays/,
    );
    assert.deepEqual(await at.subjects('child', 'p'), ['child 1', 'child 2']);
  });

  it('was brought in with a suggestion of a reviewer, the head of its pull request proves it', async () => {
    await at.git('main', 'switch', '--quiet', '--create', 'reviewed', 'p');
    const headCommit = await at.commit('main', 'Suggestion', { 'p.txt': 'p one\np better\n' });
    await at.git('main', 'switch', '--quiet', 'main');
    await at.git('main', 'merge', '--quiet', '--squash', 'reviewed');
    await at.git('main', 'commit', '--quiet', '-m', 'p squashed (#1)');
    const bases = async (host?: PullRequestLookup): Promise<unknown> =>
      (await at.plan('child', {}, host ? { host } : { offline: true })).branches.map(({ base }) => base);
    assert.deepEqual(await bases(), ['p']);
    assert.deepEqual(await bases(hostSaying({ p: { number: 1, recorded: true, state: 'merged', headCommit } })), [
      'main',
    ]);
  });

  for (const [what, headCommit] of shareOf(
    [
      ['a commit that is not here', '1'.repeat(40)],
      ['no commit', undefined],
      ['a commit from before', 'main'],
    ] as const,
    2,
  )) {
    it(`has the name of a branch that was merged once, with ${what}, it is not taken for that one`, async () => {
      const before = await at.subjects('child');
      await at.commit('main', 'News', { 'news.txt': 'x\n' });
      const commit = headCommit === 'main' ? await at.tip('main') : headCommit;
      const host = hostSaying({ p: { number: 1, recorded: false, state: 'merged', headCommit: commit } });
      const { branches } = await at.rebase('p', { wholeStack: true }, { host });
      assert.deepEqual(
        branches.map(({ branch, base, outcome }) => [branch, base, outcome]),
        [
          ['p', 'main', 'moves'],
          ['child', 'p', 'moves'],
        ],
      );
      assert.deepEqual(await at.subjects('child'), before);
    });
  }

  it('is recorded with a pull request that was merged, but nothing of that is here, it lives', async () => {
    const host = hostSaying({ p: { number: 1, recorded: true, state: 'merged', headCommit: '1'.repeat(40) } });
    const { branches, notes } = await at.plan('child', {}, { host });
    assert.deepEqual(
      branches.map(({ base }) => base),
      ['p'],
    );
    assert.match(
      notes.map((note) => textOf(note)).join(),
      /#1 of p counts as merged, but its work is not in main.*`wt pr p`/,
    );
  });

  it('waits in the merge queue, it is not merged yet', async () => {
    await squash(at);
    const host = hostSaying({ p: { number: 1, recorded: false, state: 'queued', headCommit: await at.tip('p') } });
    const { branches } = await at.plan('child', {}, { host });
    assert.deepEqual(
      branches.map(({ base }) => base),
      ['p'],
    );
  });

  it('was merged on the host and has new commits since, it goes on without those that landed', async () => {
    const headCommit = await at.tip('p');
    await squash(at);
    await at.commit('p', 'p 3', { 'p3.txt': 'x\n' });
    const host = hostSaying({ p: { number: 1, recorded: false, state: 'merged', headCommit } });
    const { branches } = await at.rebase('p', { wholeStack: true }, { host });
    assert.deepEqual(
      branches.map(({ outcome, base }) => [outcome, base]),
      [
        ['moves', 'main'],
        ['moves', 'p'],
      ],
    );
    assert.deepEqual(await at.subjects('child'), ['p 3', 'child 1', 'child 2']);
  });

  it('is gone and nothing says that it was merged, nothing is guessed', async () => {
    await at.git('main', 'worktree', 'remove', '--force', at.path('p'));
    await at.git('main', 'branch', '--quiet', '-D', 'p');
    const [plan] = (await at.plan('child')).branches;
    assert.equal(plan?.outcome, 'held');
    assert.match(textOf(plan?.why ?? ''), /its base p is gone, and there is no sign that it was merged/);
    assert.match(textOf(plan?.next ?? ''), /git branch p .* restores it.*--onto main.*--base main/);
    assert.deepEqual(await at.outcomes('child', { onto: 'main', since: 'main' }), { child: 'current' });
    assert.deepEqual(await at.subjects('child'), ['p 1', 'p 2', 'child 1', 'child 2']);
  });

  it('is gone and its branch was given another name without a worktree, it is found by its commit', async () => {
    await at.git('main', 'worktree', 'remove', '--force', at.path('p'));
    await at.git('main', 'branch', '-m', 'p', 'other');
    assert.deepEqual(
      (await at.plan('child')).branches.map(({ base, outcome }) => [base, outcome]),
      [['other', 'current']],
    );
  });

  it('has no commits of its own, it has not landed', async () => {
    await at.add('empty', 'main');
    await at.add('on-empty', 'empty', { 'x.txt': 'x\n' });
    await at.commit('main', 'News', { 'news.txt': 'x\n' });
    assert.deepEqual(await at.outcomes('empty', { wholeStack: true }), { empty: 'moves', 'on-empty': 'moves' });
    assert.equal((await at.entry('on-empty'))?.base, 'empty');
  });

  it('has moved and the one above was rebased by hand, its nearest known base counts', async () => {
    await at.commit('p', 'p 3', { 'p.txt': 'p one\np two\np three\n' });
    await at.commit('p', 'p 4', { 'p.txt': 'p one\np two\np three\np four\n' });
    await at.git('child', 'rebase', '--quiet', 'p');
    await squash(at);
    assert.deepEqual(await at.outcomes('child'), { child: 'moves' });
    assert.deepEqual(await at.subjects('child'), ['child 1', 'child 2']);
  });

  it('was merged into the one above, only what is its own is replayed', async () => {
    await at.commit('p', 'p 3', { 'p3.txt': 'x\n' });
    await at.git('child', 'merge', '--quiet', '--no-edit', 'p');
    await at.commit('main', 'News', { 'news.txt': 'x\n' });
    await at.outcomes('p', { wholeStack: true });
    assert.deepEqual(
      (await at.subjects('child', 'p')).filter((subject) => !subject.startsWith('Merge')),
      ['child 1', 'child 2'],
    );
  });

  it('took a commit over by mistake and gave it back, the commit stays with the one above', async () => {
    // Fork-point would drop it, because it was once on the branch below.
    await at.git('p', 'merge', '--quiet', '--ff-only', 'child');
    await at.git('p', 'reset', '--quiet', '--hard', 'HEAD~2');
    await at.commit('p', 'p 3', { 'p3.txt': 'x\n' });
    assert.deepEqual(await at.outcomes('child'), { child: 'moves' });
    assert.deepEqual(await at.subjects('child', 'p'), ['child 1', 'child 2']);
  });

  it('dropped a commit that the one above had from it, it is said that it stays behind', async () => {
    const dropped = await at.commit('p', 'p 3', { 'p3.txt': 'x\n' });
    await updateRegistry(at.workspace.environment, at.workspace.repository, ({ worktrees }) => {
      const entry = worktrees.get('p');
      if (entry) worktrees.set('p', { ...entry, lastPushed: { remote: 'origin', ref: 'refs/heads/p', oid: dropped } });
    });
    await at.git('child', 'rebase', '--quiet', 'p');
    await at.git('p', 'reset', '--quiet', '--hard', 'HEAD~1');
    await at.commit('p', 'p 4', { 'p4.txt': 'x\n' });
    const { branches } = await at.rebase('child');
    assert.deepEqual(
      branches[0]?.notes.map((note) => textOf(note)),
      [`A commit that p no longer has stays behind: ${dropped.slice(0, 10)}.`],
    );
    assert.deepEqual(await at.subjects('child', 'p'), ['child 1', 'child 2']);
  });

  it('was merged into trunk, and trunk was merged into the one above, neither is replayed', async () => {
    await squash(at);
    await at.commit('main', 'News', { 'news.txt': 'x\n' });
    await at.git('child', 'merge', '--quiet', '--no-edit', '-X', 'ours', 'main');
    await at.commit('main', 'More', { 'news.txt': 'y\n' });
    assert.deepEqual(await at.outcomes('child'), { child: 'moves' });
    assert.deepEqual(await at.subjects('child'), ['child 1', 'child 2']);
  });

  function hostSaying(states: Record<string, PullRequestState>): PullRequestLookup {
    return { pullRequestsOf: async () => new Map(Object.entries(states)) };
  }
});
