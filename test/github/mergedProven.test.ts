import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertMatches } from '../cli/support/schema.ts';
import { wtHome, type WtHome } from '../cli/support/wt.ts';
import { mergePull } from './support/hubMerge.ts';
import { programsOn } from './support/programs.ts';
import { makeStage, type Stage } from './support/stage.ts';
import { shareOf } from '../support/share.ts';

describe('what GitHub calls merged, as the programs judge it', function () {
  this.timeout(300_000);
  let home: WtHome;
  let stage: Stage;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
    await stage.worktree('one');
  });
  afterEach(() => stage.close());

  const { done } = programsOn(() => ({ home, stage }));
  const isThere = (name: string): boolean => existsSync(join(stage.repository.root, '.worktrees', name));
  /** GitHub squashes a branch into another one; its pull request is over then. */
  const squash = async (number: number, branch: string, into = 'main'): Promise<string> => {
    const clone = join(home.root, `squash-${number}`);
    const { repository, hub } = stage;
    await repository.git('clone', '--quiet', '--branch', into, stage.bare, clone);
    await repository.gitIn(clone, 'merge', '--quiet', '--squash', `origin/${branch}`);
    await repository.gitIn(clone, 'commit', '--quiet', '-m', `${branch} (#${number})`);
    await repository.gitIn(clone, 'push', '--quiet', 'origin', `HEAD:${into}`);
    const mergeCommit = await repository.gitIn(clone, 'rev-parse', 'HEAD');
    const pull = hub.state.pulls.get(number);
    assert.ok(pull);
    Object.assign(pull, { state: 'closed', mergedAt: new Date().toISOString(), mergeCommit });
    return mergeCommit;
  };

  it('a merge that was not fetched is fetched before a removal, and not with --offline', async () => {
    await done('pr', 'one');
    await stage.worktree('two');
    await squash(1, 'one');
    const offline = await done('cleanup', '--merged', '--offline');
    assert.match(offline.stderr, /Nothing to remove/);
    assert.ok(isThere('one'));
    await done('cleanup', '--merged');
    assert.deepEqual([isThere('one'), isThere('two')], [false, true]);
    assert.equal(await stage.repository.git('for-each-ref', 'refs/heads/one'), '');
  });

  it('that neither the remote nor GitHub can be asked is said in one sentence, and what was fetched last counts', async () => {
    await done('pr', 'one');
    await squash(1, 'one');
    const { repository, hub } = stage;
    const url = await repository.git('remote', 'get-url', 'origin');
    await repository.git('remote', 'set-url', 'origin', url.replace(hub.url, 'http://127.0.0.1:9'));
    for (const args of [
      ['cleanup', '--merged'],
      ['cleanup', 'one', '--dry-run'],
    ]) {
      const { stderr } = await done(...args);
      assert.equal(stderr.match(/Could not fetch|detected from local data/g)?.length, 1, stderr);
    }
    assert.ok(isThere('one'));
    await repository.git('remote', 'set-url', 'origin', url);
    // By its name it goes with its branch, whose work is found after it was fetched.
    await done('cleanup', 'one');
    assert.deepEqual([isThere('one'), await repository.git('for-each-ref', 'refs/heads/one')], [false, '']);
  });

  for (const way of shareOf(['merge', 'squash', 'rebase'] as const, 3))
    it(`a merge by GitHub (${way}) with later commits on top is seen by poll, rebase, list and cleanup after they fetched`, async () => {
      const { repository, hub } = stage;
      await stage.commit(join(repository.root, '.worktrees', 'one'), 'more.txt');
      const two = await stage.worktree('two', 'one');
      await done('pr', 'two', '--stack');
      await stage.worktree('other');
      await done('pr', 'other');
      const [one, other] = [hub.state.pulls.get(1), hub.state.pulls.get(3)];
      assert.ok(one && other);
      mergePull(hub.state, one, way);
      // It touches nothing of it, and makes the merge not the last commit.
      mergePull(hub.state, other, 'squash');
      const polled = await done('poll', 'one', '--timeout', '0.05');
      assert.deepEqual(
        (polled.json()['events'] as { type: string; proven?: boolean }[]).map(({ type, proven }) => [type, proven]),
        [['merged', true]],
      );
      assert.match((await done('list')).stdout, /#1 merged(?! on GitHub)/);
      await done('rebase', 'two');
      assert.equal(await repository.gitIn(two, 'log', '--format=%s', 'origin/main..HEAD'), 'Add two.txt');
      await done('cleanup', '--merged');
      assert.deepEqual([isThere('one'), isThere('two'), isThere('other')], [false, true, false]);
      assert.equal(await repository.git('for-each-ref', 'refs/heads/one', 'refs/heads/other'), '');
    });

  it('a merge that nothing shows here is told as such by poll, and removes no branch', async () => {
    await done('pr', 'one');
    // As after a reorder: GitHub saw its head in its base.
    const pull = stage.hub.state.pulls.get(1);
    assert.ok(pull);
    Object.assign(pull, { state: 'closed', mergedAt: new Date().toISOString(), mergeCommit: pull.baseOid });
    const polled = await done('poll', 'one', '--timeout', '0.05');
    assertMatches('poll', polled.json());
    const [event] = polled.json()['events'] as { type: string; proven?: boolean }[];
    assert.deepEqual([event?.type, event?.proven], ['merged', false]);
    assert.match((await done('list')).stdout, /#1 merged on GitHub, not here/);
    assert.match((await done('cleanup', '--merged')).stderr, /Nothing to remove/);
    assert.match(
      (await done('cleanup', 'one')).stderr,
      /Kept the branch one: it is not merged into main or origin\/main/,
    );
    assert.notEqual(await stage.repository.git('for-each-ref', 'refs/heads/one'), '');
  });

  it('a merge into the branch below is used from the remote', async () => {
    await stage.worktree('two', 'one');
    const path = await stage.worktree('three', 'two');
    await done('pr', 'three', '--stack');
    await squash(2, 'two', 'one');
    const rebased = await done('rebase', 'three', '--json');
    assertMatches('rebase', rebased.json());
    const { repository } = stage;
    assert.equal(await repository.gitIn(path, 'log', '--format=%s', 'origin/one..HEAD'), 'Add three.txt');
    assert.match(await repository.gitIn(path, 'ls-files'), /one\.txt[^]*two\.txt/);
  });
});
