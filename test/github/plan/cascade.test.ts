import assert from 'node:assert/strict';
import { join } from 'node:path';
import { wtHome, type WtHome } from '../../cli/support/wt.ts';
import { programsOn } from '../support/programs.ts';
import { makeStage, type Stage } from '../support/stage.ts';
import { shareOf } from '../../support/share.ts';

const names = ['a', 'b', 'c', 'd'] as const;

/** Two workers, each with two worktrees, who hear of each other through GitHub and git alone. */
describe('a stack of four that two workers keep true', () => {
  let home: WtHome;
  let stage: Stage;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
  });
  afterEach(() => stage.close());

  const { done } = programsOn(() => ({ home, stage }));
  const onServer = (...args: string[]): Promise<string> => stage.onServer(...args);

  /** Every branch of the server contains the one below it. */
  const settled = async (branches: readonly string[]): Promise<boolean> => {
    for (const [index, branch] of branches.entries()) {
      const base = branches[index - 1] ?? 'main';
      if ((await onServer('rev-list', '--count', `${branch}..${base}`)) !== '0') return false;
    }
    return true;
  };

  /** What a worker does: polls its worktrees in turn, and follows the steps that the summary names. Ends when the stack is true again. */
  const work = async (own: readonly string[], open: readonly string[], log: string[]): Promise<void> => {
    const deadline = Date.now() + 200_000;
    while (!(await settled(open))) {
      for (const name of own) {
        assert.ok(Date.now() < deadline, `the stack does not come to rest:\n${log.join('\n')}`);
        const events = (await done('poll', name, '--timeout', '0.01')).json()['events'] as Event[];
        for (const { type, reason, base, next } of events) {
          log.push(`${name} ${type} ${reason ?? ''}`.trim());
          if (type !== 'base_updated') continue;
          const pull = [...stage.hub.state.pulls.values()].find(({ head }) => head === name);
          const bring = reason === 'merged' && pull?.base === base ? 'pr' : 'push';
          assert.deepEqual(next, [`wt rebase ${name}`, `wt ${bring} ${name}`, `wt poll ${name}`]);
          await done('rebase', name);
          await done(bring, name);
        }
      }
    }
  };
  interface Event {
    readonly type: string;
    readonly reason?: string;
    readonly base?: string;
    readonly next: string[];
  }
  const bothWork = async (open: readonly string[]): Promise<string[]> => {
    const log: string[] = [];
    const halves = [
      ['a', 'b'],
      ['c', 'd'],
    ].map((half) => half.filter((name) => open.includes(name)));
    await Promise.all(halves.map((half) => work(half, open, log)));
    return log;
  };

  /** What git's own `rebase --onto` makes of a branch, in a clone of its own: the tree. */
  const byGit = async (clone: string, branch: string, onto: string, since: string): Promise<string> => {
    const git = (...args: string[]): Promise<string> => stage.repository.gitIn(clone, ...args);
    await git('switch', '--quiet', '-C', branch, `origin/${branch}`);
    await git('rebase', '--quiet', '--onto', onto, since);
    return git('rev-parse', `${branch}^{tree}`);
  };
  const cloneOfServer = async (folder: string): Promise<string> => {
    const clone = join(home.root, folder);
    await stage.repository.git('clone', '--quiet', stage.bare, clone);
    return clone;
  };
  /** What git makes of the stack, each branch on the new one below it; then the workers' trees are compared with that. */
  const expected = async (clone: string, open: readonly string[], lowest: [string, string]): Promise<string[]> => {
    const trees: string[] = [];
    for (const [index, branch] of open.entries()) {
      const below = open[index - 1];
      const [onto, since] = below === undefined ? lowest : [below, `origin/${below}`];
      trees.push(await byGit(clone, branch, onto, since));
    }
    return trees;
  };
  const assertStack = async (
    open: readonly string[],
    trees: string[],
    subjects: readonly string[][],
  ): Promise<void> => {
    const { repository, hub } = stage;
    for (const [index, branch] of open.entries()) {
      const base = open[index - 1] ?? 'main';
      assert.equal(await onServer('rev-parse', `${branch}^{tree}`), trees[index], `the files of ${branch}`);
      assert.equal(await onServer('rev-parse', branch), await repository.git('rev-parse', branch));
      const own = await onServer('log', '--format=%s', '--reverse', `${base}..${branch}`);
      assert.deepEqual(own.split('\n'), subjects[index], `the commits of ${branch}`);
      const pull = [...hub.state.pulls.values()].find(({ head }) => head === branch);
      assert.deepEqual([pull?.base, pull?.state, pull?.draft], [base, 'open', true], `the pull request of ${branch}`);
    }
  };

  /** A stack of four with a pull request each, watched; what each branch has of its own. */
  const begin = async (): Promise<string[][]> => {
    for (const [index, name] of names.entries()) {
      const path = await stage.worktree(name, names[index - 1] ?? 'main');
      // Each changes what the one below has made: to replay commits of a base would conflict.
      if (index > 0) await stage.commit(path, `${names[index - 1]}.txt`, `by ${name}\n`);
    }
    await done('pr', 'a', '--stack');
    for (const name of names) await done('poll', name, '--timeout', '0.01');
    return [['Add a.txt'], ['Add b.txt', 'Add a.txt'], ['Add c.txt', 'Add b.txt'], ['Add d.txt', 'Add c.txt']];
  };

  /**
   * The lowest is merged on GitHub; the workers follow.
   *
   * @param deletes GitHub deletes its branch and gives the next one its base.
   * @param merge makes the commit that it is merged with.
   */
  const mergeLowest = async (
    own: readonly string[][],
    deletes: boolean,
    merge: (tree: string) => Promise<string>,
  ): Promise<{ before: ReadonlyMap<string, string>; log: string[] }> => {
    const { repository, hub } = stage;
    const merged = await onServer('rev-parse', 'a');
    const clone = await cloneOfServer('merged');
    const oid = await merge(await onServer('rev-parse', 'a^{tree}'));
    await onServer('update-ref', 'refs/heads/main', oid);
    const [first, second] = [hub.state.pulls.get(1), hub.state.pulls.get(2)];
    assert.ok(first && second);
    Object.assign(first, { state: 'closed', mergedAt: new Date().toISOString(), mergeCommit: oid });
    if (deletes) {
      second.base = 'main';
      hub.state.refs.delete('a');
    }
    await repository.gitIn(clone, 'fetch', '--quiet', 'origin', 'main');
    const rest = ['b', 'c', 'd'];
    const before = new Map<string, string>();
    for (const branch of rest) before.set(branch, await onServer('rev-parse', branch));
    const trees = await expected(clone, rest, ['origin/main', merged]);
    const log = await bothWork(rest);
    assert.ok(log.includes('b base_updated merged'), log.join('\n'));
    await assertStack(rest, trees, own.slice(1));
    assert.equal((await done('poll', 'a', '--timeout', '0.01')).json()['timed_out'], false);
    assert.equal(
      await onServer('for-each-ref', '--format=%(refname:short)', 'refs/heads'),
      `${deletes ? '' : 'a\n'}b\nc\nd\nmain`,
    );
    return { before, log };
  };

  it('follow a fix, a moved trunk and a squash merge up to the top, with the files that git itself would make', async () => {
    const { repository } = stage;
    const own = await begin();

    // A fix is pushed to the lowest.
    let clone = await cloneOfServer('fixed');
    const unfixed = await repository.git('rev-parse', 'a');
    await stage.commit(join(repository.root, '.worktrees/a'), 'fix.txt');
    await done('push', 'a');
    own[0]?.push('Add fix.txt');
    await repository.gitIn(clone, 'fetch', '--quiet', 'origin', 'a');
    let trees = [await onServer('rev-parse', 'a^{tree}')];
    trees.push(...(await expected(clone, ['b', 'c', 'd'], ['origin/a', unfixed])));
    let log = await bothWork(names);
    assert.ok(log.includes('b base_updated moved'), log.join('\n'));
    await assertStack(names, trees, own);

    // Somebody pushes to the trunk.
    await somebodyMovesMain();
    clone = await cloneOfServer('moved');
    const trunk = await repository.git('merge-base', 'main', 'a');
    trees = await expected(clone, names, ['origin/main', trunk]);
    log = await bothWork(names);
    assert.ok(log.includes('a base_updated moved'), log.join('\n'));
    await assertStack(names, trees, own);

    await mergeLowest(own, true, (tree) => onServer('commit-tree', '-p', 'main', '-m', 'a (#1)', tree));
  }).timeout(900_000);

  const merges = [
    ['a merge commit', false, false],
    ['a merge commit on a trunk that has moved on, with the merged branch left there,', true, true],
  ] as const;
  for (const [what, trunkMoves, stays] of shareOf(merges, 2)) {
    it(`follow ${what} at the bottom up to the top, and replay nothing twice`, async () => {
      const { repository, hub } = stage;
      const own = await begin();
      if (trunkMoves) await somebodyMovesMain();
      const merged = await onServer('rev-parse', 'a');
      const { before, log } = await mergeLowest(own, !stays, async () => {
        const clone = await cloneOfServer('github');
        const git = (...args: string[]): Promise<string> => repository.gitIn(clone, ...args);
        await git('merge', '--quiet', '--no-ff', '-m', 'Merge pull request #1', 'origin/a');
        await git('push', '--quiet', 'origin', 'main');
        return git('rev-parse', 'HEAD');
      });
      // What was merged is in the trunk as it was, and nowhere as a copy.
      assert.equal(await onServer('rev-parse', 'main^2'), merged);
      const above = await onServer('log', '--format=%s', '--reverse', 'main..d');
      assert.deepEqual(above.split('\n'), own.slice(1).flat());
      for (const [branch, tip] of before) {
        // A second replay, or one onto a base in between, would be in the reflog.
        const moves = (await repository.git('reflog', 'show', '--format=%H', branch)).split('\n');
        assert.equal(moves.indexOf(tip), 1, `${branch} was not moved once:\n${moves.join('\n')}\n${log.join('\n')}`);
      }
      // Of the others each kept its pull request, open all the time: reopening would have been a request.
      assert.equal(hub.state.pulls.size, 4);
      const reopened = hub.requests.filter(({ body }) => (body as { state?: string } | undefined)?.state !== undefined);
      assert.deepEqual(reopened, []);
    }).timeout(900_000);
  }

  const somebodyMovesMain = async (): Promise<void> => {
    const clone = await cloneOfServer('somebody');
    await stage.repository.commit('Move on', { 'main.txt': 'more\n' }, clone);
    await stage.repository.gitIn(clone, 'push', '--quiet', 'origin', 'main');
  };
});
