import assert from 'node:assert/strict';
import { join } from 'node:path';
import { assertMatches } from '../../cli/support/schema.ts';
import { wtHome, type WtHome } from '../../cli/support/wt.ts';
import { deleteMerged, mergePull } from '../support/hubMerge.ts';
import type { HubPull } from '../support/hubState.ts';
import { programsOn } from '../support/programs.ts';
import { makeStage, type Stage } from '../support/stage.ts';

describe('commits that only the branch on GitHub has', function () {
  this.timeout(300_000);
  let home: WtHome;
  let stage: Stage;
  let theirs: string;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
    theirs = join(home.root, 'theirs');
    await stage.repository.git('clone', '--quiet', stage.bare, theirs);
  });
  afterEach(() => stage.close());

  const { wt, done } = programsOn(() => ({ home, stage }));
  const path = (name: string): string => join(stage.repository.root, '.worktrees', name);
  const pull = (number: number): HubPull => stage.hub.state.pulls.get(number) ?? assert.fail(`there is no #${number}`);
  /** Somebody commits on a branch in another clone, and pushes. */
  const somebody = async (
    branch: string,
    files: Record<string, string>,
    before?: () => Promise<unknown>,
  ): Promise<void> => {
    const { repository } = stage;
    await repository.gitIn(theirs, 'fetch', '--quiet', 'origin');
    await repository.gitIn(theirs, 'checkout', '--quiet', '--force', '-B', branch, `origin/${branch}`);
    await before?.();
    await repository.commit('Apply a suggestion', files, theirs);
    await repository.gitIn(theirs, 'push', '--quiet', 'origin', branch);
  };
  /** What a branch has that the trunk of the remote has not, oldest first. */
  const own = async (branch: string, base = 'origin/main'): Promise<string[]> =>
    (await stage.repository.git('log', '--reverse', '--format=%s', `${base}..${branch}`)).split('\n');
  const assertPushed = async (...branches: string[]): Promise<void> => {
    for (const branch of branches)
      assert.equal(await stage.onServer('rev-parse', branch), await stage.repository.git('rev-parse', branch));
  };

  it('after its base was squash-merged and it was rebased: taken over, and nothing old comes back', async () => {
    for (const [name, base] of [
      ['a', 'main'],
      ['b', 'a'],
      ['c', 'b'],
    ] as const)
      await stage.worktree(name, base);
    await done('pr', 'c', '--stack');
    mergePull(stage.hub.state, pull(1), 'squash');
    deleteMerged(stage.hub.state, pull(1));
    await done('rebase', 'b', '--stack');
    assert.deepEqual(await own('c'), ['Add b.txt', 'Add c.txt']);
    await somebody('b', { 'b.txt': 'b.txt, better\n' });
    const refused = await wt('push', 'b', '--stack');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /b was not pushed: origin\/b has commits of somebody else/);
    assert.match(refused.stderr, /Apply a suggestion/);
    assert.doesNotMatch(refused.stderr, /Add [ab]\.txt|git .*merge/);
    assert.match(refused.stderr, /`wt rebase b`/);
    const rebased = await done('rebase', 'b', '--stack', '--json');
    assertMatches('rebase', rebased.json());
    assert.match(
      JSON.stringify(rebased.json()),
      /Took over from origin\/b a commit by others \([0-9a-f]{10} \\+"Apply a suggestion/,
    );
    assert.deepEqual(await own('c'), ['Add b.txt', 'Apply a suggestion', 'Add c.txt']);
    assert.equal(await stage.repository.git('show', 'c:b.txt'), 'b.txt, better');
    assert.equal(
      await stage.repository.git('log', '-1', '--format=%an', 'b'),
      await stage.repository.gitIn(theirs, 'log', '-1', '--format=%an'),
    );
    await done('push', 'b', '--stack');
    await assertPushed('b', 'c');
    // Once is enough, whatever comes on top.
    await stage.commit(path('b'), 'later.txt');
    await done('rebase', 'b', '--stack');
    assert.deepEqual(await own('c'), ['Add b.txt', 'Apply a suggestion', 'Add later.txt', 'Add c.txt']);
    await done('undo');
    assert.deepEqual(await own('c'), ['Add b.txt', 'Apply a suggestion', 'Add c.txt']);
  });

  it('beside commits here, or alone, or after an update from the trunk on GitHub', async () => {
    for (const name of ['a', 'b', 'd']) await stage.worktree(name);
    for (const name of ['a', 'b', 'd']) await done('push', name);
    await somebody('a', { 'x.txt': 'x\n' });
    await somebody('b', { 'y.txt': 'y\n' });
    await stage.commit(path('b'), 'mine.txt');
    await somebody('main', { 'main.txt': 'new\n' });
    await somebody('d', { 'z.txt': 'z\n' }, () =>
      stage.repository.gitIn(theirs, 'merge', '--quiet', '--no-edit', 'origin/main'),
    );
    for (const name of ['a', 'b', 'd']) {
      await done('rebase', name);
      await done('push', name);
    }
    assert.deepEqual(await own('a'), ['Add a.txt', 'Apply a suggestion']);
    assert.deepEqual(await own('b'), ['Add b.txt', 'Add mine.txt', 'Apply a suggestion']);
    assert.deepEqual(await own('d'), ['Add d.txt', 'Apply a suggestion']);
    await assertPushed('a', 'b', 'd');
  });

  it('that conflict with what is here: named with what a person can do, and then they count as taken over', async () => {
    await stage.worktree('a');
    await done('push', 'a');
    await somebody('a', { 'a.txt': 'theirs\n' });
    await stage.commit(path('a'), 'a.txt', 'mine\n');
    await somebody('main', { 'main.txt': 'new\n' });
    const ran = await done('rebase', 'a');
    const [, pick = ''] =
      /`git -C \S+ (cherry-pick -x [0-9a-f ]+)` applies it here/.exec(ran.stdout + ran.stderr) ?? [];
    assert.deepEqual(await own('a'), ['Add a.txt', 'Add a.txt']);
    assert.equal((await wt('push', 'a')).code, 1);
    await assert.rejects(stage.repository.gitIn(path('a'), ...pick.split(' ')));
    await stage.commit(path('a'), 'a.txt', 'both\n');
    await stage.repository.gitIn(
      path('a'),
      'commit',
      '--quiet',
      '--amend',
      '-m',
      `Both\n\n(cherry picked from commit ${await stage.onServer('rev-parse', 'a')})`,
    );
    await done('push', 'a');
    await assertPushed('a');
  });

  it('that replace what was pushed are not taken over, and what is here does not replace them', async () => {
    await stage.worktree('a');
    await done('push', 'a');
    const { repository } = stage;
    await repository.gitIn(theirs, 'fetch', '--quiet', 'origin');
    await repository.gitIn(theirs, 'checkout', '--quiet', '-B', 'a', 'origin/a');
    await repository.gitIn(
      theirs,
      'commit',
      '--quiet',
      '--amend',
      '-m',
      'In other words',
      '--date',
      '2030-01-01T00:00:00Z',
    );
    await repository.commit('More', { 'more.txt': 'more\n' }, theirs);
    await repository.gitIn(theirs, 'push', '--quiet', '--force', 'origin', 'a');
    await done('rebase', 'a');
    assert.deepEqual(await own('a'), ['Add a.txt']);
    const refused = await wt('push', 'a');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /commits of somebody else[^]*cherry-pick -x [^]*\bMore\b/);
  });
});
