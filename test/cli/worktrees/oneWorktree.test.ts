import assert from 'node:assert/strict';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { wtHome, type WtHome } from '../support/wt.ts';

describe('commands about one worktree', () => {
  let home: WtHome;
  let repository: TestRepository;
  let auth: string;
  let ui: string;
  before(async () => {
    home = await wtHome();
    repository = await home.repository();
    await repository.write('.git/info/exclude', '/.worktrees/\n/.claude/\n');
    auth = join(repository.root, '.worktrees', 'feat-auth');
    ui = join(repository.root, '.worktrees', 'auth-ui');
    await repository.git('worktree', 'add', '--quiet', '-b', 'feat-auth', auth);
    await repository.commit('Add a', { 'src/a.txt': 'a\n' }, auth);
    await repository.git('worktree', 'add', '--quiet', '-b', 'auth-ui', ui, 'feat-auth');
    const base = await repository.git('rev-parse', 'main');
    const entry = (path: string, branch: string, on: string): object => ({
      path,
      branch,
      base: on,
      pr: null,
      baseCommit: base,
      workId: 'T-7',
      task: 'Log in',
    });
    await repository.write(
      '.worktrees/stack.json',
      JSON.stringify({
        worktrees: { 'feat-auth': entry(auth, 'feat-auth', 'main'), 'auth-ui': entry(ui, 'auth-ui', 'feat-auth') },
      }),
    );
    await repository.write(join(auth, 'README.md'), '# changed\n');
    await repository.write(join(auth, 'new file'), 'x\n');
  });
  after(() => home.dispose());

  describe('wt info', () => {
    it('says what there is to know, for people', async () => {
      const text = await home.done(repository.root, 'info', 'feat-auth');
      const lines = new Map(
        text
          .trimEnd()
          .split('\n')
          .map((line) => line.split(/ {2,}/) as [string, string]),
      );
      assert.equal(lines.get('path'), auth);
      assert.match(lines.get('base') ?? '', /^main at [0-9a-f]{8} ↑1$/);
      assert.equal(lines.get('dependents'), 'auth-ui');
      assert.equal(lines.get('changes'), '2 paths: 1 not staged, 1 untracked');
      assert.deepEqual([lines.get('work id'), lines.get('task')], ['T-7', 'Log in']);
    });

    it('says the same as JSON, as its schema describes', async () => {
      const ran = await home.wt(repository.root, ['info', 'auth-ui', '--json']);
      assertMatches('info', ran.json());
      const { stack, dependents, base, work_id } = ran.json();
      assert.deepEqual([stack, dependents, work_id], [['main', 'feat-auth', 'auth-ui'], [], 'T-7']);
      assert.equal((base as { branch: string }).branch, 'feat-auth');
    });

    it('means the worktree that one is in when it is given no name', async () => {
      assert.match(await home.done(join(auth, 'src'), 'info'), /^name +feat-auth\n/);
      assert.match(await home.done(repository.root, 'info'), /^name +main, the main working tree\n/);
    });

    it('names what there is when it is given a name that is not', async () => {
      const ran = await home.wt(repository.root, ['info', 'feat-aut', '--json']);
      assert.equal(ran.code, 2);
      assertFailure(ran.json(), 'not-found');
      assert.match(ran.stderr, /^wt: There is no worktree named "feat-aut"\.\nnext: .*\n {2}auth-ui\n {2}feat-auth\n$/);
    });

    it('takes a path for a name where a branch is checked out twice', async () => {
      const twice = join(repository.root, '.worktrees', 'twice');
      await repository.git('worktree', 'add', '--quiet', '--force', twice, 'auth-ui');
      const ran = await home.wt(repository.root, ['info', twice]);
      assert.match(ran.stdout, /branch +auth-ui, also checked out in auth-ui\n/);
      await repository.git('worktree', 'remove', twice);
    });

    it('shows a detached worktree with its commit', async () => {
      const detached = join(repository.root, '.worktrees', 'detached');
      await repository.git('worktree', 'add', '--quiet', '--detach', detached);
      assert.match(await home.done(detached, 'info'), /branch +none, detached at [0-9a-f]{8}\n/);
      await repository.git('worktree', 'remove', detached);
    });
  });

  describe('wt diff', () => {
    it('prints what changed since the base, committed or not, and names what git does not track', async () => {
      const ran = await home.wt(repository.root, ['diff', 'feat-auth']);
      assert.equal(ran.code, 0);
      assert.match(ran.stdout, /^diff --git a\/README.md b\/README.md\n/);
      assert.match(ran.stdout, /\+\+\+ b\/src\/a.txt\n/);
      assert.equal(ran.stdout.includes('\u001b['), false);
      assert.match(ran.stderr, /does not track them yet: new file\n$/);
    });

    it('prints a summary with --stat, and git colours where there is colour', async () => {
      assert.match(await home.done(repository.root, 'diff', 'feat-auth', '--stat'), /src\/a\.txt +\| +1 \+\n/);
      const coloured = await home.wt(repository.root, ['diff', 'feat-auth'], { variables: { FORCE_COLOR: '1' } });
      assert.match(coloured.stdout, /\u001b\[/);
    });

    it('lists the files as JSON', async () => {
      const ran = await home.wt(repository.root, ['diff', 'feat-auth', '--json']);
      assertMatches('diff', ran.json());
      const files = ran.json()['files'] as { status: string; path: string }[];
      assert.deepEqual(
        files.map(({ status, path }) => [status, path]),
        [
          ['M', 'README.md'],
          ['A', 'src/a.txt'],
          ['?', 'new file'],
        ],
      );
    });

    it('prints nothing where nothing changed', async () => {
      assert.equal(await home.done(repository.root, 'diff', 'auth-ui', '--stat'), '');
    });
  });

  describe('wt switch and wt active', () => {
    it('write, show and clear the state file', async () => {
      const file = join(repository.root, '.claude', 'dev-worktree.local.md');
      assert.equal(await home.done(auth, 'switch', 'auth-ui'), `${ui}\n`);
      assert.match(
        await readFile(file, 'utf8'),
        new RegExp(`^---\nactive_worktree: ${ui}\nbranch: auth-ui\ncreated: .*\n---\n`),
      );
      assert.equal(await home.done(repository.root, 'active'), `${ui}\n`);
      const [switched, active] = [
        await home.wt(repository.root, ['switch', '.', '-C', auth, '--json']),
        await home.wt(ui, ['active', '--json']),
      ];
      assertMatches('switch', switched.json());
      assertMatches('active', active.json());
      assert.equal(active.json()['active_worktree'], auth);
      const cleared = await home.wt(ui, ['active', '--clear', '--json']);
      assertMatches('active', cleared.json());
      assert.deepEqual(cleared.json(), { success: true, cleared: true });
    });

    it('know the main working tree as ^, whatever its branch, and the way back', async () => {
      const { root } = repository;
      await home.done(auth, 'switch', 'auth-ui');
      await repository.git('checkout', '--quiet', '--detach');
      assert.equal(await home.done(auth, 'switch', '^'), `${root}\n`);
      await repository.git('checkout', '--quiet', 'main');
      assert.equal(await home.done(root, 'active'), `${root}\n`);
      assert.equal(await home.done(root, 'switch', '-'), `${ui}\n`);
      assert.equal(await home.done(auth, 'cd', '^'), `${root}\n`);
      const made = await home.wt(root, ['create', '^', '--branch', 'caret']);
      assert.deepEqual([made.code, made.stdout], [2, '']);
      assert.match(made.stderr, /"\^".*reserved name/);
    });

    it('take ^ for the worktree of the trunk where the repository is bare', async () => {
      const bare = join(home.root, 'bare.git');
      await repository.git('clone', '--quiet', '--bare', '.', bare);
      const trunk = join(home.root, 'trunk');
      assert.match((await home.wt(bare, ['switch', '^'])).stderr, /There is no worktree named "\^"/);
      await repository.gitIn(bare, 'worktree', 'add', '--quiet', trunk, 'main');
      assert.equal(await home.done(bare, 'switch', '^'), `${trunk}\n`);
    });

    it('say in a sentence that none is active, and exit 1', async () => {
      await home.done(repository.root, 'active', '--clear');
      const ran = await home.wt(repository.root, ['active', '--json']);
      assert.equal(ran.code, 1);
      assertFailure(ran.json(), 'not-found');
      assert.equal(ran.stderr, 'wt: There is no active worktree.\nnext: choose one with `wt switch <name>`\n');
    });

    it('tell an active one that cannot be seen from one that is gone, and exit 1', async () => {
      const gone = join(repository.root, '.worktrees', 'gone');
      await repository.git('worktree', 'add', '--quiet', '-b', 'gone', gone);
      await home.done(repository.root, 'switch', 'gone');
      await rm(gone, { recursive: true });
      const ran = await home.wt(repository.root, ['active']);
      assert.deepEqual([ran.code, ran.stdout], [1, '']);
      assert.match(ran.stderr, /gone cannot be seen now: .*\nnext: mount its disk, or run `git worktree repair/);
      const refused = await home.wt(repository.root, ['switch', 'gone']);
      assert.deepEqual([refused.code, refused.stdout], [1, '']);
      await repository.git('worktree', 'prune');
      assert.match((await home.wt(repository.root, ['active'])).stderr, /gone is gone\.\nnext: /);
    });

    it('name the line of a state file that cannot be read, and can clear it', async () => {
      const file = join(repository.root, '.claude', 'dev-worktree.local.md');
      await writeFile(file, '---\nactive_worktree: [\n---\n');
      const ran = await home.wt(repository.root, ['active', '--json']);
      assert.equal(ran.code, 2);
      assertFailure(ran.json(), 'unreadable-file');
      assert.equal((ran.json()['error'] as { file: string }).file, file);
      assert.equal(await readFile(file, 'utf8'), '---\nactive_worktree: [\n---\n');
      await home.done(repository.root, 'active', '--clear');
      await assert.rejects(readFile(file), { code: 'ENOENT' });
    });
  });

  describe('wt path', () => {
    it('gives the place of a project file in the worktree one is in, or a named one', async () => {
      assert.equal(await home.done(join(auth, 'src'), 'path', 'src/a.txt'), `${join(auth, 'src', 'a.txt')}\n`);
      assert.equal(
        await home.done(repository.root, 'path', 'not/yet', '--worktree', 'auth-ui'),
        `${join(ui, 'not', 'yet')}\n`,
      );
      const ran = await home.wt(repository.root, [
        'path',
        join(repository.root, 'README.md'),
        '--worktree',
        'auth-ui',
        '--json',
      ]);
      assertMatches('path', ran.json());
      assert.equal(ran.json()['path'], join(ui, 'README.md'));
    });

    it('refuses a path that leads out of the worktree', async () => {
      const ran = await home.wt(auth, ['path', '../../../x', '--json']);
      assert.equal(ran.code, 2);
      assertFailure(ran.json(), 'outside-repository');
    });
  });

  describe('wt state context', () => {
    it('prints exactly the six fields', async () => {
      const ran = await home.wt(auth, ['state', 'context', '--json']);
      assertMatches('state-context', ran.json());
      const { worktree_id, ...rest } = ran.json();
      assert.deepEqual(rest, {
        worktree_root: auth,
        git_common_dir: join(repository.root, '.git'),
        is_worktree: true,
        branch_name: 'feat-auth',
        state_dir: join(auth, '.claude-state'),
      });
      assert.match(String(worktree_id), /^[0-9a-f]{12}$/);
      assert.match(await home.done(auth, 'state', 'context'), new RegExp(`^worktree_root: ${auth}\ngit_common_dir: `));
    });

    it('is false about being a worktree in the main one, whatever folder of it one is in', async () => {
      const context = await home.wt(repository.root, ['state', 'context', '--json']);
      assert.deepEqual([context.json()['is_worktree'], context.json()['worktree_root']], [false, repository.root]);
    });
  });

  it('keep the spelling of a repository that was opened through a link', async () => {
    const link = join(home.root, 'link');
    await symlink(repository.root, link);
    const ran = await home.wt(link, ['list', '--json'], { variables: { PWD: link } });
    assert.equal((ran.json()['repository'] as { main_root: string }).main_root, link);
  });
});
