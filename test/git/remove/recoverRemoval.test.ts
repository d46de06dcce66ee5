import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import { removeKind } from '../../../src/core/remove/commit.ts';
import type { RemoveData } from '../../../src/core/remove/removeData.ts';
import { stagedPath, trashEntry } from '../../../src/core/trash/trashEntry.ts';
import { Removals } from '../../support/removals.ts';

describe('recovering a removal', () => {
  let at: Removals;
  let path: string;
  beforeEach(async () => {
    at = await Removals.start();
    path = await at.add('one');
  });
  afterEach(() => at.dispose());

  const dataFor = async (differences: Partial<RemoveData>): Promise<RemoveData> => {
    const gitDir = join(at.repository.root, '.git', 'worktrees', 'one');
    const bin = trashEntry(at.workspace.repository, '0123456789ab');
    return {
      step: 'decided',
      name: 'one',
      slug: 'one',
      path,
      gitDir,
      pointer: await readFile(join(gitDir, 'gitdir'), 'utf8'),
      bin: bin.id,
      aside: stagedPath(path, 'one', bin),
      inPlace: undefined,
      branch: { name: 'one', oid: await at.repository.git('rev-parse', 'one'), backup: undefined },
      entryPath: path,
      repoint: { from: 'one', to: 'main' },
      ...differences,
    };
  };
  const recover = async (data: RemoveData): Promise<void> => {
    // As it comes back from the file.
    const read = JSON.parse(JSON.stringify(data)) as RemoveData;
    if (await removeKind.isCommitted(at.workspace, read)) await removeKind.finish(at.workspace, read);
    else await removeKind.rollBack(at.workspace, read);
  };

  it('completes one that had to delete the folder where it is', async () => {
    const inPlace = { gitFile: await readFile(join(path, '.git'), 'utf8') };
    await recover(await dataFor({ aside: undefined, inPlace }));
    assert.equal(existsSync(path), false);
    assert.deepEqual(await at.listed(), [at.repository.root]);
    assert.deepEqual(await at.branches(), ['main']);
  });

  it('is not complete while git’s record cannot be moved away, and is the next time', async () => {
    const trash = join(at.repository.root, '.git/worktree-stacks/trash');
    // A folder that cannot be made.
    await mkdir(dirname(trash), { recursive: true });
    await symlink('nowhere', trash);
    const data = await dataFor({ branch: undefined });
    await rename(path, data.aside ?? '');
    await assert.rejects(recover(data), { reason: 'not-writable', outcome: 'incomplete' });
    assert.ok((await at.listed()).includes(path));
    assert.ok((await readRegistry(at.workspace.repository)).worktrees.has('one'));
    await rm(trash);
    await recover(data);
    assert.deepEqual(await at.listed(), [at.repository.root]);
    assert.equal((await readRegistry(at.workspace.repository)).worktrees.has('one'), false);
  });

  it('deletes nothing where another worktree stands by now', async () => {
    const data = await dataFor({ aside: undefined, inPlace: { gitFile: 'gitdir: /some/other\n' } });
    await recover(data);
    assert.ok(existsSync(join(path, 'README.md')));
    assert.deepEqual(await at.listed(), [at.repository.root, path]);
    // It is checked out there, after all.
    assert.deepEqual(await at.branches(), ['main', 'one']);
  });

  it('leaves a worktree alone that was made at the same path, under the same name, since', async () => {
    const data = await dataFor({});
    await rename(path, data.aside ?? '');
    await at.repository.git('worktree', 'prune');
    await at.repository.git('worktree', 'add', '--quiet', path, 'one');
    await writeFile(join(path, 'new.txt'), 'new\n');
    await recover(data);
    assert.equal(existsSync(data.aside ?? ''), false);
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '?? new.txt');
    assert.ok((await at.branches()).includes('one'));
    assert.ok((await readRegistry(at.workspace.repository)).worktrees.has('one'));
  });

  it('a bin that has been emptied already is no matter', async () => {
    const data = await dataFor({});
    await rename(path, data.aside ?? '');
    await recover(data);
    await recover(data);
    assert.deepEqual(await readdir(join(at.repository.root, '.git', 'worktree-stacks', 'trash')), []);
    assert.deepEqual(await at.listed(), [at.repository.root]);
  });

  it('puts a folder back that was aside before it was decided', async () => {
    const data = await dataFor({ step: 'begun' });
    await rename(path, data.aside ?? '');
    await recover(data);
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '');
    await recover(data);
    assert.ok(existsSync(path));
  });

  it('a worktree that was deleted by hand before it was decided stays deleted', async () => {
    const data = await dataFor({ step: 'begun' });
    await rm(path, { recursive: true });
    await recover(data);
    assert.equal(existsSync(path), false);
  });
});
