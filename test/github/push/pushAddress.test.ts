import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { pushBranches } from '../../../src/core/github/publish/pushBranches.ts';
import type { Pushed } from '../../../src/core/github/push/model.ts';
import { wtHome, type WtHome } from '../../cli/support/wt.ts';
import { makeStage, type Stage } from '../support/stage.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { shareOf } from '../../support/share.ts';

describe('a remote that is pushed to another place than it is fetched from', function () {
  this.timeout(300_000);
  let home: WtHome;
  let stage: Stage;
  let mirror: string;
  let notes: string[];
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
    mirror = join(home.root, 'mirror.git');
    notes = [];
    await stage.repository.git('clone', '--quiet', '--bare', stage.bare, mirror);
  });
  afterEach(() => stage.close());

  const push = async (name: string): Promise<Pushed | undefined> => {
    const { workspace, snapshot, worktree } = await stage.look(name);
    return (await pushBranches(workspace, snapshot, [worktree], { onNote: (note) => notes.push(textOf(note)) }))[0];
  };
  const refused = async (name: string): Promise<Problem> => {
    const thrown: unknown = await push(name).then(
      (pushed) => assert.fail(`it was pushed: ${JSON.stringify(pushed)}`),
      (problem: unknown) => problem,
    );
    assert.ok(thrown instanceof Problem, String(thrown));
    assert.equal(thrown.outcome, 'incomplete');
    return thrown;
  };
  const at = (place: string, branch: string): Promise<string> =>
    stage.repository.gitIn(place, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  const here = (branch: string): Promise<string> => stage.repository.git('rev-parse', branch);
  const by = async (place: string, branch: string): Promise<string> => {
    const clone = join(home.root, `clone-${Math.random()}`);
    await stage.repository.git('clone', '--quiet', '--branch', branch, place, clone);
    const oid = await stage.repository.commit('By somebody else', { 'other.txt': 'x\n' }, clone);
    await stage.repository.gitIn(clone, 'push', '--quiet', 'origin', branch);
    return oid;
  };
  const rebase = async (path: string): Promise<void> => {
    await stage.repository.commit('Move on', { 'main.txt': 'more\n' });
    await stage.repository.gitIn(path, 'rebase', '--quiet', 'main');
  };

  for (const [how, set] of shareOf(
    [
      ['by its push URL', () => stage.repository.git('remote', 'set-url', '--push', 'origin', mirror)],
      [
        'by pushInsteadOf',
        async () => stage.repository.git('config', `url.${mirror}.pushInsteadOf`, `${stage.hub.url}/octo/demo.git`),
      ],
    ] as const,
    2,
  )) {
    it(`is asked there what it has, ${how}, and nothing that was fetched counts`, async () => {
      await set();
      const path = await stage.worktree('login');
      // A branch of that name, of somebody else, is where it is fetched from.
      await stage.repository.git('push', '--quiet', stage.bare, 'main:login');
      const foreign = await by(stage.bare, 'login');
      await stage.repository.git('fetch', '--quiet', 'origin');
      assert.equal((await push('login'))?.how, 'created');
      assert.equal(await at(mirror, 'login'), await here('login'));
      assert.equal(await at(stage.bare, 'login'), foreign);
      assert.match(notes.join('\n'), /origin is pushed to \S+mirror\.git, which is not where it is fetched from/);
      await stage.commit(path, 'more.txt');
      assert.equal((await push('login'))?.how, 'forwarded');
      await rebase(path);
      assert.equal((await push('login'))?.how, 'rewritten');
      assert.equal(await at(mirror, 'login'), await here('login'));
      // No upstream is set: that would be where it is fetched from.
      await assert.rejects(stage.repository.git('config', 'branch.login.remote'));
    });
  }

  it('is not overwritten where somebody else has pushed there, and fetches those commits without calling them those of the remote', async () => {
    await stage.repository.git('remote', 'set-url', '--push', 'origin', mirror);
    const path = await stage.worktree('login');
    await push('login');
    const foreign = await by(mirror, 'login');
    await stage.repository.git('update-ref', '-d', 'refs/remotes/origin/login');
    await stage.commit(path, 'more.txt');
    const problem = await refused('login');
    assert.match(problem.message, /login at \S+mirror\.git has commits of somebody else/);
    assert.ok(problem.next?.includes(`cherry-pick -x ${foreign.slice(0, 12)}`), problem.next);
    assert.equal(await stage.repository.git('cat-file', '-t', foreign), 'commit');
    assert.equal(await stage.repository.git('for-each-ref', 'refs/remotes/origin/login'), '');
    assert.equal(await at(mirror, 'login'), foreign);
    await stage.repository.gitIn(path, 'cherry-pick', '-x', foreign);
    assert.equal((await push('login'))?.how, 'rewritten');
    assert.equal(await at(mirror, 'login'), await here('login'));
  });

  it('of several addresses is pushed to each, and not where they differ', async () => {
    await stage.repository.git('remote', 'set-url', '--push', 'origin', mirror);
    await stage.repository.git('remote', 'set-url', '--add', '--push', 'origin', stage.bare);
    const path = await stage.worktree('login');
    assert.equal((await push('login'))?.how, 'created');
    await rebase(path);
    assert.equal((await push('login'))?.how, 'rewritten');
    for (const place of [mirror, stage.bare]) assert.equal(await at(place, 'login'), await here('login'));
    const foreign = await by(stage.bare, 'login');
    await stage.commit(path, 'more.txt');
    const problem = await refused('login');
    assert.match(problem.message, /pushed to several addresses, which do not have the same commits of login/);
    assert.equal(problem.items.length, 2);
    assert.equal(await at(stage.bare, 'login'), foreign);
  });

  for (const [how, settings] of [
    ['remote.pushDefault', ['remote.pushDefault', 'mine']],
    ['branch.*.pushRemote', ['branch.login.pushRemote', 'mine']],
  ] as const) {
    it(`chosen by ${how} is another remote, and its own branches count`, async () => {
      await stage.repository.git('remote', 'add', 'mine', mirror);
      await stage.repository.git('config', ...settings);
      await stage.worktree('login');
      const foreign = await by(stage.bare, 'main');
      await stage.repository.git('push', '--quiet', stage.bare, `${await here('main')}:refs/heads/login`);
      const pushed = await push('login');
      assert.deepEqual([pushed?.how, pushed?.remote], ['created', 'mine']);
      assert.equal(await at(mirror, 'login'), await here('login'));
      assert.notEqual(foreign, await at(stage.bare, 'login'));
      assert.deepEqual(notes, []);
    });
  }

  it('names the remote that was taken where there are several and none is chosen', async () => {
    await stage.repository.git('remote', 'add', 'upstream', mirror);
    await stage.repository.git('fetch', '--quiet', '--all');
    const root = stage.repository.root;
    const hint = /Of the remotes origin, upstream wt took origin.*`stack\.remote: upstream` in \.worktrees\.yml/;
    await stage.worktree('login');
    const wt = (...args: string[]): ReturnType<WtHome['wt']> => home.wt(root, args, { variables: stage.variables });
    assert.match((await wt('push', 'login')).stderr, hint);
    assert.match((await wt('stack')).stderr, hint);
    await stage.repository.write('.worktrees.yml', 'stack: { remote: origin }\n');
    assert.doesNotMatch((await wt('push', 'login')).stderr, hint);
    assert.doesNotMatch((await wt('stack')).stderr, hint);
  });
});
