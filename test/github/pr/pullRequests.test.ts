import assert from 'node:assert/strict';
import { Problem } from '../../../src/core/base/problem.ts';
import { openSession } from '../../../src/core/github/connect.ts';
import { openPullRequests, type OpenedAll } from '../../../src/core/github/pr/openPullRequests.ts';
import type { PullRequestOptions } from '../../../src/core/github/pr/options.ts';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import { testHome } from '../../support/tempRepo.ts';
import { planRename, renameWorktree } from '../../../src/core/restack/rename.ts';
import { mergePull, renameBranch } from '../support/hubMerge.ts';
import { makeStage, type Stage } from '../support/stage.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { shareOf } from '../../support/share.ts';

describe('wt pr', () => {
  let stage: Stage;
  beforeEach(async () => (stage = await makeStage(await testHome())));
  afterEach(() => stage.close());

  const pr = async (name: string, options: PullRequestOptions = {}): Promise<OpenedAll> => {
    const { workspace, snapshot, worktree } = await stage.look(name);
    const session = await openSession(workspace, { spacing: false });
    return openPullRequests(workspace, snapshot, worktree, session, options);
  };
  const refused = async (name: string, options: PullRequestOptions = {}): Promise<Problem> => {
    const thrown: unknown = await pr(name, options).then(
      (done) => assert.fail(JSON.stringify(done)),
      (problem: unknown) => problem,
    );
    assert.ok(thrown instanceof Problem, String(thrown));
    return thrown;
  };
  const brief = ({ pullRequests }: OpenedAll): string[] =>
    pullRequests.map(({ name, number, base, action }) => `${name} #${number} into ${base} ${action}`);
  const pull = (number: number) => stage.hub.state.pulls.get(number) ?? assert.fail(`there is no #${number}`);
  const creations = /^POST \/repos\/octo\/demo\/pulls$/;

  it('opens a draft into the base, with the words of the only commit, and records it', async () => {
    await stage.worktree('login');
    const done = await pr('login');
    assert.deepEqual(brief(done), ['login #1 into main created']);
    assert.deepEqual([pull(1).draft, pull(1).title, pull(1).body], [true, 'Add login.txt', '']);
    const { worktrees } = await readRegistry((await stage.workspace()).repository);
    const url = 'https://github.example.com/octo/demo/pull/1';
    assert.deepEqual(worktrees.get('login')?.pr, { number: 1, url, nodeId: 'PR_1', state: 'open' });
    assert.deepEqual(brief(await pr('login')), ['login #1 into main unchanged']);
    assert.equal(stage.hub.count(creations), 1);
  });

  it('pushes and opens a whole stack, each on its own base, with a table that keeps itself', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await stage.worktree('three', 'two');
    assert.deepEqual(brief(await pr('two', { stack: true })), [
      'one #1 into main created',
      'two #2 into one created',
      'three #3 into two created',
    ]);
    assert.match(pull(2).body, /- #3\n- #2 ← this one\n- #1\n- `main`/);
    pull(2).body = `Please look at **this**.\r\n\r\n${pull(2).body.replaceAll('\n', '\r\n')}\r\n\r\nAnd thanks.`;
    pull(3).state = 'closed';
    await pr('one');
    assert.equal(
      pull(2).body.replace(/<!-- worktree-stacks: this[^]*?end -->/, 'TABLE'),
      'Please look at **this**.\r\n\r\nTABLE\r\n\r\nAnd thanks.',
    );
    assert.ok(!pull(2).body.includes('#3'));
  });

  it('changes nothing and asks little when run again', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await pr('one', { stack: true });
    const before = stage.hub.requests.length;
    await pr('one', { stack: true });
    const asked = stage.hub.requests.slice(before);
    assert.deepEqual(
      asked.map(({ method, path }) => `${method} ${path}`),
      ['GET /repos/octo/demo', 'GET /repos/octo/demo/pulls'],
    );
  });

  it('takes over a pull request that somebody has opened into what the branch stands on', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await pr('one');
    await stage.repository.git('push', '--quiet', 'origin', 'two');
    stage.hub.state.add('two', 'one', { draft: false, body: 'Mine.' });
    assert.deepEqual(brief(await pr('two')), ['two #2 into one adopted']);
    assert.deepEqual([pull(2).draft, pull(2).body.startsWith('Mine.\n\n<!--')], [false, true]);
  });

  it('adopts one that appears at the same moment instead of failing', async () => {
    await stage.worktree('login');
    stage.hub.next('POST /repos/octo/demo/pulls', (normal) => {
      stage.hub.state.add('login', 'main');
      return normal();
    });
    assert.deepEqual(brief(await pr('login')), ['login #1 into main adopted']);
  });

  it('never opens a second one after a failure of the server, whether or not the first was opened', async () => {
    await stage.worktree('login');
    const broken = { status: 502, body: { message: 'Bad Gateway' } };
    stage.hub.next('POST /repos/octo/demo/pulls', broken, (normal) => {
      normal();
      return broken;
    });
    assert.match((await refused('login')).message, /HTTP 502/);
    assert.equal(stage.hub.count(creations), 1);
    assert.deepEqual(brief(await pr('login')), ['login #1 into main created']);
    assert.deepEqual([stage.hub.count(creations), stage.hub.state.pulls.size], [2, 1]);
  });

  it('gives the choice where the plan has no drafts', async () => {
    await stage.worktree('login');
    stage.hub.state.drafts = false;
    const problem = await refused('login');
    assert.deepEqual([problem.reason, problem.outcome], ['unsupported', 'incomplete']);
    assert.match(problem.next ?? '', /wt pr login --no-draft/);
    assert.equal(stage.hub.state.pulls.size, 0);
    await pr('login', { allowReady: true });
    assert.equal(pull(1).draft, false);
  });

  it('stands on the base of a base that was merged, and says what to do', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await pr('one', { stack: true });
    Object.assign(pull(1), { state: 'closed', mergedAt: new Date().toISOString() });
    const done = await pr('one', { stack: true });
    assert.deepEqual(brief(done), ['one #1 into main merged', 'two #2 into main updated']);
    assert.match(textOf(done.pullRequests[1]?.note ?? ''), /one was merged; run `wt rebase two`/);
  });

  it('brings back a pull request that was closed because its base branch was deleted', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await pr('one', { stack: true });
    Object.assign(pull(1), { state: 'closed', mergedAt: new Date().toISOString() });
    await stage.onServer('update-ref', '-d', 'refs/heads/one');
    stage.hub.state.settle();
    assert.equal(pull(2).state, 'closed');
    assert.deepEqual(brief(await pr('two')), ['two #2 into main rescued']);
    assert.deepEqual([pull(2).state, pull(2).base], ['open', 'main']);
    assert.equal(stage.hub.state.refs.get('one'), undefined);
  });

  it('leaves one that a person has closed as it is, and says so', async () => {
    await stage.worktree('login');
    await pr('login');
    pull(1).state = 'closed';
    const problem = await refused('login');
    assert.match(problem.message, /#1 of login was closed/);
    assert.equal(stage.hub.count(creations), 1);
  });

  it('writes down what became of those that it meets, and takes it back with a new or a reopened one', async () => {
    const one = await stage.worktree('one');
    await stage.worktree('two', 'one');
    await pr('two', { stack: true });
    const state = async (name: string) => {
      const entry = (await readRegistry((await stage.workspace()).repository)).worktrees.get(name);
      return [entry?.pr?.number, entry?.pr?.['state'], entry?.lifecycle, entry?.['merged'] !== undefined];
    };
    mergePull(stage.hub.state, pull(1), 'squash');
    pull(2).state = 'closed';
    assert.equal((await refused('two')).reason, 'host-refused');
    assert.deepEqual(await state('one'), [1, 'merged', 'merged', true], 'it stands below');
    assert.deepEqual(await state('two'), [2, 'closed', undefined, false]);
    pull(2).state = 'open';
    await pr('two');
    assert.deepEqual(await state('two'), [2, 'open', undefined, false]);
    // A branch that goes on gets another one, and is not merged any more.
    await stage.commit(one, 'more.txt');
    stage.hub.state.add('one', 'main');
    await pr('one');
    assert.deepEqual(await state('one'), [3, 'open', 'active', false]);
  });

  it("registers a stack as GitHub's own when asked, completes it later, and leaves its bases to GitHub", async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    assert.deepEqual((await pr('one', { stack: true, register: true })).native?.pullRequests, [1, 2]);
    await stage.worktree('three', 'two');
    const done = await pr('three', { stack: true, register: true });
    assert.deepEqual(done.native?.pullRequests, [1, 2, 3]);
    const { environment, repository } = await stage.workspace();
    await updateRegistry(environment, repository, ({ worktrees }) => {
      const two = worktrees.get('two');
      if (two) worktrees.set('two', { ...two, base: 'main' });
    });
    const [two] = (await pr('two')).pullRequests;
    assert.match(textOf(two?.note ?? ''), /in a stack of GitHub's own/);
    assert.equal(stage.hub.count(/\/merge$/), 0);
  });

  it('goes on where the repository knows no stacks', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    stage.hub.next('POST /repos/octo/demo/stacks', { status: 404, body: { message: 'Not Found' } });
    const done = await pr('one', { stack: true, register: true });
    assert.deepEqual([done.native, done.pullRequests.length], [undefined, 2]);
  });

  it('opens nothing for a branch without commits of its own', async () => {
    const path = await stage.worktree('one');
    await stage.repository.gitIn(path, 'reset', '--quiet', '--keep', 'main');
    assert.match((await refused('one')).message, /no commits of its own/);
    await stage.worktree('two', 'one');
    const done = await pr('two', { stack: true });
    assert.deepEqual([done.empty, brief(done)], [['one'], ['two #1 into main created']]);
  });

  it('says what is missing when a base was never pushed', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    assert.match((await refused('two')).next ?? '', /wt pr two --stack/);
  });

  it('follows a branch that was renamed with git, as the base of what stands on it', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await stage.repository.git('branch', '-m', 'one', 'uno');
    assert.deepEqual(brief(await pr('two', { stack: true })), ['one #1 into main created', 'two #2 into uno created']);
    assert.equal(pull(1).head, 'uno');
    const { worktree } = await stage.look('two');
    assert.deepEqual([worktree.base?.branch, worktree.base?.exists], ['uno', true]);
    assert.deepEqual(brief(await pr('one', { stack: true })), [
      'one #1 into main unchanged',
      'two #2 into uno unchanged',
    ]);
  });

  for (const [how, rename] of shareOf(
    [
      ['git', () => stage.repository.git('branch', '-m', 'one', 'uno')],
      [
        'wt',
        async () => {
          const { workspace, snapshot, worktree } = await stage.look('one');
          const { renaming } = await planRename(workspace, snapshot, worktree, { name: 'one', branch: 'uno' });
          await renameWorktree(workspace, renaming);
        },
      ],
    ] as const,
    2,
  ))
    it(`opens no second pull request for a branch that was renamed with ${how} without a person's choice`, async () => {
      await stage.worktree('one');
      await stage.worktree('two', 'one');
      await pr('one', { stack: true });
      await rename();
      for (const options of [{}, { stack: true }]) {
        const problem = await refused('one', options);
        assert.match(problem.message, /it has #1, which is of the branch one, and that one is called uno here now/);
        assert.match(problem.next ?? '', /`git branch -m uno one`.*`wt pr one --replace`/);
      }
      assert.deepEqual([stage.hub.state.pulls.size, stage.hub.state.refs.get('uno')], [2, undefined]);
      const [opened] = (await pr('one', { replace: true })).pullRequests;
      assert.deepEqual([opened?.number, opened?.action], [3, 'created']);
      assert.match(textOf(opened?.note ?? ''), /it takes the place of #1 of one, which stays open/);
      assert.match(pull(3).body, /^In place of #1, whose branch one/);
      assert.deepEqual([pull(1).state, pull(3).head, pull(3).base], ['open', 'uno', 'main']);
      assert.deepEqual(brief(await pr('one', { stack: true })), [
        'one #3 into main unchanged',
        'two #2 into uno updated',
      ]);
    });

  it('keeps the pull request of a branch that was renamed back, and knows one whose head was renamed on GitHub', async () => {
    await stage.worktree('one');
    await pr('one');
    await stage.repository.git('branch', '-m', 'one', 'uno');
    await refused('one');
    await stage.repository.git('branch', '-m', 'uno', 'one');
    assert.deepEqual(brief(await pr('one')), ['one #1 into main unchanged']);
    await stage.repository.git('branch', '-m', 'one', 'uno');
    renameBranch(stage.hub.state, 'one', 'uno');
    assert.deepEqual(brief(await pr('one')), ['one #1 into main unchanged']);
    assert.equal(stage.hub.state.pulls.size, 1);
  });

  it('takes a renamed branch for merged whose pull request was', async () => {
    await stage.worktree('one');
    await pr('one');
    mergePull(stage.hub.state, pull(1), 'squash');
    await stage.repository.git('branch', '-m', 'one', 'uno');
    assert.deepEqual(brief(await pr('one')), ['one #1 into main merged']);
  });

  it('refuses a stack across forks early, and takes the fork where a person has chosen it', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    stage.hub.state.parent = 'upstream-org/demo';
    const none = { status: 200, body: [] };
    stage.hub.next('GET /repos/upstream-org/demo/pulls', none, none);
    const problem = await refused('two');
    assert.match(problem.message, /in your fork and not in upstream-org\/demo/);
    assert.equal(stage.hub.count(creations), 0);
    // Whoever has said that the fork is the place gets it there.
    await stage.repository.git('config', 'remote.origin.gh-resolved', 'base');
    assert.deepEqual(brief(await pr('one')), ['one #1 into main created']);
  });

  it('says what is missing without a token, without GitHub, and without a network', async () => {
    await stage.worktree('login');
    const { workspace } = await stage.look('login');
    const withoutToken = {
      ...workspace,
      environment: { ...workspace.environment, variables: { ...stage.home.variables, PATH: process.env['PATH'] } },
    };
    await assert.rejects(
      openSession(withoutToken),
      (thrown) => Problem.is(thrown, 'no-token') && /gh auth login/.test(thrown.next ?? ''),
    );
    await stage.repository.git('remote', 'set-url', 'origin', 'https://gitlab.com/octo/demo.git');
    await assert.rejects(openSession(workspace), (thrown) => Problem.is(thrown, 'unsupported'));
    await stage.repository.git('remote', 'remove', 'origin');
    await assert.rejects(openSession(workspace), (thrown) => Problem.is(thrown, 'not-found'));
  });
});
