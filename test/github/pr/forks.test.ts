import assert from 'node:assert/strict';
import { join } from 'node:path';
import { assertFailure, assertMatches } from '../../cli/support/schema.ts';
import { wtHome, type Ran, type WtHome } from '../../cli/support/wt.ts';
import { refsInMemory } from '../support/refs.ts';
import { makeStage, type Stage } from '../support/stage.ts';
import { shareOf } from '../../support/share.ts';

describe('wt with a fork of somebody else’s repository', () => {
  let home: WtHome;
  let stage: Stage;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home, { forkOwner: 'ada' });
  });
  afterEach(() => stage.close());

  const wt = (...args: string[]): Promise<Ran> => home.wt(stage.repository.root, args, { variables: stage.variables });
  const done = async (...args: string[]): Promise<Ran> => {
    const ran = await wt(...args);
    assert.equal(ran.code, 0, `wt ${args.join(' ')} ended with ${ran.code}:\n${ran.stderr}\n${ran.stdout}`);
    return ran;
  };
  const project = (): Stage['hub']['state'] => stage.hub.state;
  const inFork = (...args: string[]): Promise<string> => stage.repository.gitIn(stage.fork?.bare ?? '', ...args);
  const heads = (bare: Promise<string>): Promise<string[]> => bare.then((text) => text.split('\n'));
  const listed = ['for-each-ref', '--format=%(refname:short)', 'refs/heads'];
  const opened = (): unknown[] =>
    [...project().pulls.values()].map(({ headOwner, head, base, draft, state }) => [
      `${headOwner}:${head}`,
      base,
      draft ? 'draft' : 'ready',
      state,
    ]);
  const creations = /^POST \/repos\/[^/]+\/[^/]+\/pulls$/;
  /** Somebody commits to the trunk of the project; the commit. */
  const projectMoves = async (): Promise<string> => {
    const clone = join(home.root, 'somebody');
    await stage.repository.git('clone', '--quiet', stage.bare, clone);
    const oid = await stage.repository.commit('Move on', { 'main.txt': 'more\n' }, clone);
    await stage.repository.gitIn(clone, 'push', '--quiet', 'origin', 'main');
    return oid;
  };

  const layouts: readonly (readonly [layout: string, prepare: () => Promise<unknown>])[] = [
    ['a remote for each', async () => {}],
    ['no remote but the fork', () => stage.repository.git('remote', 'remove', 'upstream')],
  ];
  for (const [layout, prepare] of shareOf(layouts, 2)) {
    it(`pushes to the fork and opens, finds again and watches the pull request of the project, with ${layout}`, async () => {
      await prepare();
      const path = await stage.worktree('fix');
      const pushed = await done('push', 'fix', '--json');
      assertMatches('push', pushed.json());
      assert.deepEqual(await heads(inFork(...listed)), ['fix', 'main']);
      assert.deepEqual(await heads(stage.onServer(...listed)), ['main']);

      const url = `${stage.hub.url}/octo/demo/pull/1\n`;
      assert.equal((await done('pr', 'fix')).stdout, url);
      assert.deepEqual(opened(), [['ada:fix', 'main', 'draft', 'open']]);
      const [creation] = stage.hub.requests.filter(({ method }) => method === 'POST');
      assert.deepEqual(
        [creation?.path, (creation?.body as { head?: string }).head],
        ['/repos/octo/demo/pulls', 'ada:fix'],
      );

      // Found again by what is recorded, and brought up to date.
      await stage.commit(path, 'more.txt');
      const again = await done('pr', 'fix', '--title', 'A better title', '--json');
      assertMatches('pr', again.json());
      assert.deepEqual(opened(), [['ada:fix', 'main', 'draft', 'open']]);
      assert.equal(project().pulls.get(1)?.title, 'A better title');
      assert.equal(await inFork('rev-parse', 'fix'), await stage.repository.git('rev-parse', 'fix'));

      // Pull request 1 of the fork is another one.
      assert.equal(stage.fork?.state.pulls.size, 0);
      stage.fork?.state.add('main', 'main', { state: 'closed', mergedAt: '2026-01-01T00:00:00Z', draft: false });
      project().settle();
      const pull = project().pulls.get(1);
      assert.ok(pull);
      pull.checks.push({ name: 'build', status: 'completed', conclusion: 'failure' });
      const polled = await done('poll', 'fix', '--timeout', '1');
      assertMatches('poll', polled.json());
      const events = polled.json()['events'] as { type: string }[];
      assert.deepEqual(
        events.map(({ type }) => type),
        ['ci_failure'],
      );
      assert.equal(creationsIn(), 1);

      // Rebased: what GitHub says of the fork's number 1 must not stand in the way.
      await stage.repository.gitIn(path, 'commit', '--quiet', '--amend', '-m', 'Another message');
      await done('push', 'fix', '--rewrite');
      assert.equal(await inFork('rev-parse', 'fix'), await stage.repository.git('rev-parse', 'fix'));
      Object.assign(pull, { state: 'closed', mergedAt: new Date().toISOString(), mergeCommit: pull.headOid });
      await stage.commit(path, 'late.txt');
      const late = await wt('push', 'fix', '--json');
      assert.equal(late.code, 1);
      assertFailure(late.json(), 'push-refused');
      assert.match(JSON.stringify(late.json()), /pull request #1 was merged/);
    }).timeout(300_000);
  }

  const creationsIn = (): number => stage.hub.count(creations);

  it('takes over a pull request that was opened by hand, and none of another fork with a branch of the same name', async () => {
    project().forks.set('eve/demo', refsInMemory({ fix: '1'.repeat(40) }));
    await stage.worktree('fix');
    await done('push', 'fix');
    project().add('fix', 'main', { headOwner: 'ada', draft: true });
    project().add('fix', 'main', { headOwner: 'eve', draft: true });
    const ran = await done('pr', 'fix');
    assert.match(ran.stderr, /Took over draft pull request #1 of fix into main/);
    assert.equal(creationsIn(), 0);
  }).timeout(300_000);

  it('is not misled by a merged pull request of another fork with a branch of the same name', async () => {
    project().forks.set('eve/demo', refsInMemory({ fix: '1'.repeat(40) }));
    await stage.worktree('fix');
    const path = await stage.worktree('more', 'fix');
    project().add('fix', 'main', { headOwner: 'eve', state: 'closed', mergedAt: '2026-01-01T00:00:00Z', draft: false });
    await stage.commit(join(stage.repository.root, '.worktrees', 'fix'), 'late.txt');
    const ran = await done('rebase', 'more', '--json');
    assert.deepEqual(
      (ran.json()['branches'] as { name: string; base: string }[]).map(({ name, base }) => [name, base]),
      [['more', 'fix']],
    );
    assert.equal(stage.hub.count(/^POST .*graphql/) > 0, true);
    assert.equal(
      await stage.repository.gitIn(path, 'log', '--format=%s', 'main..'),
      'Add more.txt\nAdd late.txt\nAdd fix.txt',
    );
  }).timeout(300_000);

  it('opens nothing for a stack that cannot be one there, names the way out, and goes that way', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    for (const args of [
      ['pr', 'two'],
      ['pr', 'two', '--stack'],
      ['pr', 'one', '--stack'],
    ]) {
      const ran = await wt(...args, '--json');
      assert.equal(ran.code, 1, ran.stderr);
      assertFailure(ran.json(), 'unsupported');
      assert.match(
        JSON.stringify(ran.json()),
        /two got no pull request: it is based on one, which is in your fork and not in octo\/demo/,
      );
      assert.match(JSON.stringify(ran.json()), /`wt pr one`, and when that is merged `wt rebase two`/);
      assert.match(JSON.stringify(ran.json()), /git config remote\.pushDefault upstream/);
    }
    assert.deepEqual([creationsIn(), await heads(inFork(...listed))], [0, ['main']]);

    // The project happens to have a branch of that name: it is another one.
    await stage.onServer('update-ref', 'refs/heads/one', 'main');
    assert.equal((await wt('pr', 'two')).code, 1);
    assert.equal(creationsIn(), 0);
    await stage.onServer('update-ref', '-d', 'refs/heads/one');

    // The whole stack can be pushed to the fork all the same, and the lowest has its pull request.
    await done('push', 'two', '--stack');
    assert.deepEqual(await heads(inFork(...listed)), ['main', 'one', 'two']);
    await done('pr', 'one');
    // It is merged there with a squash; what stood on it comes next.
    const tree = await inFork('rev-parse', 'one^{tree}');
    await stage.repository.gitIn(stage.bare, 'fetch', '--quiet', stage.fork?.bare ?? '', 'one');
    const squashed = await stage.onServer('commit-tree', '-p', 'main', '-m', 'one (#1)', tree);
    await stage.onServer('update-ref', 'refs/heads/main', squashed);
    await inFork('fetch', '--quiet', stage.bare, 'main:main');
    const pull = project().pulls.get(1);
    assert.ok(pull);
    Object.assign(pull, { state: 'closed', mergedAt: new Date().toISOString(), mergeCommit: squashed });
    await inFork('update-ref', '-d', 'refs/heads/one');
    await done('rebase', 'two');
    await done('pr', 'two');
    assert.deepEqual(opened().at(-1), ['ada:two', 'main', 'draft', 'open']);
    assert.equal(await inFork('log', '--format=%s', 'main..two'), 'Add two.txt');
  }).timeout(300_000);

  it('opens the stack where the person pushes it to the project itself', async () => {
    await stage.repository.git('config', 'remote.pushDefault', 'upstream');
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await done('pr', 'two', '--stack');
    assert.deepEqual(opened(), [
      ['octo:one', 'main', 'draft', 'open'],
      ['octo:two', 'one', 'draft', 'open'],
    ]);
    assert.deepEqual(await heads(inFork(...listed)), ['main']);
  }).timeout(300_000);

  it('takes each branch from where it is pushed to', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await stage.repository.git('config', 'branch.one.pushRemote', 'upstream');
    await done('pr', 'two', '--stack');
    assert.deepEqual(opened(), [
      ['octo:one', 'main', 'draft', 'open'],
      ['ada:two', 'one', 'draft', 'open'],
    ]);
  }).timeout(300_000);

  it('stands on a branch that the project has beside its trunk, however it is written', async () => {
    const main = await stage.onServer('rev-parse', 'main');
    await stage.onServer('update-ref', 'refs/heads/release/1.x', main);
    await stage.repository.git('fetch', '--quiet', 'upstream');
    for (const [name, base, into] of [
      ['fix', 'upstream/main', 'main'],
      ['backport', 'upstream/release/1.x', 'release/1.x'],
    ] as const) {
      await done('create', name, '--base', base);
      await stage.commit(join(stage.repository.root, '.worktrees', name), `${name}.txt`);
      await done('pr', name);
      assert.deepEqual(opened().at(-1), [`ada:${name}`, into, 'draft', 'open']);
    }
  }).timeout(300_000);

  it('takes over and guards what somebody else has committed where each branch is pushed to', async () => {
    const { repository } = stage;
    await repository.write('.worktrees.yml', 'stack: { remote: upstream }\n');
    for (const key of ['branch.fix.pushRemote', 'branch.gone.pushRemote'])
      await repository.git('config', key, 'origin');
    const path = await stage.worktree('fix', 'upstream/main');
    await stage.worktree('gone', 'upstream/main');
    await stage.worktree('other', 'upstream/main');
    for (const name of ['fix', 'gone', 'other']) await done('push', name);
    assert.deepEqual(await heads(inFork(...listed)), ['fix', 'gone', 'main']);
    await inFork('update-ref', '-d', 'refs/heads/gone');
    // A maintainer commits to the branch in the fork, after an update from the trunk of the project.
    await projectMoves();
    const clone = join(home.root, 'somebody');
    await repository.gitIn(clone, 'fetch', '--quiet', stage.fork?.bare ?? '', 'fix');
    await repository.gitIn(clone, 'checkout', '--quiet', '-b', 'fix', 'FETCH_HEAD');
    await repository.gitIn(clone, 'merge', '--quiet', '--no-edit', 'main');
    await repository.commit('Apply a suggestion', { 'fix.txt': 'better\n' }, clone);
    await repository.gitIn(clone, 'push', '--quiet', stage.fork?.bare ?? '', 'fix');
    // The project has a branch of that name, too, which is another one.
    await stage.onServer('update-ref', 'refs/heads/fix', 'main');
    await repository.git('fetch', '--quiet', 'upstream');
    await stage.commit(path, 'mine.txt');

    const refused = await wt('push', 'fix');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /origin\/fix has commits of somebody else[^]*`wt rebase fix`[^]*Apply a suggestion/);
    assert.doesNotMatch(refused.stderr, /Move on/);
    const rebased = await done('rebase', 'fix', '--json');
    assert.match(JSON.stringify(rebased.json()), /Took over from origin\/fix a commit by others/);
    const log = await repository.gitIn(path, 'log', '--reverse', '--format=%s', 'upstream/main..');
    assert.deepEqual(log.split('\n'), ['Add fix.txt', 'Add mine.txt', 'Apply a suggestion']);
    await done('push', 'fix');
    assert.equal(await inFork('rev-parse', 'fix'), await repository.git('rev-parse', 'fix'));
    // One that is gone there, and one that is where the trunk is.
    for (const name of ['gone', 'other']) await done('rebase', name);
    await done('push', 'gone');
    assert.deepEqual(await heads(inFork(...listed)), ['fix', 'gone', 'main']);
    // Offline it is said which remote was not asked.
    await repository.git('remote', 'set-url', 'origin', 'http://127.0.0.1:1/ada/demo.git');
    const away = await done('rebase', 'fix');
    assert.match(`${away.stdout}${away.stderr}`, /Could not fetch from origin/);
  }).timeout(300_000);

  it('says that a rebase follows the trunk of the fork, and follows that of the project once it was told to', async () => {
    await done('create', 'fix', '--base', 'upstream/main');
    const path = join(stage.repository.root, '.worktrees/fix');
    await stage.commit(path, 'fix.txt');
    const { stderr } = await done('pr', 'fix');
    assert.match(stderr, /`wt rebase` follows the trunk of origin, not that of octo\/demo/);
    assert.match(stderr, /`stack\.remote: upstream` in \.worktrees\.yml, and `git config remote\.pushDefault origin`/);
    await stage.repository.write('.worktrees.yml', 'stack: { remote: upstream }\n');
    await stage.repository.git('config', 'remote.pushDefault', 'origin');
    assert.doesNotMatch((await done('pr', 'fix')).stderr, /follows the trunk/);
    assert.deepEqual(opened(), [['ada:fix', 'main', 'draft', 'open']]);

    await done('poll', 'fix', '--timeout', '0.01');
    const moved = await projectMoves();
    const polled = (await done('poll', 'fix', '--timeout', '1')).json();
    const events = polled['events'] as { type: string; reason: string }[];
    assert.deepEqual(
      events.map(({ type, reason }) => `${type} ${reason}`),
      ['base_updated moved'],
    );
    await done('rebase', 'fix');
    await done('push', 'fix');
    assert.equal(await inFork('rev-parse', 'fix~1'), moved);
    assert.equal(await inFork('show', '--no-patch', '--format=%s', 'fix'), 'Add fix.txt');
  }).timeout(300_000);
});

describe('wt with a fork that has the owner of what it was forked from', () => {
  let home: WtHome;
  let stage: Stage;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home, { forkOwner: 'octo', forkRepo: 'demo-next' });
  });
  afterEach(() => stage.close());

  it('names the fork, and tells its branches from those of the project', async () => {
    const wt = (...args: string[]): Promise<Ran> =>
      home.wt(stage.repository.root, args, { variables: stage.variables });
    await stage.onServer('branch', 'fix', 'main');
    stage.hub.state.add('fix', 'main', { title: 'Another one', state: 'closed' });
    await stage.worktree('fix');
    const ran = await wt('pr', 'fix');
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(ran.stdout, `${stage.hub.url}/octo/demo/pull/2\n`);
    const creation = stage.hub.requests.find(({ method, path }) => method === 'POST' && path.endsWith('/pulls'));
    const { head, head_repo: headRepo } = creation?.body as { head?: string; head_repo?: string };
    assert.deepEqual([creation?.path, head, headRepo], ['/repos/octo/demo/pulls', 'octo:fix', 'demo-next']);
    const again = await wt('pr', 'fix');
    assert.equal(again.code, 0, again.stderr);
    assert.equal(stage.hub.state.pulls.size, 2);
    assert.equal(stage.hub.state.pulls.get(2)?.headRepo, 'demo-next');
  }).timeout(300_000);
});
