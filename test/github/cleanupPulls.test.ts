import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readRegistry } from '../../src/core/repository/registry.ts';
import { wtHome, type WtHome } from '../cli/support/wt.ts';
import { mergePull, type MergeMethod } from './support/hubMerge.ts';
import type { HubPull } from './support/hubState.ts';
import { programsOn } from './support/programs.ts';
import { makeStage, type Stage } from './support/stage.ts';
import { shareOf } from '../support/share.ts';

describe('the pull requests of dependents, when wt cleanup removes what they are based on', function () {
  this.timeout(300_000);
  let home: WtHome;
  let stage: Stage;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
    await openStack('a', 'b', 'c');
  });
  afterEach(() => stage.close());
  const { run, done, openStack } = programsOn(() => ({ home, stage }));

  const pull = (number: number): HubPull => {
    stage.hub.state.settle();
    return stage.hub.state.pulls.get(number) ?? assert.fail(`there is no #${number}`);
  };
  const state = (...numbers: number[]): string[] =>
    numbers.map(pull).map(({ mergedAt, state: its, base }) => `${mergedAt === null ? its : 'merged'} into ${base}`);
  const merge = (number: number, method: MergeMethod): string => mergePull(stage.hub.state, pull(number), method);
  const baseOf = async (name: string): Promise<string | undefined> =>
    (await readRegistry((await stage.workspace()).repository)).worktrees.get(name)?.base;

  for (const method of shareOf(['squash', 'rebase', 'merge'] as const, 3))
    it(`the bottom, merged by ${method} and not fetched`, async () => {
      merge(1, method);
      const { stderr } = await done('cleanup', 'a');
      assert.match(stderr, /Pull request #2 is into main now, instead of a\./);
      assert.deepEqual(state(2, 3), ['open into main', 'open into b']);
      assert.equal(await baseOf('b'), 'main');
      // What was left to do is completed, and nothing is closed by it.
      await done('rebase', 'b', '--stack');
      await done('pr', 'b', '--stack');
      assert.deepEqual(state(2, 3), ['open into main', 'open into b']);
      assert.equal(await stage.onServer('log', '--no-merges', '--format=%s', 'main..b'), 'Add b.txt');
    });

  it('the middle, merged into its base', async () => {
    merge(2, 'squash');
    assert.match((await done('cleanup', 'b')).stderr, /Pull request #3 is into a now, instead of b\./);
    assert.deepEqual(state(1, 3), ['open into main', 'open into a']);
    assert.equal(await baseOf('c'), 'a');
  });

  it('two in a row, with one that was moved away and not pushed since', async () => {
    await stage.worktree('d', 'b');
    await done('pr', 'd');
    merge(2, 'merge');
    merge(1, 'squash');
    await done('move', 'd', '--onto', 'main');
    assert.deepEqual(state(3, 4), ['open into b', 'open into b']);
    const { stderr } = await done('cleanup', '--merged');
    assert.match(stderr, /Removed b and its branch[^]*Removed a and its branch/);
    assert.deepEqual(state(3, 4), ['open into main', 'open into main']);
    assert.deepEqual([await baseOf('c'), await baseOf('d')], ['main', 'main']);
  });

  it('two in a row that were merged here and pushed', async () => {
    await done('merge', 'b', '--message', 'Take b in');
    await done('merge', 'a', '--message', 'Take a in');
    const { stderr } = await done('cleanup', 'a', 'b');
    assert.match(stderr, /#3 is into a now, instead of b[^]*#3 is into main now, instead of a/);
    assert.deepEqual(state(3), ['open into main']);
    assert.equal(await baseOf('c'), 'main');
  });

  it('one that is not merged: its branch stays, and stays the base', async () => {
    const { stderr } = await done('cleanup', 'a', '--force');
    assert.match(stderr, /Kept the branch a: it is not merged/);
    assert.deepEqual(state(2), ['open into a']);
    assert.equal(await baseOf('b'), 'a');
  });

  it('one whose dependent is all in the new base, which is not fetched, keeps its base', async () => {
    // Somebody has pushed both to the trunk; b is not in a, so its pull request is open.
    await stage.onServer('update-ref', 'refs/heads/main', 'b');
    assert.deepEqual(state(1, 2), ['merged into main', 'open into a']);
    const { stderr } = await done('cleanup', 'a');
    assert.match(stderr, /#2 is still into a: main .*has all of its commits/);
    assert.deepEqual(state(2, 3), ['open into a', 'open into b']);
  });

  it('without a network it is said, and wt pr completes it', async () => {
    merge(1, 'squash');
    await stage.repository.git('fetch', '--quiet', 'origin');
    const before = stage.hub.requests.length;
    const offline = await run(['cleanup', 'a', '--offline']);
    assert.equal(offline.code, 0, offline.stderr);
    assert.match(offline.stderr, /#2\) keep it as their base: .*not asked[^]*`wt pr b --stack`, before a is deleted/);
    assert.equal(stage.hub.requests.length, before);
    assert.deepEqual(state(2), ['open into a']);
    await done('rebase', 'b', '--stack');
    await done('pr', 'b', '--stack');
    assert.deepEqual(state(2, 3), ['open into main', 'open into b']);
  });

  it('without a token it is said, and the worktree goes all the same', async () => {
    merge(1, 'squash');
    const ran = await run(['cleanup', 'a'], { variables: { GH_ENTERPRISE_TOKEN: '' } });
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(ran.stderr, /keep it as their base: There is no token/);
    assert.match(ran.stderr, /Removed a and its branch/);
  });

  it('killed after each change, the next run goes on', async () => {
    await stage.worktree('other', 'a');
    await done('pr', 'other');
    merge(1, 'squash');
    for (const moved of [1, 2]) {
      let child: ChildProcess | undefined;
      stage.hub.afterWrite = () => {
        child?.kill('SIGKILL');
        return false;
      };
      const killed = await run(['cleanup', 'a'], { onStart: (started) => (child = started) });
      stage.hub.afterWrite = undefined;
      assert.equal(killed.code, null, killed.stderr);
      const into = [2, 4].map((number) => pull(number).base);
      assert.equal(into.filter((base) => base === 'main').length, moved);
    }
    await done('cleanup', 'a');
    assert.deepEqual(state(2, 4), ['open into main', 'open into main']);
    assert.deepEqual([await baseOf('b'), await baseOf('other')], ['main', 'main']);
  });
});
