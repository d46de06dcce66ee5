import assert from 'node:assert/strict';
import { updateRegistry } from '../../../src/core/repository/registry.ts';
import { History } from '../../../src/core/stack/history.ts';
import { backupRefs } from '../../../src/core/operations/operation.ts';
import { readOperations } from '../../../src/core/operations/store.ts';
import { readStack } from '../../../src/core/stack/readStack.ts';
import { viewStacks } from '../../../src/core/stack/stackView.ts';
import { readAllBranches, readBranchesAndCommits } from '../../../src/core/snapshot/trunk.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { randomNumbers } from '../../support/randomStacks.ts';
import { Stacks } from '../../support/stacks.ts';

describe('what stands on what', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    await at.add('c', 'b');
    await at.add('side', 'a');
  });
  afterEach(() => at.dispose());

  const names = (branches: readonly { readonly branch: string }[]): string[] => branches.map(({ branch }) => branch);

  const setBase = (name: string, base: string): Promise<void> =>
    updateRegistry(at.workspace.environment, at.workspace.repository, ({ worktrees }) => {
      const entry = worktrees.get(name);
      if (entry) worktrees.set(name, { ...entry, base });
    });

  it('is a tree, each branch after the one that it stands on', async () => {
    const { stack } = await readStack(at.workspace);
    assert.deepEqual([...stack.branches.keys()], ['a', 'b', 'side', 'c']);
    assert.deepEqual(names(stack.chain('c')), ['a', 'b', 'c']);
    assert.deepEqual(names(stack.descendants('a')), ['b', 'side', 'c']);
  });

  it('is read from the same branches, with what is in their commits or without', async () => {
    const [git, commonDir] = [at.workspace.git, at.workspace.repository.commonDir];
    const oid = await git.in(commonDir).text(['rev-parse', 'main^{commit}'], {});
    const make = (...args: string[]): Promise<string> => git.in(commonDir).text(args, { writes: true });
    await make('update-ref', 'refs/remotes/origin/main', oid.trim());
    await make('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    await make('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    await make('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    await make('config', 'branch.a.remote', 'origin');
    await make('config', 'branch.a.merge', 'refs/heads/main');
    await make('update-ref', 'refs/heads/refs/remotes/odd', oid.trim());
    const [plain, whole] = await Promise.all([readAllBranches(at.workspace), readBranchesAndCommits(at.workspace)]);
    const withoutCommits = [...whole.local].map(([name, branch]) => [name, { ...branch, committed: 0, subject: '' }]);
    assert.deepEqual([...plain.local], withoutCommits);
    assert.deepEqual([...plain.local.keys()], ['a', 'b', 'c', 'main', 'refs/remotes/odd', 'side']);
    assert.equal(plain.local.get('a')?.upstream, 'refs/remotes/origin/main');
    assert.deepEqual(plain.remote, whole.remote);
    assert.deepEqual([...plain.remote.defaults], [['refs/remotes/origin/HEAD', 'refs/remotes/origin/main']]);
  });

  it('shows cycles and bases that are gone, and follows neither', async () => {
    await setBase('a', 'c');
    await setBase('side', 'nowhere');
    const state = await readStack(at.workspace);
    const { stack } = state;
    const broken = [...stack.branches.values()].map((each) => [
      each.branch,
      stack.broken(each),
      stack.parent(each.branch),
    ]);
    assert.deepEqual(broken.sort(), [
      ['a', 'cycle', undefined],
      ['b', 'cycle', undefined],
      ['c', 'cycle', undefined],
      ['side', 'gone', undefined],
    ]);
    const roots = await viewStacks(at.workspace, state);
    assert.deepEqual(roots.map(({ kind }) => kind).sort(), ['cycle', 'gone', 'trunk']);
    assert.deepEqual(await at.outcomes('b', { wholeStack: true }), { b: 'held' });
    assert.deepEqual(await at.outcomes('a', { onto: 'main', wholeStack: true }), { a: 'current' });
    assert.deepEqual(names((await readStack(at.workspace)).stack.chain('c')), ['a', 'b', 'c']);
  });

  it('is known of worktrees of other tools as well, and recorded once it is changed', async () => {
    await updateRegistry(at.workspace.environment, at.workspace.repository, ({ worktrees }) =>
      worktrees.delete('side'),
    );
    await at.commit('side', 'side 1', { 'side.txt': 's\n' });
    assert.equal((await readStack(at.workspace)).stack.branches.get('side')?.base, 'main');
    await at.rebase('side', { onto: 'b' });
    assert.equal((await at.entry('side'))?.base, 'b');
    assert.deepEqual(await at.subjects('side', 'b'), ['side 1']);
    await undo(at.workspace);
    assert.equal(await at.entry('side'), undefined);
  });

  it('can be changed by several at once: all of it happens, or it is refused', async () => {
    await at.add('x', 'main', { 'x.txt': 'x\n' });
    await at.commit('main', 'News', { 'news.txt': 'n\n' });
    const all = await Promise.allSettled(['a', 'x', 'a', 'x'].map((name) => at.rebase(name, { wholeStack: true })));
    const reasons = all.flatMap((each) =>
      each.status === 'rejected' ? [(each.reason as { reason: string }).reason] : [],
    );
    assert.ok(
      reasons.every((reason) => reason === 'in-use'),
      reasons.join(),
    );
    for (const name of ['a', 'x']) await at.rebase(name, { wholeStack: true });
    for (const [name, base] of [
      ['a', 'main'],
      ['b', 'a'],
      ['c', 'b'],
      ['side', 'a'],
      ['x', 'main'],
    ] as const) {
      assert.equal(await at.repository.git('merge-base', base, name), await at.tip(base), name);
      assert.equal(await at.git(name, 'status', '--porcelain'), '');
    }
  });

  it('is remembered for thirty days, with the backups', async () => {
    await at.commit('main', 'News', { 'news.txt': 'n\n' });
    await at.rebase('a');
    const [old] = await readOperations(at.workspace);
    const refs = (): Promise<string> => at.repository.git('for-each-ref', '--format=%(refname)', 'refs/wt-backup');
    assert.equal(await refs(), `${backupRefs(old?.id ?? '')}/a`);
    await at.commit('main', 'More', { 'more.txt': 'n\n' });
    const later = new Date(Date.now() + 31 * 24 * 60 * 60 * 1000);
    const environment = { ...at.workspace.environment, now: () => later };
    Object.assign(at, { workspace: { ...at.workspace, environment } });
    await at.rebase('a');
    const [latest, ...others] = await readOperations(at.workspace);
    assert.deepEqual(others, []);
    assert.equal(await refs(), `${backupRefs(latest?.id ?? '')}/a`);
  });
});

describe('the history of commits', function () {
  this.timeout(300_000);

  it('answers as git does which commit is in which', async () => {
    const at = await Stacks.start();
    try {
      const random = randomNumbers(7);
      const commits = [await at.tip('main')];
      const tree = await at.repository.git('rev-parse', 'HEAD^{tree}');
      for (let number = 0; number < 60; number++) {
        const parents = new Set([
          commits.at(-1 - random(Math.min(6, commits.length))),
          ...(random(4) === 0 ? [commits[random(commits.length)]] : []),
        ]);
        const args = [...parents].flatMap((parent) => ['-p', parent ?? '']);
        commits.push(await at.repository.git('commit-tree', tree, ...args, '-m', String(number)));
      }
      const { git, repository } = at.workspace;
      const some = Array.from({ length: 10 }, () => commits[10 + random(51)] ?? '');
      const history = await History.read(git, repository.commonDir, [...some, 'f'.repeat(40)]);
      assert.equal(history.has('f'.repeat(40)), false);
      const shared = await at.repository.git('merge-base', '--octopus', ...some);
      for (const one of some) {
        for (const other of some) {
          const own = (await at.repository.git('rev-list', one, `^${other}`)).split('\n').filter((oid) => oid !== '');
          assert.deepEqual(history.own(one, [other]).sort(), own.sort());
          assert.equal(history.isAncestor(one, other), own.length === 0);
          const line = (await at.repository.git('rev-list', '--first-parent', other)).split('\n');
          const merged = own.length === 0 && !line.includes(one) && one !== shared;
          assert.equal(history.isMergedInto(one, other), merged, `${one} ${other}`);
        }
      }
      const [tip = ''] = some;
      const inIt = some.filter((oid) => history.isAncestor(oid, tip) && oid !== tip);
      const nearest = history.nearest(inIt, tip);
      const counts = inIt.map((oid) => history.own(tip, [oid]).length);
      if (nearest !== undefined) assert.equal(history.own(tip, [nearest]).length, Math.min(...counts));
      const whole = await History.read(git, repository.commonDir, [tip, 'f'.repeat(40)], undefined, true);
      const all = (await at.repository.git('rev-list', tip)).split('\n');
      assert.deepEqual(whole.own(tip, ['f'.repeat(40)]).sort(), all.sort());
    } finally {
      await at.dispose();
    }
  });
});
