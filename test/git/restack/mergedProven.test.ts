import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { PullRequestLookup, PullRequestState } from '../../../src/core/stack/pullRequestLookup.ts';
import type { BranchPlan } from '../../../src/core/restack/plan.ts';
import { Stacks } from '../../support/stacks.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { shareOf } from '../../support/share.ts';

/** A stack main <- a <- b <- c, each with a file of its own, and a remote that has all of it. */
describe('what somebody calls merged', function () {
  this.timeout(300_000);
  let at: Stacks;
  let origin: string;
  beforeEach(async () => {
    at = await Stacks.start();
    origin = join(at.home.root, 'origin.git');
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n', 'notes.txt': 'notes\n' });
    await at.add('c', 'b', { 'c.txt': 'c\n' });
    await at.repository.git('clone', '--quiet', '--bare', at.repository.root, origin);
    await at.repository.git('remote', 'add', 'origin', origin);
    await at.repository.git('fetch', '--quiet', 'origin');
  });
  afterEach(() => at.dispose());

  /** Does something in a clone of the remote, as its buttons do, and pushes it there. */
  const onRemote = async (branch: string, ...commands: string[][]): Promise<string> => {
    const clone = join(at.home.root, `clone-${branch}`);
    await at.repository.git('clone', '--quiet', '--branch', branch, origin, clone);
    for (const command of commands) await at.repository.gitIn(clone, ...command);
    await at.repository.gitIn(clone, 'push', '--quiet', 'origin', `HEAD:${branch}`);
    return at.repository.gitIn(clone, 'rev-parse', 'HEAD');
  };
  const merge = (branch: string): string[] => ['merge', '--quiet', '--no-ff', '--no-edit', branch];
  const squash = (branch: string): string[][] => [
    ['merge', '--quiet', '--squash', branch],
    ['commit', '--quiet', '-m', `${branch} (#2)`],
  ];
  const said = async (branch: string, change: Partial<PullRequestState> = {}): Promise<{ host: PullRequestLookup }> => {
    const state: PullRequestState = {
      ...{ number: 2, recorded: true, state: 'merged', headCommit: await at.tip(branch), ...change },
    };
    return { host: { pullRequestsOf: async () => new Map([[branch, state]]) } };
  };
  const files = async (branch: string): Promise<string[]> =>
    (await at.repository.git('ls-tree', '--name-only', branch)).split('\n');
  const told = (plans: readonly BranchPlan[]): unknown =>
    Object.fromEntries(plans.map(({ branch, outcome, base }) => [branch, `${outcome} ${base ?? ''}`]));

  for (const [way, commands] of shareOf(
    [
      ['a merge commit', [merge('origin/b')]],
      ['a squash', squash('origin/b')],
    ] as [string, string[][]][],
    2,
  )) {
    it(`into the branch below, by ${way} that only the remote has, is used from there`, async () => {
      await onRemote('a', ...commands);
      const done = await at.rebase('c', {}, await said('b', { baseBranch: 'a' }));
      assert.deepEqual(told(done.branches), { c: 'moves a' });
      assert.deepEqual(await at.subjects('c', 'origin/a'), ['c 1']);
      assert.deepEqual(await files('c'), ['README.md', 'a.txt', 'b.txt', 'c.txt', 'notes.txt']);
      assert.deepEqual((await at.entry('c'))?.base, 'a');
    });

    it(`into the branch below, by ${way}, moves that one along with its stack`, async () => {
      await onRemote('a', ...commands);
      await at.commit('main', 'News', { 'news.txt': 'news\n' });
      await at.git('main', 'push', '--quiet', 'origin', 'main');
      const done = await at.rebase('c', { wholeStack: true }, await said('b', { baseBranch: 'a' }));
      assert.deepEqual(
        told(done.branches),
        { a: 'moves main', b: 'landed a', c: 'moves a' },
        JSON.stringify(done.notes),
      );
      assert.deepEqual(await files('a'), ['README.md', 'a.txt', 'b.txt', 'news.txt', 'notes.txt']);
      assert.deepEqual(await files('c'), ['README.md', 'a.txt', 'b.txt', 'c.txt', 'news.txt', 'notes.txt']);
      assert.equal(await at.git('a', 'status', '--porcelain'), '');
      await at.repository.git('merge-base', '--is-ancestor', 'a', 'c');
    });
  }

  it('into the branch below, which has gone another way here, stops what is above', async () => {
    await onRemote('a', merge('origin/b'));
    await at.commit('a', 'a 2', { 'a2.txt': 'a2\n' });
    const before = await at.tip('c');
    const { branches } = await at.rebase('b', { wholeStack: true }, await said('b', { baseBranch: 'a' }));
    const [, b, c] = branches;
    assert.deepEqual([b?.outcome, c?.outcome], ['held', 'waits']);
    assert.match(
      textOf(b?.why ?? ''),
      /merged into a on origin, but the local a has commits that origin does not have/,
    );
    assert.match(textOf(b?.next ?? ''), /git -C .*a merge origin\/a/);
    assert.equal(await at.tip('c'), before);
  });

  it('because its base had it after a reorder, loses nothing', async () => {
    // As after `wt move b --onto main`, `wt move a --onto b` and a push: the host saw b in a.
    await at.rebase('b', { onto: 'main', move: true });
    await at.rebase('a', { onto: 'b', move: true });
    await at.git('main', 'push', '--quiet', '--force', 'origin', 'a', 'b');
    await at.commit('main', 'News', { 'news.txt': 'news\n' });
    await at.git('main', 'push', '--quiet', 'origin', 'main');
    const done = await at.rebase('a', { wholeStack: true }, await said('b', { baseBranch: 'a' }));
    assert.deepEqual(told(done.branches), { b: 'moves main', a: 'moves b', c: 'moves b' });
    assert.match(
      done.notes.map((note) => textOf(note)).join(),
      /#2 of b counts as merged, but its work is not in origin\/main/,
    );
    for (const branch of ['a', 'c']) {
      for (const file of ['b.txt', 'notes.txt', 'news.txt', `${branch}.txt`])
        assert.ok((await files(branch)).includes(file), `${file} of ${branch}`);
    }
  });

  it('and was pushed with nothing of the merge fetched yet, is fetched and then left out', async () => {
    await onRemote('main', ...squash('origin/a'));
    const done = await at.rebase('c', { wholeStack: true }, await said('a', { baseBranch: 'main' }));
    assert.deepEqual(told(done.branches), { a: 'landed main', b: 'moves main', c: 'moves b' });
    assert.deepEqual(await at.subjects('c', 'origin/main'), ['b 1', 'c 1']);
  });

  for (const [way, commands, undo] of shareOf(
    [
      ['a merge commit', [merge('origin/a')], ['-m', '1', 'HEAD']],
      ['a squash', squash('origin/a'), ['HEAD']],
    ] as [string, string[][], string[]][],
    2,
  ))
    it(`by ${way} that was reverted, takes nothing from what is above`, async () => {
      await onRemote('main', ...commands, ['revert', '--no-edit', ...undo]);
      const done = await at.rebase('c', { wholeStack: true }, await said('a', { baseBranch: 'main' }));
      for (const branch of ['a', 'b', 'c']) assert.ok((await files(branch)).includes('a.txt'), branch);
      assert.match(
        done.notes.map((note) => textOf(note)).join(),
        /#2 of a was merged, but origin\/main had its work .* reverted it: a\.txt/,
      );
      const [a] = done.branches;
      if (way === 'a squash') return void assert.equal(a?.outcome, 'moves');
      assert.deepEqual([a?.outcome, a?.files], ['held', ['a.txt']]);
      assert.match(textOf(a?.next ?? ''), /revert that revert in origin\/main/);
    });

  it('into the trunk, while what it stands on is not, still stands there', async () => {
    await onRemote('main', ['cherry-pick', 'origin/b']);
    const { branches } = await at.rebase('c', { wholeStack: true }, await said('b', { baseBranch: 'main' }));
    assert.notEqual(branches.find(({ branch }) => branch === 'c')?.base, 'a');
    assert.deepEqual(await files('c'), ['README.md', 'a.txt', 'b.txt', 'c.txt', 'notes.txt']);
  });

  it('into a branch that was merged before, has its work in no base that lives, and keeps it', async () => {
    await onRemote('main', merge('origin/a'));
    // The branch below moves forward to what stands on it: by its commits alone that looks like what it stands on.
    await onRemote('a', ['merge', '--quiet', '--ff-only', 'origin/b']);
    const done = await at.rebase('c', { wholeStack: true }, await said('a', { baseBranch: 'main' }));
    assert.deepEqual(told(done.branches), { a: 'landed main', b: 'moves main', c: 'moves b' });
    assert.deepEqual(await at.subjects('c', 'origin/main'), ['b 1', 'c 1']);
  });

  it('is gone and was reverted, says so and moves nothing', async () => {
    await onRemote('main', ...squash('origin/a'), ['revert', '--no-edit', 'HEAD']);
    await at.git('main', 'worktree', 'remove', '--force', at.path('a'));
    await at.git('main', 'branch', '--quiet', '-D', 'a');
    await at.repository.git('push', '--quiet', 'origin', ':a');
    const { branches } = await at.rebase('b', {}, {});
    assert.match(textOf(branches[0]?.why ?? ''), /its base a is gone, and its work was reverted in origin\/main/);
    assert.ok((await files('c')).includes('a.txt'));
  });
});
