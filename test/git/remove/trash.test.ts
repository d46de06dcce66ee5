import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { deleteFolder } from '../../../src/core/base/deleteFolder.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { deleteTrash } from '../../../src/core/trash/trash.ts';
import { newTrash, stagedPath, stageTrash, trashEntry, trashFile } from '../../../src/core/trash/trashEntry.ts';
import { Removals } from '../../support/removals.ts';

describe('deleting what was staged', () => {
  let at: Removals;
  let tree: string;
  beforeEach(async () => {
    at = await Removals.start();
    tree = join(at.home.root, 'tree');
    await mkdir(tree);
  });
  afterEach(() => at.dispose());

  const isStrange = (thrown: unknown): boolean => Problem.is(thrown, 'unsupported');

  it('links, also broken ones and to folders, are deleted and not followed', async () => {
    const outside = join(at.home.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'precious'), 'x');
    await symlink(outside, join(tree, 'folder'));
    await symlink(join(outside, 'precious'), join(tree, 'file'));
    await symlink('nowhere', join(tree, 'broken'));
    await deleteFolder(tree);
    assert.equal(existsSync(tree), false);
    assert.deepEqual(await readdir(outside), ['precious']);
  });

  it('a link in place of the folder is deleted itself', async () => {
    const link = join(at.home.root, 'link');
    await writeFile(join(tree, 'precious'), 'x');
    await symlink(tree, link);
    await deleteFolder(link);
    assert.equal(existsSync(link), false);
    assert.deepEqual(await readdir(tree), ['precious']);
  });

  it('read-only folders and files go too', async () => {
    await mkdir(join(tree, 'module', 'deep'), { recursive: true });
    await writeFile(join(tree, 'module', 'deep', 'file'), 'x', { mode: 0o444 });
    await chmod(join(tree, 'module', 'deep'), 0o555);
    await chmod(join(tree, 'module'), 0o000);
    await deleteFolder(tree);
    assert.equal(existsSync(tree), false);
  });

  it('a tree that is too deep for any path goes too', async () => {
    const name = 'x'.repeat(200);
    let top = join(at.home.root, 'building');
    await mkdir(top);
    // From the inside out, since nothing could be made at the end of so long a path.
    for (let depth = 0; depth < 60; depth++) {
      const outer = join(at.home.root, 'outer');
      await mkdir(outer);
      await rename(top, join(outer, name));
      await rename(outer, top);
    }
    await rename(top, join(tree, 'deep'));
    top = tree;
    await deleteFolder(tree);
    assert.equal(existsSync(tree), false);
  });

  it('a bin goes with the working tree that was staged with it, and nothing beside them', async () => {
    const bin = newTrash(at.workspace.repository);
    const path = join(at.home.root, 'worktree');
    const aside = stagedPath(path, 'one', bin);
    await at.repository.write(join(aside, 'deep', 'file'), 'x');
    await at.repository.write(join(bin.folder, 'record', 'HEAD'), 'x');
    await stageTrash(at.workspace.repository, bin, { tree: aside, was: path, look: undefined });
    await deleteTrash(at.workspace.git, bin.folder);
    assert.deepEqual([existsSync(aside), existsSync(bin.folder), existsSync(tree)], [false, false, true]);
    await deleteTrash(at.workspace.git, bin.folder);
  });

  it('refuses every folder that was not given free', async () => {
    await writeFile(join(tree, 'precious'), 'x');
    await assert.rejects(deleteTrash(at.workspace.git, tree), isStrange);
    const bin = newTrash(at.workspace.repository);
    await at.repository.write(join(bin.folder, 'record', 'HEAD'), 'x');
    await assert.rejects(deleteTrash(at.workspace.git, bin.folder), isStrange);
    await symlink(tree, join(bin.folder, '..', 'linked'));
    await assert.rejects(deleteTrash(at.workspace.git, join(bin.folder, '..', 'linked')), isStrange);
    assert.ok(existsSync(join(tree, 'precious')));
    assert.ok(existsSync(join(bin.folder, 'record', 'HEAD')));
  });

  it('refuses a bin whose note names a folder that we have not renamed', async () => {
    const bin = newTrash(at.workspace.repository);
    await stageTrash(at.workspace.repository, bin, { tree, was: 'x', look: undefined });
    await assert.rejects(deleteTrash(at.workspace.git, bin.folder), isStrange);
    const other = newTrash(at.workspace.repository);
    await stageTrash(at.workspace.repository, bin, { tree: stagedPath(tree, 'one', other), was: 'x', look: undefined });
    await assert.rejects(deleteTrash(at.workspace.git, bin.folder), isStrange);
    assert.ok(existsSync(tree));
  });

  it('what somebody has forgotten to delete is deleted, what is new is left to its owner', async () => {
    const { environment, repository } = at.workspace;
    const trash = trashEntry(repository, 'aaaaaaaaaaaa');
    await at.repository.write(join(trash.folder, 'record', 'HEAD'), 'x');
    await stageTrash(repository, trash, { tree: undefined, was: 'x', look: undefined });
    for (const [minutes, isLeft] of [
      [9, true],
      [11, false],
    ] as const) {
      const now = (): Date => new Date(Date.now() + minutes * 60_000);
      assert.deepEqual(await recoverInterrupted({ ...at.workspace, environment: { ...environment, now } }), []);
      assert.deepEqual([existsSync(trash.folder), existsSync(trashFile(trash.folder))], [isLeft, isLeft]);
    }
  });
});
