import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProblemReason } from '../../../src/core/base/problem.ts';
import type { CreateRequest } from '../../../src/core/create/request.ts';
import { Creations } from '../../support/creations.ts';
import { texts } from '../../support/texts.ts';

describe('planning a worktree', () => {
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
  });
  afterEach(() => at.dispose());

  /** Asserts that a request is refused with a reason and a next step, and that nothing was touched. */
  async function refuses(
    request: Partial<CreateRequest> | string,
    reason: ProblemReason,
    words: RegExp,
  ): Promise<void> {
    const before = await at.traces();
    await assert.rejects(at.create(request), (thrown: Error & { reason?: string; next?: string }) => {
      assert.equal(thrown.reason, reason, thrown.message);
      assert.match(`${thrown.message} (${thrown.next ?? ''})`, words);
      assert.ok(thrown.next, 'a next step is named');
      return true;
    });
    assert.deepEqual(await at.traces(), before);
  }

  describe('names', () => {
    it('become a slug for the folder, and stay as typed for the branch', async () => {
      const plan = await at.plan('Feature/Login_2');
      assert.equal(plan.relativePath, '.worktrees/feature-login-2');
      assert.equal(plan.branch, 'Feature/Login_2');
    });

    it('that share a slug never share a folder', async () => {
      await at.create('feat.auth');
      const plan = await at.plan('feat-auth');
      assert.match(plan.slug, /^feat-auth-[0-9a-f]{6}$/);
      assert.equal(plan.relativePath, `.worktrees/${plan.slug}`);
      const created = await at.create('feat-auth');
      assert.equal(created.slug, plan.slug);
      assert.deepEqual((await at.traces()).registered, ['feat-auth', 'feat.auth']);
    });

    it('are refused a second time, with where the first one is', async () => {
      await at.create('x');
      await refuses('x', 'taken', /There is the worktree "x" already, at .*\.worktrees\/x.*wt switch x/);
    });

    it('that another tool has used for a folder are taken too', async () => {
      await at.repository.git('worktree', 'add', '--quiet', '-b', 'other', at.path('x'));
      await refuses('x', 'taken', /"x" already/);
    });

    it('are what a person types: branch and folder are derived from them', async () => {
      for (const [name, branch, folder] of [
        ['Login: form v2', 'login-form-v2', 'login-form-v2'],
        ["Don't “panic”!", 'don-t-panic', 'don-t-panic'],
        ['Füße', 'fuesse', 'fuesse'],
        ['café', 'cafe', 'cafe'],
        ['cafe\u0301', 'cafe', 'cafe'],
        ['feature/JIRA-12 add X', 'feature/jira-12-add-x', 'feature-jira-12-add-x'],
        ['Füße waschen', 'fuesse-waschen', 'fuesse-waschen'],
        ['日本語', '日本語', '日本語'],
        ['日本語 の テスト', '日本語-の-テスト', '日本語-の-テスト'],
        ['v1.0', 'v1.0', 'v1-0'],
        ['a..b~c', 'a.b-c', 'a-b-c'],
        ['fix/Crème brûlée.lock', 'fix/creme-brulee', 'fix-creme-brulee-lock'],
        ['ship it 🚀', 'ship-it', 'ship-it'],
        ['what?', 'what', 'what'],
        ['x^2 * [y]', 'x-2-y', 'x-2-y'],
        ['C:\\temp', 'c-temp', 'c-temp'],
        ['50% #12', '50-12', '50-12'],
        [`${'long '.repeat(30)}name`, 'long-'.repeat(12).slice(0, -1), 'long-long-long-long-long-long'],
      ] as const) {
        const plan = await at.plan(name);
        assert.deepEqual([plan.name, plan.branch, plan.relativePath], [name, branch, `.worktrees/${folder}`]);
      }
      const rocket = await at.plan('🚀');
      assert.match(rocket.branch, /^(🚀|wt-[0-9a-f]{6})$/u);
    });

    it('that are derived alike get a branch each, and no other branch’s', async () => {
      await at.create('Login: form');
      await at.repository.git('branch', 'two-words');
      await at.repository.git('branch', 'three-words/deep');
      const plans = [await at.plan('Login form'), await at.plan('two words'), await at.plan('three: words')];
      assert.deepEqual(
        plans.map(({ branch }) => branch),
        ['login-form-2', 'two-words-2', 'three-words-2'],
      );
      const created = await at.create('Login form');
      assert.deepEqual([created.branch, created.slug.slice(0, 11)], ['login-form-2', 'login-form-']);
    });

    it('fill the pattern of branches when they are derived', async () => {
      await at.configure('worktree: { branch_pattern: "Team/{name}" }\n');
      assert.equal((await at.plan('Login: form')).branch, 'Team/login-form');
      await at.configure('worktree: { branch_pattern: "a b/{name}" }\n');
      await refuses('Login: form', 'invalid-name', /cannot be the name of a branch/);
    });

    it('that mean a commit to git are refused', async () => {
      await refuses('HEAD', 'invalid-name', /cannot be the name of a branch/);
      await refuses('@{-1}', 'invalid-name', /cannot be the name of a branch/);
    });

    it('with another branch may be anything that people call things', async () => {
      const created = await at.create({ name: 'Build the “login” 🚀', branch: 'login' });
      assert.equal(created.relativePath, '.worktrees/build-the-login');
      assert.deepEqual((await at.traces()).registered, ['Build the “login” 🚀']);
    });

    it('that mean something else, hold control characters or are too long are refused', async () => {
      await refuses({ name: '@', branch: 'b' }, 'invalid-name', /reserved name/);
      await refuses({ name: '.', branch: 'b' }, 'invalid-name', /reserved name/);
      await refuses({ name: '-x', branch: 'b' }, 'invalid-name', /option/);
      await refuses({ name: '../x', branch: 'b' }, 'invalid-name', /another folder/);
      await refuses({ name: 'a\nb', branch: 'b' }, 'invalid-name', /line break/);
      await refuses({ name: 'x'.repeat(201), branch: 'b' }, 'invalid-name', /longer than 200/);
      await refuses({ name: '  ' }, 'usage', /needs a name/);
    });

    it('of our own folders get another folder', async () => {
      const plan = await at.plan('hooks');
      assert.match(plan.relativePath, /^\.worktrees\/hooks-[0-9a-f]{6}$/);
    });

    it('follow from the work id where the location pattern uses it', async () => {
      await at.configure(
        'worktree: { location_pattern: ".worktrees/{work_id}", branch_pattern: "feature/{work_id}" }\n',
      );
      const created = await at.create({ workId: '258' });
      assert.equal(created.name, '258');
      assert.equal(created.relativePath, '.worktrees/258');
      assert.equal(created.branch, 'feature/258');
      await refuses('x', 'usage', /uses \{work_id\}.*--work-id/);
    });
  });

  describe('branches', () => {
    it('inside another branch, or around one, are refused before anything is touched', async () => {
      await at.repository.git('branch', 'billing/x');
      await refuses('billing', 'taken', /billing cannot be made while there is a branch billing\/x/);
      await at.repository.git('branch', 'pay');
      await refuses('pay/y', 'taken', /pay\/y cannot be made while there is a branch pay/);
    });

    it('that exist are not used by accident, but when they are asked for', async () => {
      await at.repository.git('switch', '--quiet', '-c', 'x');
      await at.repository.commit('Own work', { 'own.txt': 'own\n' });
      await at.repository.git('switch', '--quiet', 'main');
      await refuses('x', 'taken', /There is a branch x already.*wt create x --branch x/);
      const created = await at.create({ name: 'x', branch: 'x' });
      assert.equal(created.branch, 'x');
      assert.equal(created.base, 'main');
      assert.equal(created.baseCommit, await at.repository.git('rev-parse', 'main'), 'where the two part');
      assert.equal(existsSync(join(created.path, 'own.txt')), true);
    });

    it('that are checked out are refused with where', async () => {
      await at.create('x');
      await refuses({ name: 'y', branch: 'x' }, 'in-use', /x is checked out already, in .*\.worktrees\/x.*wt switch x/);
      await refuses({ name: 'y', branch: 'main' }, 'in-use', /main is checked out already/);
    });

    it('of the remote become a local branch of the same name', async () => {
      await withRemote('topic');
      for (const [name, branch] of [
        ['one', 'topic'],
        ['two', 'origin/topic2'],
      ] as const) {
        const plan = await at.plan({ name, branch });
        assert.equal(plan.branch, branch.replace('origin/', ''));
        assert.equal(plan.newBranch, true);
        assert.equal(plan.fromRemote, `origin/${plan.branch}`);
        assert.equal(plan.base, 'main');
        assert.equal(plan.baseCommit, await at.repository.git('rev-parse', 'main'));
        const created = await at.create({ name, branch });
        assert.equal(await at.repository.git('rev-parse', plan.branch), plan.startCommit);
        assert.equal(await at.repository.git('rev-parse', `origin/${plan.branch}`), plan.startCommit);
        assert.equal(created.branch, plan.branch);
      }
    });

    it('that only a remote has are continued, and followed', async () => {
      await withRemote('topic');
      const plan = await at.plan('topic');
      assert.deepEqual(
        [plan.branch, plan.newBranch, plan.fromRemote, plan.base],
        ['topic', true, 'origin/topic', 'main'],
      );
      const created = await at.create('topic');
      assert.equal(await at.repository.git('rev-parse', 'topic'), await at.repository.git('rev-parse', 'origin/topic'));
      assert.equal(await at.repository.git('rev-parse', '--abbrev-ref', 'topic@{upstream}'), 'origin/topic');
      assert.equal(created.baseCommit, await at.repository.git('rev-parse', 'main'));
    });

    it('that a remote has start anew only where that is said', async () => {
      await withRemote('topic');
      const plan = await at.plan({ name: 'topic', newBranch: true });
      assert.equal(plan.startCommit, await at.repository.git('rev-parse', 'main'));
      assert.deepEqual([plan.fromRemote, plan.tracking], [undefined, undefined]);
      assert.match(texts(plan.warnings).join(), /There is a branch origin\/topic/);
    });

    it('that a failed creation has made follow nothing afterwards', async () => {
      await withRemote('topic');
      await at.configure('setup: ["exit 3"]\n');
      const creation = at.create('topic', { approveSetup: () => Promise.resolve(true) });
      await assert.rejects(creation, { reason: 'setup-failed' });
      assert.deepEqual((await at.traces()).branches, ['main']);
      assert.equal(await at.repository.git('config', '--get-regexp', '^branch\\.').catch(() => ''), '');
    });

    it('that several remotes have are asked for, unless they are the same or git prefers one', async () => {
      await withRemote('topic');
      const { repository } = at;
      await repository.git('remote', 'add', 'team/upstream', await repository.git('remote', 'get-url', 'origin'));
      await repository.git('fetch', '--quiet', 'team/upstream');
      const same = await at.plan('topic');
      assert.equal(same.fromRemote, 'origin/topic');
      assert.match(texts(same.warnings).join(), /team\/upstream\/topic is at the same commit/);
      await repository.git('update-ref', 'refs/remotes/team/upstream/topic', 'main');
      await refuses('topic', 'ambiguous', /origin\/topic, team\/upstream\/topic.*--branch origin\/topic.*--new-branch/);
      assert.equal((await at.plan({ name: 'topic', branch: 'origin/topic' })).fromRemote, 'origin/topic');
      await repository.git('config', 'checkout.defaultRemote', 'team/upstream');
      assert.deepEqual((await at.plan('topic')).tracking, { remote: 'team/upstream', ref: 'refs/heads/topic' });
    });

    it('of the remote are based on the branch that they share the latest commit with', async () => {
      await withRemote('topic');
      const { repository } = at;
      await at.create('lower');
      await repository.commit('Lower', { 'lower.txt': 'lower\n' }, at.path('lower'));
      const lower = await repository.git('rev-parse', 'lower');
      const tree = await repository.git('rev-parse', 'lower^{tree}');
      const upper = await repository.git('commit-tree', '-p', lower, '-m', 'Upper', tree);
      await repository.git('update-ref', 'refs/remotes/origin/upper', upper);
      const plan = await at.plan('upper');
      assert.deepEqual([plan.base, plan.baseCommit, plan.startCommit], ['lower', lower, upper]);
      // Where it goes on from a base that has moved meanwhile, too.
      await repository.commit('Lower again', { 'lower.txt': 'more\n' }, at.path('lower'));
      assert.deepEqual([(await at.plan('upper')).base, (await at.plan('upper')).baseCommit], ['lower', lower]);
      assert.equal((await at.plan({ name: 'upper', base: 'main' })).base, 'main');
    });
  });

  describe('bases', () => {
    it('may be a branch, a worktree by its name, a remote branch, a tag or a commit', async () => {
      await at.create({ name: 'Some Task', branch: 'task' });
      await at.repository.commit('Work', { 'a.txt': 'a\n' }, at.path('some-task'));
      await withRemote('topic');
      await at.repository.git('tag', '-a', '-m', 'One', 'v1', 'main');
      const commit = (name: string): Promise<string> => at.repository.git('rev-parse', `${name}^{commit}`);
      const cases: [base: string, recorded: string, commit: string][] = [
        ['task', 'task', await commit('task')],
        ['Some Task', 'task', await commit('task')],
        ['some-task', 'task', await commit('task')],
        ['@', 'main', await commit('main')],
        ['origin/topic', 'topic', await commit('origin/topic')],
        ['topic', 'topic', await commit('origin/topic')],
        ['v1', 'main', await commit('main')],
        [(await commit('main')).slice(0, 10), 'main', await commit('main')],
        ['HEAD', 'main', await commit('main')],
      ];
      for (const [base, recorded, start] of cases) {
        const plan = await at.plan({ name: 'new', base });
        assert.deepEqual([base, plan.base, plan.baseCommit, plan.startCommit], [base, recorded, start, start]);
      }
    });

    it('that do not exist are refused', async () => {
      await refuses({ name: 'x', base: 'nowhere' }, 'not-found', /no branch, worktree or commit named "nowhere"/);
      await refuses({ name: 'x', base: '--all' }, 'not-found', /no branch, worktree or commit/);
    });

    it('with the name of the new branch are what it continues, not what it stands on', async () => {
      await withRemote('topic');
      const plan = await at.plan({ name: 'topic', base: 'origin/topic' });
      assert.equal(plan.base, 'main');
      assert.equal(plan.startCommit, await at.repository.git('rev-parse', 'origin/topic'));
      assert.equal(plan.baseCommit, await at.repository.git('rev-parse', 'main'));
    });

    it('that are the trunk say when they are behind the remote', async () => {
      await withRemote('topic');
      await at.repository.git('update-ref', 'refs/remotes/origin/main', 'origin/topic');
      const plan = await at.plan('x');
      assert.deepEqual(texts(plan.warnings), ['main is 1 commit behind origin/main.']);
      assert.equal(plan.startCommit, await at.repository.git('rev-parse', 'main'));
    });

    it('are the commit itself, recorded with a branch that holds it, when nothing is checked out by name', async () => {
      await at.repository.git('switch', '--quiet', '--detach');
      const plan = await at.plan('x');
      assert.equal(plan.base, 'main');
    });

    it('cannot be had from a repository without a commit', async () => {
      const empty = join(at.home.root, 'empty');
      await mkdir(empty);
      await at.repository.gitIn(empty, 'init', '--quiet');
      const workspace = await at.at(empty);
      await assert.rejects(at.create('x', {}, workspace), { reason: 'not-found', id: 'create.repositoryNoCommits' });
      assert.deepEqual(await readdir(empty), ['.git']);
    });
  });

  describe('places', () => {
    it('that are taken by something else are refused', async () => {
      await at.repository.write('.git/info/exclude', '/.worktrees/\n');
      await at.repository.write('.worktrees/x/notes.txt', 'mine\n');
      await refuses('x', 'taken', /exists already, and is no worktree/);
      await at.repository.write('.worktrees/y', 'a file\n');
      await refuses('y', 'taken', /exists already/);
    });

    it('that are an empty folder are used', async () => {
      await mkdir(at.path('x'), { recursive: true });
      assert.equal((await at.create('x')).relativePath, '.worktrees/x');
      assert.equal(existsSync(join(at.path('x'), 'README.md')), true);
    });

    it('that git has on record without a worktree in them are named as such', async () => {
      await at.create('x');
      await rm(at.path('x'), { recursive: true });
      await refuses('x', 'taken', /folder is missing.*wt cleanup x/);
      await mkdir(at.path('x'));
      await refuses('x', 'taken', /exists, but it is no worktree any more.*wt cleanup x/);
    });

    it('that a link leads out of the repository are refused', async () => {
      const outside = join(at.home.root, 'outside');
      await mkdir(outside);
      await symlink(outside, join(at.repository.root, '.worktrees'));
      await refuses('x', 'outside-repository', /a link on the way leads out of the repository/);
      assert.deepEqual(await readdir(outside), []);
    });

    it('inside git, another worktree or another repository are refused', async () => {
      await at.create('x');
      await mkdir(join(at.repository.root, 'vendor'));
      await at.repository.gitIn(join(at.repository.root, 'vendor'), 'init', '--quiet');
      for (const [pattern, words] of [
        ['.git/{slug}', /inside the git directory/],
        ['.worktrees/x/{slug}', /inside the worktree/],
        ['vendor/{slug}', /inside another repository/],
        ['.worktrees/hooks/{slug}', /keeps its own files there/],
      ] as const) {
        const { configuration } = at.workspace;
        const worktree = { ...configuration.worktree, locationPattern: pattern };
        const workspace = { ...at.workspace, configuration: { ...configuration, worktree } };
        await assert.rejects(at.plan('y', workspace), { reason: 'outside-repository', message: words });
      }
    });

    it('beside the repository are what the sibling strategy means', async () => {
      await at.configure('worktree: { strategy: sibling }\n');
      const created = await at.create('x');
      assert.equal(created.path, join(at.home.root, 'project-x'));
      assert.equal(created.relativePath, '../project-x');
      assert.equal(await at.repository.git('status', '--porcelain'), '');
    });

    it('keep characters out of the path that tools cannot bear', async () => {
      await at.configure('worktree: { location_pattern: "trees/{branch}" }\n');
      const created = await at.create('fix#12 50%'.replace(' ', '/'));
      assert.equal(created.branch, 'fix#12/50%');
      assert.equal(created.relativePath, 'trees/fix-12/50-');
      assert.equal(await at.repository.git('status', '--porcelain'), '', 'the folder of worktrees is ignored');
    });

    it('right in the main root are ignored one by one', async () => {
      await at.configure('worktree: { location_pattern: "{slug}" }\n');
      await at.create('x');
      await at.repository.write('other/file.txt', 'seen\n');
      assert.equal(await at.repository.git('status', '--porcelain'), '?? other/');
    });

    it('without a folder above are refused where folders must not be made', async () => {
      await at.configure('worktree: { location_pattern: "trees/{slug}", create_parent: false }\n');
      await refuses('x', 'not-found', /trees does not exist.*make the folder/);
      await mkdir(join(at.repository.root, 'trees'));
      assert.equal((await at.create('x')).relativePath, 'trees/x');
    });

    it('that the pattern cannot mean are refused', async () => {
      await at.configure('worktree: { location_pattern: ".worktrees/{nmae}" }\n');
      await refuses('x', 'usage', /holds \{nmae\}/);
    });
  });

  it('touches nothing', async () => {
    const before = await at.traces();
    await at.plan({ name: 'x', workId: '7', task: 'Task' });
    assert.deepEqual(await at.traces(), before);
    assert.deepEqual((await readdir(at.repository.root)).sort(), ['.git', 'README.md']);
  });

  /** Gives the repository a remote that has `topic` and `topic2`, one commit ahead of main. */
  async function withRemote(branch: string): Promise<void> {
    const origin = join(at.home.root, 'origin.git');
    await at.repository.git('clone', '--quiet', '--bare', '.', origin);
    await at.repository.git('remote', 'add', 'origin', origin);
    const tree = await at.repository.git('rev-parse', 'main^{tree}');
    const commit = await at.repository.git('commit-tree', tree, '-p', 'main', '-m', 'Topic');
    await at.repository.git(
      'push',
      '--quiet',
      'origin',
      `${commit}:refs/heads/${branch}`,
      `${commit}:refs/heads/${branch}2`,
    );
    await at.repository.git('fetch', '--quiet', 'origin');
  }
});
