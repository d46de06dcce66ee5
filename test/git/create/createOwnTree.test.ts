import assert from 'node:assert/strict';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { findMainRoot } from '../../../src/core/claude/mainRoot.ts';
import { createWorktree } from '../../../src/core/create/create.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { removeWorktree } from '../../../src/core/remove/remove.ts';
import { inspectRemoval } from '../../../src/core/remove/inspect.ts';
import type { Workspace } from '../../../src/core/worktree/workspace.ts';
import { Creations } from '../../support/creations.ts';
import { skipBecause } from '../../support/skip.ts';
import { texts } from '../../support/texts.ts';

/** Git can be led to take another folder for the working tree of a new worktree. Nothing may be written or deleted there. */
describe('a new worktree whose repository names another working tree', () => {
  let at: Creations;
  beforeEach(async () => {
    at = await Creations.start();
    await at.repository.commit('Files', { 'a.txt': 'a\n', 'd/b.txt': 'b\n' });
  });
  afterEach(() => at.dispose());

  const git = (folder: string, ...args: string[]): Promise<string> => at.repository.gitIn(folder, ...args);

  /** A submodule, whose git directory names its working tree. */
  const submodule = async (): Promise<{ tree: string; gitDir: string; workspace: Workspace }> => {
    const { root } = at.repository;
    const lib = await at.home.repository('lib');
    await lib.commit('Files', { 'a.txt': 'a\n' });
    await git(root, 'submodule', '--quiet', 'add', lib.root, 'lib');
    await git(root, 'commit', '--quiet', '-m', 'Lib');
    const tree = join(root, 'lib');
    await git(tree, 'config', 'extensions.worktreeConfig', 'true');
    return { tree, gitDir: join(root, '.git', 'modules', 'lib'), workspace: await at.at(tree) };
  };

  it('is set right in a submodule, where the main working tree stays what it was', async () => {
    const { tree, gitDir, workspace } = await submodule();
    const { path, warnings } = await createWorktree(workspace, { name: 'y', createdBy: 'test' });
    assert.equal(await git(path, 'rev-parse', '--show-toplevel'), path);
    assert.equal(await readFile(join(path, 'a.txt'), 'utf8'), 'a\n');
    assert.equal(await git(path, 'status', '--porcelain'), '');
    await assert.rejects(readFile(join(gitDir, 'a.txt')), 'nothing was written into the git directory');
    assert.equal(await git(tree, 'rev-parse', '--show-toplevel'), tree);
    assert.equal(await git(tree, 'status', '--porcelain'), '');
    assert.match(texts(warnings).join('\n'), /core\.worktree was moved .* config\.worktree/);
    assert.equal((await findMainRoot(path))?.mainRoot, tree, 'hooks find the same main root');
    assert.deepEqual((await createWorktree(workspace, { name: 'z', createdBy: 'test' })).warnings, []);
  });

  it('is set right in a bare repository and in a plain one', async () => {
    const bare = join(at.home.root, 'bare.git');
    await git(at.home.root, 'clone', '--quiet', '--bare', at.repository.root, bare);
    await git(bare, 'config', 'extensions.worktreeConfig', 'true');
    const first = await createWorktree(await at.at(bare), { name: 'y', createdBy: 'test' });
    assert.equal(await git(first.path, 'status', '--porcelain'), '');
    assert.equal(await git(bare, 'rev-parse', '--is-bare-repository'), 'true');
    await at.repository.git('config', 'core.worktree', at.repository.root);
    await at.repository.git('config', 'extensions.worktreeConfig', 'true');
    await writeFile(join(at.repository.root, 'a.txt'), 'mine\n');
    const { path } = await at.create('y');
    assert.equal(await readFile(join(path, 'a.txt'), 'utf8'), 'a\n');
    assert.equal(await readFile(join(at.repository.root, 'a.txt'), 'utf8'), 'mine\n');
    assert.equal(await at.repository.git('rev-parse', '--show-toplevel'), at.repository.root);
  });

  it('is not made where the setting cannot be moved; nothing is left and nothing is written', async () => {
    const { tree, gitDir, workspace } = await submodule();
    // Somebody else has the configuration open.
    await writeFile(join(gitDir, 'config.lock'), '');
    const problem: unknown = await createWorktree(workspace, { name: 'y', createdBy: 'test' }).catch(
      (thrown: unknown) => thrown,
    );
    assert.ok(Problem.is(problem, 'inconsistent'));
    assert.equal(problem.outcome, 'incomplete');
    assert.match(
      `${problem.message} ${problem.next ?? ''}`,
      /core\.worktree is set in .*config.*--unset core\.worktree/,
    );
    await assert.rejects(readFile(join(gitDir, 'a.txt')));
    assert.equal(await git(tree, 'branch', '--format=%(refname:short)'), 'main');
    assert.equal((await git(tree, 'worktree', 'list')).split('\n').length, 1);
    assert.equal(await git(tree, 'status', '--porcelain'), '');
    await rm(join(gitDir, 'config.lock'));
    assert.equal((await createWorktree(workspace, { name: 'y', createdBy: 'test' })).name, 'y');
  });

  it('made by git alone, is removed without touching the other files', async () => {
    const { tree, gitDir, workspace } = await submodule();
    const path = join(tree, '.worktrees', 'y');
    await git(tree, 'worktree', 'add', '--quiet', '--no-checkout', '-b', 'y', path);
    // What that worktree takes for its files is the git directory of the submodule.
    await writeFile(join(gitDir, 'a.txt'), 'somebody’s\n');
    const before = await readFile(join(gitDir, 'config'), 'utf8');
    const snapshot = await readSnapshot(workspace, { withChanges: false });
    const worktree = snapshot.worktrees.find(({ name }) => name === 'y');
    assert.ok(worktree);
    const removal = await inspectRemoval(workspace, snapshot, worktree);
    await removeWorktree(workspace, removal, { force: true, deleteLater: () => undefined });
    assert.equal(await readFile(join(gitDir, 'a.txt'), 'utf8'), 'somebody’s\n');
    assert.equal(await readFile(join(gitDir, 'config'), 'utf8'), before);
    assert.equal(await git(tree, 'status', '--porcelain'), '');
  });

  it('is not made in a folder that git does not trust', async function () {
    if (process.getuid?.() !== 0) skipBecause(this, 'only root can give a folder to another user');
    const folder = at.path('y');
    await at.create('other');
    await mkdir(folder);
    await chown(folder, 65534, 65534);
    const before = await at.traces();
    const problem: unknown = await at.create('y').catch((thrown: unknown) => thrown);
    assert.ok(Problem.is(problem, 'unsafe-repository'));
    assert.equal(problem.outcome, 'incomplete');
    assert.match(problem.next ?? '', /safe\.directory/);
    assert.deepEqual(await at.traces(), before);
  });
});
