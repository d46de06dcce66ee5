import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { openSession } from '../../../src/core/github/connect.ts';
import { pushBranches } from '../../../src/core/github/publish/pushBranches.ts';
import type { Pushed, PushOptions } from '../../../src/core/github/push/model.ts';
import { worktreeGraph } from '../../../src/core/stack/graph.ts';
import { readRegistry, updateRegistry } from '../../../src/core/repository/registry.ts';
import { testHome } from '../../support/tempRepo.ts';
import { makeStage, type Stage } from '../support/stage.ts';

describe('wt push', () => {
  let stage: Stage;
  beforeEach(async () => (stage = await makeStage(await testHome())));
  afterEach(() => stage.close());

  const push = async (name: string, options: PushOptions & { stack?: boolean } = {}): Promise<Pushed[]> => {
    const { workspace, snapshot, worktree } = await stage.look(name);
    const all = options.stack
      ? worktreeGraph(snapshot)
          .stackOf(worktree.branch)
          .map((each) => each.worktree)
      : [worktree];
    return pushBranches(workspace, snapshot, all, options);
  };
  const refused = async (name: string, options: PushOptions & { stack?: boolean } = {}): Promise<Problem> => {
    const thrown: unknown = await push(name, options).then(
      (pushed) => assert.fail(`it was pushed: ${JSON.stringify(pushed)}`),
      (problem: unknown) => problem,
    );
    assert.ok(thrown instanceof Problem, String(thrown));
    assert.equal(thrown.outcome, 'incomplete', thrown.message);
    return thrown;
  };
  const there = (branch: string): Promise<string> => stage.onServer('rev-parse', `refs/heads/${branch}`);
  const lastPushed = async (name: string): Promise<unknown> =>
    (await readRegistry((await stage.workspace()).repository)).worktrees.get(name)?.lastPushed;
  /** A file of main changes, and the worktree is rebased onto that. */
  const rebase = async (path: string): Promise<void> => {
    await stage.repository.commit('Move on', { 'main.txt': 'more\n' });
    await stage.repository.gitIn(path, 'rebase', '--quiet', 'main');
  };
  /** Somebody else pushes a commit onto a branch. */
  const somebodyPushes = async (branch: string): Promise<string> => {
    const clone = join(stage.home.root, 'other');
    await stage.repository.git('clone', '--quiet', '--branch', branch, stage.bare, clone);
    await stage.repository.commit('By somebody else', { 'other.txt': 'x\n' }, clone);
    await stage.repository.gitIn(clone, 'push', '--quiet', 'origin', branch);
    return there(branch);
  };
  const configure = (text: string): Promise<void> => stage.repository.write('.worktrees.yml', text);

  it('makes a branch that is new there, follows it from here, and records what was pushed', async () => {
    const path = await stage.worktree('login');
    const [pushed] = await push('login');
    assert.equal(pushed?.how, 'created');
    const tip = await stage.repository.git('rev-parse', 'login');
    assert.equal(await there('login'), tip);
    assert.equal(await stage.repository.gitIn(path, 'rev-parse', '--abbrev-ref', '@{upstream}'), 'origin/login');
    assert.deepEqual(await lastPushed('login'), { remote: 'origin', ref: 'refs/heads/login', oid: tip });
    assert.equal((await push('login'))[0]?.how, 'unchanged');
    await stage.commit(path, 'more.txt');
    assert.equal((await push('login'))[0]?.how, 'forwarded');
  });

  it('records what a push that was killed has pushed', async () => {
    await stage.worktree('login');
    await stage.repository.git('push', '--quiet', 'origin', 'login');
    assert.equal(await lastPushed('login'), undefined);
    await push('login');
    assert.ok(await lastPushed('login'));
  });

  it('never pushes the trunk, nor what is called main or master', async () => {
    const { name } = (await stage.look('main')).worktree;
    assert.match((await refused(name)).message, /trunk/);
    await configure('stack: { trunk: develop }\n');
    assert.match((await refused(name)).message, /trunk/);
  });

  it('replaces what was pushed before a rebase', async () => {
    const path = await stage.worktree('login');
    await push('login');
    const before = await there('login');
    await rebase(path);
    const [pushed] = await push('login');
    assert.deepEqual([pushed?.how, pushed?.before], ['rewritten', before]);
    assert.equal(await there('login'), await stage.repository.git('rev-parse', 'login'));
  });

  it('keeps the commits of somebody else, names them, and names what takes them over', async () => {
    const path = await stage.worktree('login');
    await push('login');
    const theirs = await somebodyPushes('login');
    await rebase(path);
    for (const options of [{}, { rewrite: true }]) {
      const problem = await refused('login', options);
      assert.match(problem.message, /commits of somebody else/);
      assert.match(problem.items.join('\n'), /By somebody else/);
      assert.match(problem.next ?? '', /`wt rebase login`/);
      assert.equal(await there('login'), theirs);
    }
    // By hand it goes as well.
    await stage.repository.gitIn(path, 'cherry-pick', theirs);
    assert.equal((await push('login'))[0]?.how, 'rewritten');
  });

  it('does not take commits for its own because a fetch has brought them', async () => {
    const path = await stage.worktree('login');
    await push('login');
    const theirs = await somebodyPushes('login');
    await stage.repository.git('fetch', '--quiet', 'origin');
    await rebase(path);
    assert.match((await refused('login')).message, /commits of somebody else/);
    assert.equal(await there('login'), theirs);
  });

  it('wants --rewrite for an amended commit, and takes it then', async () => {
    const path = await stage.worktree('login');
    await push('login');
    await stage.repository.gitIn(path, 'commit', '--quiet', '--amend', '-m', 'Reworded');
    const problem = await refused('login');
    assert.match(problem.message, /changed since/);
    assert.match(problem.next ?? '', /wt push login --rewrite/);
    assert.equal((await push('login', { rewrite: true }))[0]?.how, 'rewritten');
  });

  it('knows a rebase that a pull has made, and one of which no reflog tells any more', async () => {
    const path = await stage.worktree('login');
    await stage.commit(path, 'shared.txt', 'login\n');
    await push('login');
    await stage.repository.commit('Move on', { 'main.txt': 'more\n' });
    await stage.repository.git('push', '--quiet', 'origin', 'main');
    await stage.repository.gitIn(path, 'pull', '--quiet', '--rebase', 'origin', 'main');
    assert.equal((await push('login'))[0]?.how, 'rewritten');

    // The rebase changes what a commit does, as the solution of a conflict would; then all that is left is the base in the registry.
    await stage.repository.commit('Move on again', { 'main.txt': 'still more\n' });
    const amend = ['-c', 'core.editor=true', 'rebase', '--quiet', '--exec'];
    const change = 'test ! -f shared.txt || { echo solved >> shared.txt; git commit --quiet --all --amend --no-edit; }';
    await stage.repository.gitIn(path, ...amend, change, 'main');
    await stage.repository.gitIn(path, 'reflog', 'expire', '--expire=all', '--all');
    const baseCommit = await stage.repository.git('rev-parse', 'main');
    const { environment, repository } = await stage.workspace();
    await updateRegistry(environment, repository, ({ worktrees }) => {
      const entry = worktrees.get('login');
      if (entry) worktrees.set('login', { ...entry, baseCommit });
    });
    assert.equal((await push('login'))[0]?.how, 'rewritten');
    assert.match(await stage.onServer('show', 'login:shared.txt'), /solved/);
  });

  it('rewrites nothing where the team refuses it, unless it is asked to', async () => {
    await configure('stack: { after_rebase: refuse }\n');
    const path = await stage.worktree('login');
    await push('login');
    const before = await there('login');
    await rebase(path);
    const problem = await refused('login');
    assert.match(problem.message, /after_rebase: refuse/);
    assert.equal(await there('login'), before);
    assert.equal((await push('login', { rewrite: true }))[0]?.how, 'rewritten');
  });

  it('joins a rebased branch with what was pushed where the team wants merges: no force, the same files, later commits kept', async () => {
    await configure('stack: { after_rebase: merge }\n');
    const path = await stage.worktree('login');
    await push('login');
    const before = await there('login');
    await rebase(path);
    await stage.commit(path, 'later.txt');
    await stage.repository.write(join(path, 'login.txt'), 'not committed\n');
    const tree = await stage.repository.gitIn(path, 'rev-parse', 'HEAD^{tree}');
    // A server that refuses every rewrite.
    await stage.onServer('config', 'receive.denyNonFastForwards', 'true');
    const [pushed] = await push('login');
    assert.equal(pushed?.how, 'joined');
    assert.equal(await there('login'), await stage.repository.gitIn(path, 'rev-parse', 'HEAD'));
    assert.equal(await stage.repository.gitIn(path, 'rev-parse', 'HEAD^{tree}'), tree);
    await stage.repository.git('merge-base', '--is-ancestor', before, 'login');
    await stage.repository.git('merge-base', '--is-ancestor', 'main', 'login');
    assert.equal(await stage.repository.gitIn(path, 'log', '-1', '--format=%s'), 'Add later.txt');
    assert.equal(await stage.repository.gitIn(path, 'status', '--porcelain'), 'M login.txt'.padStart(12));
    assert.match(
      await stage.repository.git('for-each-ref', '--format=%(refname)', 'refs/wt-backup'),
      /push-\d+\/login$/,
    );
  });

  it('puts a joined branch back when the server refuses it', async () => {
    await configure('stack: { after_rebase: merge }\n');
    const path = await stage.worktree('login');
    await push('login');
    await rebase(path);
    const tip = await stage.repository.git('rev-parse', 'login');
    await serverHook('pre-receive', 'echo "no pushes on fridays" >&2; exit 1');
    assert.match((await refused('login')).items.join('\n'), /no pushes on fridays/);
    assert.equal(await stage.repository.git('rev-parse', 'login'), tip);
  });

  it('rewrites only branches that are registered', async () => {
    const path = join(stage.repository.root, '.worktrees', 'foreign');
    await stage.repository.git('worktree', 'add', '--quiet', '-b', 'foreign', path);
    await stage.commit(path, 'foreign.txt');
    assert.equal((await push('foreign'))[0]?.how, 'created');
    await rebase(path);
    assert.match((await refused('foreign', { rewrite: true })).message, /only branches that wt has made/);
  });

  const serverHook = async (name: string, script: string): Promise<void> => {
    const file = join(stage.bare, 'hooks', name);
    await stage.repository.write(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  };
  const ownHook = async (script: string): Promise<void> => {
    const file = join(stage.repository.root, '.git', 'hooks', 'pre-push');
    await stage.repository.write(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
  };

  it('shows what the pre-push hook says, and tells its refusal from every other', async () => {
    await stage.worktree('login');
    await ownHook('echo "checking in $PWD"; exit 0');
    const words: string[] = [];
    await push('login', { onWords: (text) => words.push(text) });
    assert.match(words.join(''), /checking in .*\.worktrees\/login\n/);
    await stage.commit(join(stage.repository.root, '.worktrees', 'login'), 'more.txt');
    await ownHook('echo "3 tests failed" >&2; exit 1');
    const problem = await refused('login', { onWords: (text) => words.push(text) });
    assert.match(problem.message, /pre-push hook refused/);
    assert.match(words.join(''), /3 tests failed/);
  });

  it('tells a hook of the server, a rule of GitHub, and a server that cannot be reached apart', async () => {
    await stage.worktree('login');
    await serverHook('pre-receive', 'echo "sign your commits" >&2; exit 1');
    const byHook = await refused('login');
    assert.match(byHook.message, /a hook of origin refused it/);
    assert.match(byHook.items.join('\n'), /sign your commits/);
    await serverHook(
      'pre-receive',
      'echo "error: GH013: Repository rule violations found for refs/heads/login." >&2; exit 1',
    );
    assert.match((await refused('login')).message, /rules of origin protect it/);
    await stage.repository.git('remote', 'set-url', 'origin', 'http://127.0.0.1:9/octo/demo.git');
    const gone = await refused('login');
    assert.deepEqual([gone.reason, /cannot be reached/.test(gone.message)], ['offline', true]);
    await stage.repository.git('remote', 'set-url', 'origin', `${stage.hub.url}/octo/nothing.git`);
    assert.match((await refused('login')).message, /no repository at origin/);
  });

  it('pushes a stack all or none', async () => {
    await stage.worktree('one');
    await stage.worktree('two', 'one');
    await stage.worktree('three', 'two');
    await serverHook('update', 'case "$1" in refs/heads/three) echo "not this one" >&2; exit 1;; esac');
    const problem = await refused('two', { stack: true });
    assert.match(problem.message, /three was not pushed/);
    assert.equal(await stage.onServer('for-each-ref', '--format=%(refname:short)', 'refs/heads'), 'main');
    await serverHook('update', 'exit 0');
    const pushed = await push('two', { stack: true });
    assert.deepEqual(
      pushed.map(({ name, how }) => `${name} ${how}`),
      ['one created', 'two created', 'three created'],
    );
  });

  it('pushes a stack from below, up to the first that is refused, where the server knows no atomic push', async () => {
    const one = await stage.worktree('one');
    const two = await stage.worktree('two', 'one');
    const three = await stage.worktree('three', 'two');
    await stage.onServer('config', 'receive.advertiseAtomic', 'false');
    await serverHook('update', 'case "$1" in refs/heads/two) echo "not this one" >&2; exit 1;; esac');
    const words: string[] = [];
    const problem = await refused('two', { stack: true, onWords: (text) => words.push(text) });
    assert.match(problem.message, /^two was not pushed: .* one was pushed before: origin does not take several/);
    assert.doesNotMatch(words.join(''), /atomic/);
    const names = ['for-each-ref', '--format=%(refname:short)', 'refs/heads'];
    assert.equal(await stage.onServer(...names), 'main\none');
    const tip = await stage.repository.git('rev-parse', 'one');
    assert.deepEqual(await lastPushed('one'), { remote: 'origin', ref: 'refs/heads/one', oid: tip });
    assert.equal(await lastPushed('two'), undefined);

    await serverHook('update', 'exit 0');
    const hows = async (): Promise<string[]> => (await push('two', { stack: true })).map(({ how }) => how);
    assert.deepEqual(await hows(), ['unchanged', 'created', 'created']);
    const old = await Promise.all(['one', 'two'].map((name) => stage.repository.git('rev-parse', name)));
    await rebase(one);
    await stage.repository.gitIn(two, 'rebase', '--quiet', '--onto', 'one', old[0] ?? '');
    await stage.repository.gitIn(three, 'rebase', '--quiet', '--onto', 'two', old[1] ?? '');
    assert.deepEqual(await hows(), ['rewritten', 'rewritten', 'rewritten']);
  });

  it('puts back only what did not arrive of branches that were joined, where the server knows no atomic push', async () => {
    await configure('stack: { after_rebase: merge }\n');
    const one = await stage.worktree('one');
    const two = await stage.worktree('two', 'one');
    await push('two', { stack: true });
    const old = await stage.repository.git('rev-parse', 'one');
    await rebase(one);
    await stage.repository.gitIn(two, 'rebase', '--quiet', '--onto', 'one', old);
    const rebased = await stage.repository.git('rev-parse', 'two');
    await stage.onServer('config', 'receive.advertiseAtomic', 'false');
    await serverHook('update', 'case "$1" in refs/heads/two) exit 1;; esac');
    await refused('two', { stack: true });
    assert.equal(await stage.repository.git('rev-parse', 'one'), await there('one'));
    assert.equal(await stage.repository.git('rev-parse', 'two'), rebased);
  });

  it('pushes a rebased stack in one go, each branch with its own lease', async () => {
    const one = await stage.worktree('one');
    const two = await stage.worktree('two', 'one');
    await push('two', { stack: true });
    const old = await stage.repository.git('rev-parse', 'one');
    await rebase(one);
    await stage.repository.gitIn(two, 'rebase', '--quiet', '--onto', 'one', old);
    assert.deepEqual(
      (await push('one', { stack: true })).map(({ how }) => how),
      ['rewritten', 'rewritten'],
    );
  });

  it('pushes stacks of more than twenty branches in several goes', async () => {
    const names = Array.from({ length: 23 }, (_, index) => `b${index}`);
    for (const [index, name] of names.entries()) await stage.worktree(name, index === 0 ? 'main' : names[index - 1]);
    assert.equal((await push('b5', { stack: true })).length, 23);
    assert.equal((await stage.onServer('for-each-ref', 'refs/heads/b*')).split('\n').length, 23);
  }).timeout(300_000);

  it('pushes no half-done rebase, and no branch that the worktree was not made for', async () => {
    const path = await stage.worktree('login');
    await stage.repository.gitIn(path, 'switch', '--quiet', '-c', 'aside');
    assert.match((await refused('login')).message, /made for the branch login, and aside is checked out/);
    await stage.repository.gitIn(path, 'switch', '--quiet', 'login');
    await stage.repository.commit('In the way', { 'login.txt': 'other\n' });
    await stage.repository.gitIn(path, 'rebase', 'main').catch(() => undefined);
    assert.match((await refused('login')).message, /a rebase is under way/);
  });

  it('does not bring back the branch of a pull request that was merged', async () => {
    const path = await stage.worktree('login');
    await push('login');
    const pull = stage.hub.state.add('login', 'main');
    Object.assign(pull, { state: 'closed', mergedAt: new Date().toISOString(), mergeCommit: pull.headOid });
    await stage.onServer('update-ref', '-d', 'refs/heads/login');
    await stage.commit(path, 'late.txt');
    const { workspace } = await stage.look('login');
    await updateRegistry(workspace.environment, workspace.repository, ({ worktrees }) => {
      const entry = worktrees.get('login');
      if (entry) worktrees.set('login', { ...entry, pr: { number: pull.number, url: '' } });
    });
    const problem = await refused('login', { host: () => openSession(workspace, { spacing: false }) });
    assert.match(problem.message, /pull request #1 was merged/);
    assert.match(problem.next ?? '', /wt cleanup login/);
  });

  it('keeps passwords in addresses out of what it says and logs', async () => {
    await stage.worktree('login');
    const secret = 'hunter2hunter2';
    const { workspace, snapshot, worktree } = await stage.look('login');
    const lines: string[] = [];
    const log = { debug: (line: string) => lines.push(line), info() {}, warn() {}, error() {} };
    const url = stage.hub.url.replace('http://', `http://ada:${secret}@`);
    await stage.repository.git('remote', 'set-url', '--push', 'origin', `${url}/octo/demo.git`);
    const environment = { ...workspace.environment, log };
    const words: string[] = [];
    await pushBranches({ ...workspace, environment }, snapshot, [worktree], { onWords: (text) => words.push(text) });
    assert.ok(!`${lines.join('\n')}${words.join('')}`.includes(secret));
  });
});
