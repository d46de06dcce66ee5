import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { Git } from '../../../src/core/git/git.ts';
import { createWorktree } from '../../../src/core/create/create.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { Creations } from '../../support/creations.ts';
import { noDisk, skipBecause } from '../../support/skip.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { texts } from '../../support/texts.ts';

/**
 * Does what git-crypt does: its key lies in the git directory that `git rev-parse --git-dir` names, and without it every filter fails. Its
 * cipher is `rot13`.
 */
const cryptFilter = `#!/bin/sh
key="$(git rev-parse --git-dir)/git-crypt/keys/default"
[ -r "$key" ] || { echo "git-crypt: Error: Unable to open key file - have you unlocked/initialized this repository yet?" >&2; exit 1; }
exec tr 'A-Za-z' 'N-ZA-Mn-za-m'
`;

describe('checking out a new worktree', () => {
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
  });
  afterEach(() => at.dispose());

  const program = async (name: string, text: string): Promise<string> => {
    const file = join(at.home.root, name);
    await writeFile(file, text);
    await chmod(file, 0o755);
    return file;
  };
  const filter = async (name: string, smudge: string, clean = 'cat', folder = at.repository.root): Promise<void> => {
    await at.repository.gitIn(folder, 'config', `filter.${name}.clean`, clean);
    await at.repository.gitIn(folder, 'config', `filter.${name}.smudge`, smudge);
    await at.repository.gitIn(folder, 'config', `filter.${name}.required`, 'true');
  };
  /** The problem that a creation ends with; nothing may be left of it. */
  const refusal = async (name = 'y', workspace = at.workspace): Promise<Problem> => {
    const before = await at.traces();
    const thrown: unknown = await at.create(name, {}, workspace).catch((problem: unknown) => problem);
    assert.ok(Problem.is(thrown), `it failed: ${String(thrown)}`);
    assert.equal(thrown.outcome, 'incomplete');
    assert.deepEqual(await at.traces(), before);
    assert.equal(await at.repository.git('config', '--get-regexp', '^branch\\.').catch(() => ''), '');
    return thrown;
  };
  const told = (problem: Problem): string => [problem.message, problem.next, ...problem.items].join('\n');

  describe('whose filter fails', () => {
    beforeEach(async () => {
      await at.create('first');
      await at.repository.commit('Large', { '.gitattributes': '*.bin filter=lfs\n*.x filter=other\n' });
    });

    it('names a git-lfs that is missing, and the way without it, which works', async () => {
      await filter('lfs', 'git-lfs-that-is-not-installed smudge');
      await at.repository.commit('Large', { 'data.bin': 'pointer\n' });
      const problem = await refusal();
      assert.match(problem.message, /^y was not created: git-lfs, .* is not installed/);
      assert.match(problem.next ?? '', /`GIT_LFS_SKIP_SMUDGE=1 wt create y`/);
      const { environment } = at.workspace;
      const variables = { ...environment.variables, GIT_LFS_SKIP_SMUDGE: '1' };
      const skipping: Workspace = { ...at.workspace, environment: { ...environment, variables } };
      const { path } = await createWorktree(
        { ...skipping, git: new Git(skipping.environment) },
        { name: 'y', createdBy: 'test' },
      );
      assert.equal(await readFile(join(path, 'data.bin'), 'utf8'), 'pointer\n');
    });

    it('names a git-lfs whose server is away, and lets its variable through to it', async () => {
      const smudge = await program(
        'git-lfs-smudge',
        '#!/bin/sh\n[ -n "$GIT_LFS_SKIP_SMUDGE" ] && exec cat\necho "batch response: 404 not found" >&2; exit 2\n',
      );
      await filter('lfs', smudge);
      await at.repository.commit('Large', { 'data.bin': 'pointer\n' });
      const problem = await refusal();
      assert.match(told(problem), /git-lfs could not get the large files[^]*GIT_LFS_SKIP_SMUDGE=1[^]*404/);
    });

    it('names any other one that is required', async () => {
      await filter('other', 'false');
      await at.repository.commit('Other', { 'data.x': 'x\n' });
      assert.match(told(await refusal()), /the filter other of this repository failed[^]*filter/);
    });

    it('says what one that is not required has said, and goes on as git does', async () => {
      await at.repository.git('config', 'filter.other.smudge', 'false');
      await at.repository.commit('Other', { 'data.x': 'x\n' });
      const { path, warnings } = await at.create('y');
      assert.equal(await readFile(join(path, 'data.x'), 'utf8'), 'x\n');
      assert.match(texts(warnings).join('\n'), /external filter 'false' failed/);
    });
  });

  describe('of a repository that is encrypted', () => {
    const unlock = async (gitDir: string): Promise<void> => {
      await mkdir(join(gitDir, 'git-crypt', 'keys'), { recursive: true });
      await writeFile(join(gitDir, 'git-crypt', 'keys', 'default'), 'key\n');
    };
    const encrypt = async (folder: string): Promise<void> => {
      const command = await program('git-crypt', cryptFilter);
      await filter('git-crypt', command, command, folder);
      await at.repository.commit('Secret', { '.gitattributes': 'secret filter=git-crypt\n', secret: 'hush\n' }, folder);
    };

    it('has its files in the clear where the main working tree is unlocked, and can be worked in', async () => {
      const { root } = at.repository;
      await unlock(join(root, '.git'));
      await encrypt(root);
      assert.equal(await at.repository.git('cat-file', 'blob', 'HEAD:secret'), 'uhfu');
      const { path } = await at.create('y');
      assert.equal(await readFile(join(path, 'secret'), 'utf8'), 'hush\n');
      assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '');
      await at.repository.commit('More', { secret: 'hush, hush\n' }, path);
      assert.equal(await at.repository.gitIn(path, 'cat-file', 'blob', 'HEAD:secret'), 'uhfu, uhfu');
    });

    it('is not made while that is locked, which it says', async () => {
      const { root } = at.repository;
      await unlock(join(root, '.git'));
      await encrypt(root);
      await at.create('first');
      await rm(join(root, '.git', 'git-crypt'), { recursive: true });
      const problem: unknown = await at.create('y').catch((thrown: unknown) => thrown);
      assert.ok(Problem.is(problem));
      assert.equal(problem.outcome, 'incomplete');
      assert.match(told(problem), /git-crypt has encrypted are locked[^]*`git-crypt unlock`/);
      // Git itself can tell no status here.
      assert.deepEqual(await readdir(join(root, '.git', 'worktrees')), ['first']);
      assert.equal(await at.repository.git('branch', '--list', 'y'), '');
    });

    it('has those of a submodule in the clear as well', async () => {
      const { root } = at.repository;
      const lib = await at.home.repository('lib');
      await at.repository.git('submodule', '--quiet', 'add', lib.root, 'lib');
      await unlock(join(root, '.git', 'modules', 'lib'));
      await encrypt(join(root, 'lib'));
      await at.repository.commit('Lib', {});
      const { path } = await at.create('y');
      assert.equal(await readFile(join(path, 'lib', 'secret'), 'utf8'), 'hush\n');
    });
  });

  it('says that the remote of a partial clone is away', async () => {
    const { root } = at.repository;
    await at.repository.commit('Files', { 'a.txt': 'a\n' });
    await at.repository.git('config', 'uploadpack.allowFilter', 'true');
    const clone = join(at.home.root, 'clone');
    await at.repository.gitIn(
      at.home.root,
      'clone',
      '--quiet',
      '--no-checkout',
      '--filter=blob:none',
      `file://${root}`,
      clone,
    );
    await rename(root, `${root}-away`);
    const thrown: unknown = await createWorktree(await testWorkspace(at.home, clone), {
      name: 'y',
      createdBy: 'test',
    }).catch((problem: unknown) => problem);
    assert.ok(Problem.is(thrown));
    assert.equal(thrown.outcome, 'incomplete');
    assert.match(told(thrown), /partial clone[^]*git remote -v/);
    assert.equal(await at.repository.gitIn(clone, 'branch', '--format=%(refname:short)'), 'main');
    assert.deepEqual(await readdir(join(clone, '.git', 'worktrees')).catch(() => []), []);
  });

  it('says that a file name is too long for the disk', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'how long a name may be differs from system to system');
    await at.create('first');
    await at.repository.write('a.txt', 'a\n');
    const blob = await at.repository.git('hash-object', '-w', 'a.txt');
    await rm(join(at.repository.root, 'a.txt'));
    await at.repository.git('checkout', '--quiet', '--detach');
    await at.repository.git('update-index', '--add', '--cacheinfo', `100644,${blob},${'n'.repeat(260)}`);
    const tree = await at.repository.git('write-tree');
    await at.repository.git('reset', '--quiet');
    const commit = await at.repository.git('commit-tree', '-p', 'main', '-m', 'Long', tree);
    await at.repository.git('branch', '--force', 'long', commit);
    const before = await at.traces();
    const thrown: unknown = await at.create({ name: 'y', base: 'long' }).catch((problem: unknown) => problem);
    assert.ok(Problem.is(thrown));
    assert.equal(thrown.outcome, 'incomplete');
    assert.match(thrown.message, /longer than this system allows/);
    assert.deepEqual(await at.traces(), before);
  });

  it('is looked at when git reports success: a file that is missing, or cut off, takes it back', async () => {
    await at.create('first');
    await at.repository.commit('Files', {
      'a.txt': 'aaaa\n',
      'b.txt': 'bbbb\n',
      '.gitattributes': '*.txt filter=odd\n',
    });
    await at.repository.commit('Last', { 'z.txt': 'z\n' });
    for (const harm of ['rm a.txt', 'printf aa > b.txt']) {
      await filter('odd', `${await program('odd', `#!/bin/sh\n[ "$1" = z.txt ] && ${harm}\nexec cat\n`)} %f`);
      const problem = await refusal();
      assert.match(told(problem), /reported no failure, but a file is not as the commit has it[^]*[ab]\.txt/);
    }
    await filter('odd', 'cat');
    await at.create('y');
  });

  it('is not taken for wrong where git would commit other line ends than are in the files', async () => {
    await at.repository.commit('Lines', { 'a.txt': 'one\r\ntwo\r\n' });
    await writeFile(join(at.repository.root, '.git', 'info', 'attributes'), '*.txt text eol=crlf\n');
    const { path } = await at.create('y');
    assert.equal(await readFile(join(path, 'a.txt'), 'utf8'), 'one\r\ntwo\r\n');
  });

  describe('on a disk that is full', () => {
    let disk: string;
    let mounted = false;
    beforeEach(async function () {
      disk = join(at.home.root, 'disk');
      await mkdir(disk);
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk], { stdio: 'ignore' });
        mounted = true;
      } catch {
        skipBecause(this, noDisk);
      }
    });
    afterEach(() => {
      if (mounted) execFileSync('umount', ['-l', disk]);
      mounted = false;
    });

    for (const room of [0, 16, 40, 600]) {
      it(`with ${room} KiB left leaves nothing behind, says so, and works once there is space`, async () => {
        const root = join(disk, 'r');
        const gitIn = (folder: string, ...args: string[]): Promise<string> => at.repository.gitIn(folder, ...args);
        await gitIn(disk, 'clone', '--quiet', at.repository.root, root);
        await at.repository.commit('Large', { large: 'x'.repeat(900_000) }, root);
        const workspace = await testWorkspace(at.home, root);
        // Folders that stay are there before it is full.
        await createWorktree(workspace, { name: 'first', createdBy: 'test' });
        await gitIn(root, 'worktree', 'remove', '--force', '.worktrees/first');
        await rm(join(disk, 'filler'), { force: true });
        const state = async (): Promise<string[]> => [
          await gitIn(root, 'for-each-ref'),
          await gitIn(root, 'worktree', 'list'),
          ...(await readdir(join(root, '.worktrees'))).sort(),
          ...(await readdir(join(root, '.git', 'worktrees')).catch(() => [])),
          ...(await readdir(join(root, '.git', 'worktree-stacks', 'operations'))),
          await readFile(join(root, '.worktrees', 'stack.json'), 'utf8'),
        ];
        const before = await state();
        const free = Number(execFileSync('df', ['--output=avail', '-k', disk]).toString().split('\n')[1]);
        execFileSync(
          'dd',
          ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=1k', `count=${Math.max(0, free - room)}`],
          {
            stdio: 'ignore',
          },
        );
        const thrown: unknown = await createWorktree(workspace, { name: 'y', createdBy: 'test' }).catch(
          (problem: unknown) => problem,
        );
        assert.ok(Problem.is(thrown), String(thrown));
        assert.equal(thrown.outcome, 'incomplete');
        assert.match(thrown.message, /^y was not created: the disk is full/);
        assert.deepEqual(await state(), before);
        await rm(join(disk, 'filler'));
        await createWorktree(workspace, { name: 'y', createdBy: 'test' });
      });
    }
  });
});
