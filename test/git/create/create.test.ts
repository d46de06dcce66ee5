import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { umask } from 'node:process';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { readActive } from '../../../src/core/repository/stateFile.ts';
import { undo } from '../../../src/core/recovery/undo.ts';
import { inspectRemoval } from '../../../src/core/remove/inspect.ts';
import { removeWorktree } from '../../../src/core/remove/remove.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { findWorktree } from '../../../src/core/worktree/find.ts';
import { toCreatedJson } from '../../../src/core/create/createdJson.ts';
import { Creations } from '../../support/creations.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { texts } from '../../support/texts.ts';

describe('creating a worktree', () => {
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
  });
  afterEach(() => at.dispose());

  it('makes folder, branch, registry entry and state file, and leaves nothing pending', async () => {
    const start = await at.repository.git('rev-parse', 'main');
    const created = await at.create({ name: 'feat-auth', task: 'Build login', workId: '258' });
    assert.equal(created.relativePath, '.worktrees/feat-auth');
    assert.equal(created.path, at.path('feat-auth'));
    assert.deepEqual(await at.traces(), {
      branches: ['feat-auth', 'main'],
      listed: [at.repository.root, at.path('feat-auth')],
      registered: ['feat-auth'],
      active: at.path('feat-auth'),
      folders: ['feat-auth'],
      pending: [],
      records: ['feat-auth'],
      status: '',
    });
    const entry = (await readRegistry(at.workspace.repository)).worktrees.get('feat-auth');
    assert.deepEqual(entry, {
      id: 'feat-auth',
      path: at.path('feat-auth'),
      branch: 'feat-auth',
      base: 'main',
      pr: null,
      created: created.created,
      createdBy: 'test',
      workId: '258',
      task: 'Build login',
      baseCommit: start,
      lifecycle: 'created',
    });
  });

  it('checks every file out, clean, with the modes and links of the commit', async () => {
    await at.repository.write('bin/run', '#!/bin/sh\n');
    await chmod(join(at.repository.root, 'bin/run'), 0o755);
    await at.repository.commit('Files', { 'deep/er/file.txt': 'text\n', 'naïve "name"\n.txt': 'odd\n' });
    const { path } = await at.create('x');
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain', '--ignored'), '');
    assert.equal(await readFile(join(path, 'naïve "name"\n.txt'), 'utf8'), 'odd\n');
    assert.equal((await stat(join(path, 'bin/run'))).mode & 0o111, 0o111);
    assert.equal(await at.repository.gitIn(path, 'symbolic-ref', 'HEAD'), 'refs/heads/x');
  });

  it('gives the answer of seed 003 for a script', async () => {
    const json = toCreatedJson(await at.create('x'));
    assert.equal(json.success, true);
    assert.equal(json.path, '.worktrees/x');
    assert.equal(json.absolute_path, at.path('x'));
    assert.equal(json.branch, 'x');
    assert.match(json.created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.equal(json.base, 'main');
    assert.equal(json.base_commit, await at.repository.git('rev-parse', 'main'));
    assert.deepEqual(json.setup, { state: 'none', commands: [], suggested: [] });
    assert.equal(json.active, true);
  });

  it('never sets an upstream, so that a push cannot reach the base', async () => {
    const origin = join(at.home.root, 'origin.git');
    await at.repository.git('clone', '--quiet', '--bare', '.', origin);
    await at.repository.git('remote', 'add', 'origin', origin);
    await at.repository.git('push', '--quiet', '-u', 'origin', 'main');
    await at.repository.git('config', 'branch.autoSetupMerge', 'always');
    await at.repository.git('config', 'branch.autoSetupRebase', 'always');
    await at.create({ name: 'x', base: 'origin/main' });
    await at.create({ name: 'y', base: 'main' });
    const config = await readFile(join(at.repository.root, '.git', 'config'), 'utf8');
    assert.doesNotMatch(config, /branch "[xy]"/);
    assert.equal((await readRegistry(at.workspace.repository)).worktrees.get('x')?.base, 'main');
  });

  it('starts where the command runs: inside another worktree its branch is the base', async () => {
    const { path } = await at.create('below');
    await at.repository.commit('Work', { 'a.txt': 'a\n' }, path);
    await mkdir(join(path, 'sub'));
    const created = await at.create('above', {}, await at.at(join(path, 'sub')));
    assert.equal(created.base, 'below');
    assert.equal(created.baseCommit, await at.repository.git('rev-parse', 'below'));
    assert.equal(created.path, at.path('above'), 'not inside the other worktree');
    assert.equal(created.relativePath, '.worktrees/above');
  });

  it('runs the post-checkout hook as git does, and only warns when it fails', async () => {
    const hook = join(at.repository.root, '.git', 'hooks', 'post-checkout');
    await at.repository.write(hook, '#!/bin/sh\necho "$@" > hook-arguments\necho "no lint here" >&2\nexit 3\n');
    await at.repository.commit('Ignore', { '.gitignore': 'hook-arguments\n' });
    await chmod(hook, 0o755);
    const created = await at.create('x');
    const head = await at.repository.git('rev-parse', 'x');
    assert.equal(await readFile(join(created.path, 'hook-arguments'), 'utf8'), `${'0'.repeat(40)} ${head} 1\n`);
    assert.deepEqual(texts(created.warnings), ['The post-checkout hook failed with exit code 3: no lint here.']);
  });

  it('leaves a state file that cannot be read as it is, and says so', async () => {
    await at.create('x');
    const file = join(at.repository.root, '.claude', 'dev-worktree.local.md');
    await at.repository.write(file, '---\nactive_worktree: [\n');
    const created = await at.create('y');
    assert.equal(created.active, false);
    assert.match(texts(created.warnings).join('\n'), /dev-worktree\.local\.md, line \d+/);
    assert.equal(await readFile(file, 'utf8'), '---\nactive_worktree: [\n');
  });

  it('touches nothing when the registry cannot be read, and names its line', async () => {
    await at.repository.write('.git/info/exclude', '/.worktrees/\n');
    await at.repository.write('.worktrees/stack.json', '{\n  "worktrees": {\n');
    await assert.rejects(at.create('x'), { reason: 'unreadable-file', message: /stack\.json, line \d/ });
    assert.equal(existsSync(at.path('x')), false);
    assert.equal(await at.repository.git('branch', '--list', 'x'), '');
    assert.equal(await readFile(join(at.repository.root, '.worktrees/stack.json'), 'utf8'), '{\n  "worktrees": {\n');
  });

  it('gives the worktree a compose project where the team wants one', async () => {
    await at.configure('compose:\n  project_pattern: "{project}-{slug}"\n');
    await at.create('Pay-API');
    assert.equal(
      (await readRegistry(at.workspace.repository)).worktrees.get('Pay-API')?.composeProject,
      'project-pay-api',
    );
    assert.equal((await readActive(at.workspace.repository))?.composeProject, 'project-pay-api');
  });

  it('works in a bare layout, also where git may not find bare repositories by itself', async () => {
    const layout = join(at.home.root, 'layout');
    await mkdir(layout);
    await at.repository.git('clone', '--quiet', '--bare', '.', join(layout, '.bare'));
    await at.repository.write(join(layout, '.git'), 'gitdir: ./.bare\n');
    await at.repository.gitIn(layout, 'config', '--global', 'safe.bareRepository', 'explicit');
    const workspace = await testWorkspace(at.home, layout);
    const created = await at.create('x', {}, workspace);
    assert.equal(created.path, join(layout, '.worktrees', 'x'));
    assert.equal(created.base, 'main');
    assert.equal(await at.repository.gitIn(created.path, 'status', '--porcelain'), '');
    await at.repository.write(join(created.path, '.claude-state', 'workflow.json'), '{}');
    assert.equal(await at.repository.gitIn(created.path, 'status', '--porcelain'), '', 'our files are ignored there');
  });

  it('works in a plain bare repository, which is its own main root', async () => {
    const bare = join(at.home.root, 'plain.git');
    await at.repository.git('clone', '--quiet', '--bare', '.', bare);
    const workspace = await testWorkspace(at.home, bare);
    const created = await at.create('x', {}, workspace);
    assert.equal(created.path, join(bare, '.worktrees', 'x'));
    assert.equal(await at.repository.gitIn(created.path, 'status', '--porcelain'), '');
    const { configuration } = workspace;
    const worktree = { ...configuration.worktree, locationPattern: 'refs/{slug}' };
    await assert.rejects(at.create('y', {}, { ...workspace, configuration: { ...configuration, worktree } }), {
      reason: 'outside-repository',
    });
  });

  it('writes launchers that start our programs', async () => {
    const programs = { wt: join(at.home.root, 'wt.js'), hook: join(at.home.root, 'hook.js') };
    await at.repository.write(programs.wt, 'console.log(...process.argv.slice(2));');
    await at.create('x', { programs });
    const launcher = join(at.repository.root, '.worktrees/bin/wt');
    assert.equal(execFileSync(launcher, ['list'], { encoding: 'utf8' }), 'list\n');
    assert.equal(existsSync(join(at.repository.root, '.worktrees/hooks/run')), true);
    assert.equal(await at.repository.git('status', '--porcelain'), '');
  });

  it('records it for other tools in the tracking file', async () => {
    await at.configure('tracking_file: .tracking/worktrees.json\nworktree: { auto_cleanup: false }\n');
    const created = await at.create({ name: 'x', workId: '258' });
    const text = await readFile(join(at.repository.root, '.tracking/worktrees.json'), 'utf8');
    const { worktrees } = JSON.parse(text) as { worktrees: Record<string, unknown>[] };
    assert.deepEqual(
      { ...worktrees[0], updated_at: undefined },
      {
        path: '.worktrees/x',
        branch: 'x',
        work_id: '258',
        status: 'active',
        created_at: created.created,
        created_by: 'test',
        auto_cleanup: false,
        updated_at: undefined,
      },
    );
    assert.equal(await at.repository.git('status', '--porcelain'), '');
  });

  describe('the mode of folders', () => {
    const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
    const own = umask();
    afterEach(() => umask(own));

    for (const [mode, mask] of [
      ['0755', 0o077],
      ['0755', 0],
      ['0775', 0o022],
      ['0700', 0],
    ] as const) {
      it(`is the team's ${mode}, whatever the umask (${mask.toString(8)}), also of those above and of one restored`, async () => {
        await at.configure(`worktree: { location_pattern: "trees/of/{slug}", permissions: "${mode}" }\n`);
        umask(mask);
        const { path } = await at.create('x');
        const made = [path, dirname(path), dirname(dirname(path))];
        for (const folder of made) assert.equal(`0${await modeOf(folder)}`, mode, folder);
        const snapshot = await readSnapshot(at.workspace, { withChanges: false });
        const removal = await inspectRemoval(
          at.workspace,
          snapshot,
          await findWorktree(snapshot, 'x', at.repository.root),
        );
        await removeWorktree(at.workspace, removal, { deleteLater: () => {} });
        await rm(join(at.repository.root, 'trees'), { recursive: true, force: true });
        await undo(at.workspace);
        for (const folder of made) assert.equal(`0${await modeOf(folder)}`, mode, `${folder}, restored`);
      });
    }

    it('is what the umask leaves where the team has said nothing', async () => {
      umask(0o077);
      const { path } = await at.create('x');
      assert.deepEqual([await modeOf(path), await modeOf(dirname(path))], ['700', '700']);
    });
  });

  it('keeps the spelling of a repository that was opened through a link', async () => {
    const link = join(at.home.root, 'link');
    await symlink(at.repository.root, link);
    const created = await at.create('x', {}, await testWorkspace(at.home, link));
    assert.equal(created.path, join(link, '.worktrees', 'x'));
    assert.equal(created.relativePath, '.worktrees/x');
    assert.deepEqual((await at.traces()).listed, [at.repository.root, at.path('x')]);
  });

  it('brings the sparse checkout along that the main working tree has', async () => {
    await at.repository.commit('Folders', { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' });
    await at.repository.git('sparse-checkout', 'set', 'in');
    const { path } = await at.create('x');
    assert.equal(existsSync(join(path, 'in/a.txt')), true);
    assert.equal(existsSync(join(path, 'out/b.txt')), false);
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '');
  });
});
