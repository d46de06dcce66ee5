import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertFailure, assertMatches } from '../../cli/support/schema.ts';
import { wtHome, type WtHome } from '../../cli/support/wt.ts';
import type { HubPull } from '../support/hubState.ts';
import { programsOn } from '../support/programs.ts';
import { refsOf } from '../support/refs.ts';
import { makeStage, type Stage } from '../support/stage.ts';
import { shareOf } from '../../support/share.ts';

describe('wt create from a pull request or an issue', function () {
  this.timeout(300_000);
  let home: WtHome;
  let stage: Stage;
  beforeEach(async () => {
    home = await wtHome();
    stage = await makeStage(home);
    stage.hub.state.web = stage.hub.url;
  });
  afterEach(() => stage.close());

  const { run: wt, done } = programsOn(() => ({ home, stage }));
  const git = (...args: string[]): Promise<string> => stage.repository.git(...args);
  const at = (slug: string): string => join(stage.repository.root, '.worktrees', slug);

  /** Makes a fork of the repository on the server. */
  const makeFork = async (owner: string, repo = 'demo'): Promise<string> => {
    const bare = join(home.root, 'server', owner, `${repo}.git`);
    await git('clone', '--quiet', '--bare', stage.bare, bare);
    await stage.repository.gitIn(bare, 'config', 'http.receivepack', 'true');
    await appendFile(join(stage.bare, 'objects/info/alternates'), `${join(bare, 'objects')}\n`);
    stage.hub.state.forks.set(`${owner}/${repo}`, refsOf(bare, home.variables));
    return bare;
  };
  /** Commits on a branch of a server's repository that nobody here has fetched; its commit. */
  const commitOn = async (bare: string, branch: string, from: string, file = branch): Promise<string> => {
    const tree = await stage.repository.gitIn(bare, 'rev-parse', `${from}^{tree}`);
    const oid = await stage.repository.gitIn(bare, 'commit-tree', tree, '-p', from, '-m', `Work on ${file}`);
    await stage.repository.gitIn(bare, 'update-ref', `refs/heads/${branch}`, oid);
    return oid;
  };
  /** Opens a pull request, as GitHub keeps it. */
  const open = async (head: string, base: string, more: Partial<HubPull> = {}): Promise<HubPull> => {
    const pull = stage.hub.state.add(head, base, more);
    await stage.onServer('update-ref', `refs/pull/${pull.number}/head`, pull.headOid);
    return pull;
  };
  const entry = async (name: string): Promise<Record<string, unknown>> => {
    const { worktree } = await stage.look(name);
    return { ...worktree.entry };
  };

  it('continues the branch of one in the repository, whichever way it is named', async () => {
    const main = await git('rev-parse', 'main');
    for (const name of ['one', 'two', 'three']) await commitOn(stage.bare, name, 'main');
    const [one, two, three] = [await open('one', 'main'), await open('two', 'main'), await open('three', 'main')];
    const made = await done('create', 'pr:1', '--json');
    assertMatches('create', made.json());
    await done('create', '#2');
    await done('create', `${stage.hub.url}/octo/demo/pull/3/files`);
    for (const pull of [one, two, three]) {
      const { head } = pull;
      assert.equal(await git('rev-parse', head), pull.headOid);
      assert.equal(await git('rev-parse', '--abbrev-ref', `${head}@{upstream}`), `origin/${head}`);
      const { base, baseCommit, pr, task } = await entry(head);
      assert.deepEqual([base, baseCommit, (pr as { number: number }).number, task], ['main', main, pull.number, head]);
    }
    await stage.commit(at('one'), 'more.txt');
    await done('push', 'one');
    assert.equal(await stage.onServer('rev-parse', 'one'), await git('rev-parse', 'one'));
    const again = await wt(['create', 'pr:1', '--json']);
    assertFailure(again.json(), 'in-use');
    assert.match(again.stdout, /checked out already, in .*\.worktrees\/one/);
  });

  it('tells the branch of a colleague from one’s own, wherever commits could be replaced there', async () => {
    for (const name of ['ada-form', 'own-form']) await commitOn(stage.bare, name, 'main');
    await open('ada-form', 'main', { author: 'ada' });
    await open('own-form', 'main');
    const made = await done('create', 'pr:1');
    assert.match(made.stderr, /ada-form is the branch of ada: `wt push` pushes to it\./);
    const own = await done('create', 'pr:2');
    assert.doesNotMatch(own.stderr, /is the branch of/);
    const listed = await done('info', 'ada-form', '--json');
    assertMatches('info', listed.json());
    assert.equal((listed.json()['pr'] as { author?: string }).author, 'ada');
    for (const name of ['ada-form', 'own-form']) await stage.commit(at(name), `${name}.txt`);
    const forwarded = await done('push', 'ada-form');
    assert.match(forwarded.stderr, /The branch of ada-form belongs to ada\.\n/);
    assert.doesNotMatch((await done('push', 'own-form')).stderr, /belongs to/);
    const adas = await stage.onServer('rev-parse', 'ada-form');
    assert.equal(adas, await git('rev-parse', 'ada-form'));

    await stage.repository.commit('Move on', { 'main.txt': '1\n' });
    await git('push', '--quiet', 'origin', 'main');
    for (const name of ['ada-form', 'own-form']) {
      const planned = await done('rebase', name, '--dry-run');
      const rebased = await done('rebase', name);
      for (const { stderr } of [planned, rebased])
        assert.equal(/ada-form belongs to ada: after this only a force push/.test(stderr), name === 'ada-form');
    }
    assert.doesNotMatch((await done('rebase', 'ada-form')).stderr, /belongs to/);
    await done('push', 'own-form');
    const refused = await wt(['push', 'ada-form', '--json']);
    assert.equal(refused.code, 1);
    assertFailure(refused.json(), 'push-refused');
    assert.match(refused.stderr, /its branch belongs to ada.*\nnext: if that is right: `wt push ada-form --rewrite`/);
    assert.equal(await stage.onServer('rev-parse', 'ada-form'), adas);
    assert.match((await wt(['pr', 'ada-form', '--take-over'])).stderr, /its branch belongs to ada/);
    assert.equal(await stage.onServer('rev-parse', 'ada-form'), adas);
    assert.match((await done('push', 'ada-form', '--rewrite')).stderr, /belongs to ada/);
    assert.equal(await stage.onServer('rev-parse', 'ada-form'), await git('rev-parse', 'ada-form'));
    assert.equal(((await entry('ada-form'))['pr'] as { author?: string }).author, 'ada');
  });

  it('knows whose branch it is that is continued by its name, and tells of it as of the pull request', async () => {
    for (const name of ['ada-form', 'own-form', 'plain']) await commitOn(stage.bare, name, 'main');
    const theirs = await open('ada-form', 'main', { author: 'ada' });
    await open('own-form', 'main');
    await git('fetch', '--quiet', 'origin');
    const made = await done('create', 'ada-form', '--json');
    assertMatches('create', made.json());
    assert.match((made.json()['warnings'] as string[]).join(), /ada-form is the branch of ada: `wt push` pushes to it/);
    const byBranch = await done('create', 'other', '--branch', 'origin/own-form');
    const plain = await done('create', 'plain');
    for (const { stderr } of [byBranch, plain]) assert.doesNotMatch(stderr, /is the branch of/);
    const { pr } = await entry('ada-form');
    assert.deepEqual(pr, { number: theirs.number, url: `${stage.hub.url}/octo/demo/pull/1`, author: 'ada' });
    assert.equal((await entry('plain'))['pr'], null);
    await stage.repository.commit('Move on', { 'main.txt': '1\n' });
    await stage.commit(at('ada-form'), 'more.txt');
    assert.match((await done('rebase', 'ada-form', '--dry-run')).stderr, /ada-form belongs to ada/);
  });

  it('makes the worktree of a remote branch whatever GitHub says, and learns whose it is with the first push', async () => {
    for (const name of ['one', 'two', 'three']) {
      await commitOn(stage.bare, name, 'main');
      await open(name, 'main', { author: 'ada' });
    }
    await git('fetch', '--quiet', 'origin');
    stage.hub.next('GET /repos/octo/demo', { status: 404, body: { message: 'Not Found' } });
    const refused = await done('create', 'one');
    const signedOut = await wt(['create', 'two'], { variables: { GH_ENTERPRISE_TOKEN: '' } });
    const away = await wt(['create', 'three'], { variables: { WORKTREE_STACKS_GITHUB_API: 'http://127.0.0.1:1' } });
    for (const { code, stderr } of [refused, signedOut, away]) {
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stderr, /is the branch of|GitHub/);
    }
    for (const name of ['one', 'two', 'three']) {
      assert.equal((await entry(name))['pr'], null);
      await stage.commit(at(name), 'more.txt');
      assert.match((await done('push', name)).stderr, new RegExp(`The branch of ${name} belongs to ada`));
      assert.equal(((await entry(name))['pr'] as { author?: string }).author, 'ada');
    }
  });

  it('leaves the base and the text of a colleague’s pull request alone until it is told otherwise', async () => {
    for (const name of ['ada-form', 'known']) await commitOn(stage.bare, name, 'main');
    await commitOn(stage.bare, 'ada-top', 'ada-form');
    const pulls = [
      await open('ada-form', 'main', { author: 'ada', body: 'Words of ada' }),
      await open('ada-top', 'main', { author: 'ada', body: 'More words' }),
      await open('known', 'main', { author: 'ada' }),
    ];
    await git('fetch', '--quiet', 'origin');
    // One whose author the creation knows, and two of which only the pull request itself tells.
    for (const [name, base] of [
      ['ada-form', 'main'],
      ['ada-top', 'ada-form'],
    ] as const)
      await wt(['create', name, '--base', base], { variables: { GH_ENTERPRISE_TOKEN: '' } });
    await done('create', 'known');
    await git('worktree', 'add', '--quiet', '-b', 'mine', at('mine'), 'ada-top');
    await done('adopt', 'mine', '--base', 'ada-top');
    await stage.commit(at('mine'), 'mine.txt');
    const before = structuredClone(pulls);
    for (const name of ['ada-form', 'ada-top', 'known']) {
      const refused = await wt(['pr', name, '--title', 'Mine', '--json']);
      assert.equal(refused.code, 1);
      assertFailure(refused.json(), 'host-refused');
      assert.match(refused.stdout, /is a pull request of ada, so nothing of it is changed/);
      assert.match(refused.stdout, new RegExp(`wt push ${name}.*wt pr ${name} --take-over`));
      assert.equal(((await entry(name))['pr'] as { author?: string }).author, 'ada');
    }
    await stage.commit(at('ada-top'), 'more.txt');
    const pushed = await done('push', 'ada-top');
    assert.match(
      pushed.stderr,
      /Pull request #2 of ada-top is one of ada, so it stays into main; `wt pr ada-top --take-over`/,
    );
    assert.deepEqual(
      pulls.map(({ base, body, title }) => [base, body, title]),
      before.map(({ base, body, title }) => [base, body, title]),
    );
    // A stack goes on past what is as it should be, and says what is not.
    const stack = await wt(['pr', 'mine', '--stack', '--json']);
    assertMatches('pr', stack.json());
    assert.equal(stack.code, 1);
    assert.match(stack.stderr, /#2 is a pull request of ada/);
    assert.doesNotMatch(stack.stderr, /#1 is a pull request of ada, so/);
    const told = stack.json()['pull_requests'] as { number: number; action: string }[];
    assert.deepEqual(
      told.map(({ number, action }) => [number, action]),
      [
        [1, 'unchanged'],
        [4, 'created'],
      ],
    );
    assert.match(stage.hub.state.pulls.get(4)?.body ?? '', /#2/);
    assert.deepEqual(
      pulls.map(({ base, body, title }) => [base, body, title]),
      before.map(({ base, body, title }) => [base, body, title]),
    );
    await done('pr', 'ada-top', '--take-over', '--title', 'Ours');
    const [first, top] = pulls;
    assert.deepEqual([top?.base, top?.title], ['ada-form', 'Ours']);
    assert.match(top?.body ?? '', /More words[^]*#1/);
    assert.match(first?.body ?? '', /Words of ada/);
    assert.equal(((await entry('ada-top'))['pr'] as { author?: string }).author, 'ada');
    await done('pr', 'mine', '--stack');
    assert.equal(stage.hub.state.pulls.size, 4);
  });

  it('takes a branch for somebody else’s where GitHub does not tell whose it is', async () => {
    await commitOn(stage.bare, 'one', 'main');
    await open('one', 'main');
    stage.hub.next('POST /graphql', { status: 404, body: { message: 'Not Found' } });
    assert.match((await done('create', 'pr:1')).stderr, /one is the branch of octocat:/);
  });

  it('continues the branch of a fork, whose main is not ours, and pushes to it', async () => {
    const fork = await makeFork('alice');
    await commitOn(fork, 'main', 'main');
    await commitOn(fork, 'taken', 'main');
    await git('branch', 'taken', 'main');
    const fromMain = await open('main', 'main', { headOwner: 'alice', title: 'From my main' });
    const taken = await open('taken', 'main', { headOwner: 'alice', maintainerEdits: false });
    const made = await done('create', `pr:${fromMain.number}`);
    assert.match(
      made.stderr,
      /Created worktree alice\/main on branch alice\/main, which continues #1 \(based on main\)/,
    );
    const second = await done('create', `#${taken.number}`);
    assert.match(second.stderr, /#2 does not allow edits by maintainers/);
    assert.equal(await git('rev-parse', 'alice/taken'), taken.headOid);
    assert.notEqual(await git('rev-parse', 'taken'), taken.headOid);
    assert.equal(await git('config', 'branch.alice/main.remote'), `${stage.hub.url}/alice/demo.git`);
    assert.equal(await git('config', 'branch.alice/main.merge'), 'refs/heads/main');
    assert.equal(await git('remote'), 'origin');
    const ours = await stage.onServer('rev-parse', 'main');
    await stage.commit(at('alice-main'), 'more.txt');
    const pushed = await done('push', 'alice/main', '--json');
    assertMatches('push', pushed.json());
    assert.equal(await stage.repository.gitIn(fork, 'rev-parse', 'main'), await git('rev-parse', 'alice/main'));
    assert.equal(await stage.onServer('rev-parse', 'main'), ours);
    assert.equal(await stage.onServer('for-each-ref', 'refs/heads/alice'), '');
    const info = await done('info', 'alice/main');
    assert.match(info.stdout, /#1/);
    // A branch that stayed when its worktree was removed is found again by what it follows.
    await git('worktree', 'remove', at('alice-main'));
    const again = await done('create', 'pr:1', '--no-setup');
    assert.match(again.stderr, /Created worktree alice\/main on branch alice\/main \(based on main\)/);
  });

  it('tells a fork of the same owner by its name', async () => {
    const fork = await makeFork('octo', 'demo-next');
    const oid = await commitOn(fork, 'main', 'main');
    const pull = await open('main', 'main', { headOwner: 'octo', headRepo: 'demo-next', headOid: oid });
    await done('create', `pr:${pull.number}`);
    assert.equal(await git('rev-parse', 'demo-next/main'), oid);
    assert.equal(await git('config', 'branch.demo-next/main.remote'), `${stage.hub.url}/octo/demo-next.git`);
  });

  it('has the commits of one whose branch, fork or base is gone, and says so', async () => {
    await commitOn(stage.bare, 'merged', 'main');
    await commitOn(stage.bare, 'release', 'main');
    await commitOn(stage.bare, 'based', 'release');
    const merged = await open('merged', 'main', { state: 'closed', mergedAt: '2026-01-01T00:00:00Z' });
    const based = await open('based', 'release');
    const fork = await makeFork('bob');
    await commitOn(fork, 'lost', 'main');
    const lost = await open('lost', 'main', { headOwner: 'bob', forkGone: true });
    for (const branch of ['merged', 'release']) await stage.onServer('update-ref', '-d', `refs/heads/${branch}`);
    const first = await done('create', `pr:${merged.number}`);
    assert.match(first.stderr, /#1 is merged[^]*The branch of #1 is gone from octo\/demo/);
    assert.equal(await git('rev-parse', 'merged'), merged.headOid);
    const second = await done('create', `pr:${based.number}`);
    assert.match(second.stderr, /The base .*release of #2 is gone; main is recorded/);
    const third = await done('create', `pr:${lost.number}`);
    assert.match(third.stderr, /The repository that #3 came from is gone/);
    assert.equal(await git('rev-parse', 'lost'), lost.headOid);
    assert.equal(await git('config', '--get-regexp', '^branch\\.(merged|lost)\\.').catch(() => ''), '');
    // GitHub's description leaves out that the repository of a fork may be gone.
    const { faults } = stage.hub;
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.endsWith('/head/repo must be object')));
  });

  it('leaves the pull request of a fork as it is, opens no second one, and says how to go on', async () => {
    const fork = await makeFork('alice');
    for (const branch of ['open', 'shut', 'lost']) await commitOn(fork, branch, 'main');
    const pulls = [
      await open('open', 'main', { headOwner: 'alice', body: 'Words of alice' }),
      await open('shut', 'main', { headOwner: 'alice', maintainerEdits: false }),
      await open('lost', 'main', { headOwner: 'alice', forkGone: true }),
    ];
    for (const { number } of pulls) {
      await done('create', `pr:${number}`);
      await stage.commit(at(pulls[number - 1]?.head ?? ''), 'more.txt');
    }
    const before = structuredClone(pulls);
    const isForeign = await wt(['pr', 'open', '--title', 'Mine']);
    assert.equal(isForeign.code, 1);
    assert.match(isForeign.stderr, /#1 is a pull request of alice[^]*next: .*`wt push open`/);
    assert.match((await wt(['pr', 'shut'])).stderr, /next: ask alice to allow edits .*`wt create <name> --base shut`/);
    const gone = await wt(['pr', 'lost', '--json']);
    assertFailure(gone.json(), 'host-refused');
    assert.match(gone.stdout, /came from is gone/);
    assert.deepEqual(pulls, before);
    assert.equal(stage.hub.state.pulls.size, 3);
    assert.equal(await stage.onServer('for-each-ref', 'refs/heads/lost'), '');
    assert.notEqual(await stage.repository.gitIn(fork, 'rev-parse', 'open'), await git('rev-parse', 'open'));
    // What is meant is done.
    await done('push', 'open');
    assert.equal(await stage.repository.gitIn(fork, 'rev-parse', 'open'), await git('rev-parse', 'open'));
    await done('pr', 'lost', '--replace');
    const mine = stage.hub.state.pulls.get(4);
    assert.deepEqual([mine?.headOwner, mine?.head, mine?.base], ['octo', 'lost', 'main']);
    const { faults } = stage.hub;
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.endsWith('/head/repo must be object')));
  });

  it('keeps the open ones for completions', async () => {
    await commitOn(stage.bare, 'one', 'main');
    await commitOn(stage.bare, 'two', 'main');
    await open('one', 'main', { title: 'First things' });
    await open('two', 'main', { title: 'Second things', draft: false });
    await done('create', 'pr:1');
    const { stdout } = await done('complete', 'fish', '--', 'create', 'pr:');
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.startsWith('pr:')),
      ['pr:2\tSecond things', 'pr:1\tFirst things, draft'],
    );
  });

  for (const native of shareOf([false, true], 2))
    it(`brings the whole stack below one, ${native ? "by GitHub's own stack" : 'by the bases'}`, async () => {
      await commitOn(stage.bare, 'a', 'main');
      await commitOn(stage.bare, 'b', 'a');
      await commitOn(stage.bare, 'c', 'b');
      const all = [await open('a', 'main'), await open('b', 'a'), await open('c', 'b')];
      if (native) {
        stage.hub.state.stacks.set(
          40,
          all.map(({ number }) => number),
        );
        for (const pull of all) pull.stack = 40;
      }
      await done('create', 'pr:1');
      const made = await done('create', 'pr:3', '--stack', '--json');
      assertMatches('create', made.json());
      assert.deepEqual(
        (made.json()['created'] as { name: string; base: string }[]).map(({ name, base }) => `${name} on ${base}`),
        ['b on a', 'c on b'],
      );
      assert.match(made.stderr, /#1 is checked out already/);
      const c = await entry('c');
      assert.equal(c['baseCommit'], all[1]?.headOid);
      const { stdout } = await done('stack');
      assert.match(stdout, /a[^]*b[^]*c/);
    });

  it('brings nothing that is below one which was closed', async () => {
    await commitOn(stage.bare, 'a', 'main');
    await commitOn(stage.bare, 'b', 'a');
    await commitOn(stage.bare, 'c', 'b');
    const all = [await open('a', 'main'), await open('b', 'a'), await open('c', 'b')];
    stage.hub.state.stacks.set(
      40,
      all.map(({ number }) => number),
    );
    for (const pull of all) pull.stack = 40;
    Object.assign(all[1] ?? {}, { state: 'closed' });
    const { created } = (await done('create', 'pr:3', '--stack', '--json')).json() as { created: { name: string }[] };
    assert.deepEqual(
      created.map(({ name }) => name),
      ['c'],
    );
    assert.equal(await git('for-each-ref', 'refs/heads/a'), '');
  });

  it('takes an issue for a task, by its title', async () => {
    stage.hub.state.issues.set(7, 'Login: form v2');
    stage.hub.state.issues.set(8, 'Füße ändern');
    await done('create', '#7');
    await done('create', `${stage.hub.url}/octo/demo/issues/8`);
    assert.equal((await entry('login-form-v2'))['task'], 'Login: form v2');
    assert.equal((await entry('fuesse-aendern'))['task'], 'Füße ändern');
  });

  it('says what is wrong, with a next step, and makes nothing', async () => {
    await commitOn(stage.bare, 'one', 'main');
    await open('one', 'main');
    const unknown = await wt(['create', 'pr:99']);
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /GitHub has no pull request #99 in octo\/demo that your account can see[^]*next: /);
    const neither = await wt(['create', '#99', '--json']);
    assertFailure(neither.json(), 'not-found');
    const other = await wt(['create', `${stage.hub.url}/else/where/pull/1`]);
    assert.match(other.stderr, /is of another repository than this one, octo\/demo/);
    const without = await wt(['create', 'pr:1', '--json'], { variables: { GH_ENTERPRISE_TOKEN: '' } });
    assertFailure(without.json(), 'no-token');
    const reset = String(Math.floor(Date.now() / 1000) + 3600);
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset, 'x-ratelimit-limit': '60' };
    stage.hub.next('GET /repos/octo/demo/pulls/1', {
      status: 403,
      body: { message: 'API rate limit exceeded' },
      headers,
    });
    const limited = await wt(['create', 'pr:1', '--json']);
    assertFailure(limited.json(), 'rate-limited');
    const noStack = await wt(['create', 'plain', '--stack']);
    assert.equal(noStack.code, 2);
    assert.equal(await git('for-each-ref', '--format=%(refname:short)', 'refs/heads'), 'main');
  });
});
