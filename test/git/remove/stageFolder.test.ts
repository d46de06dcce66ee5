import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Problem } from '../../../src/core/base/problem.ts';
import { removeKind } from '../../../src/core/remove/commit.ts';
import type { RemoveData } from '../../../src/core/remove/removeData.ts';
import { putBackFolder, stageFolder } from '../../../src/core/remove/stageFolder.ts';
import { stagedPath, trashEntry } from '../../../src/core/trash/trashEntry.ts';
import { Removals } from '../../support/removals.ts';

describe('staging a folder that Windows does not let go', () => {
  let at: Removals;
  let path: string;
  let aside: string;
  beforeEach(async () => {
    at = await Removals.start();
    path = await at.add('one');
    await mkdir(join(path, 'src'));
    await writeFile(join(path, 'src', 'a.txt'), 'a');
    aside = stagedPath(path, 'one', trashEntry(at.workspace.repository, '0123456789ab'));
  });
  afterEach(() => at.dispose());

  const refusal = (): Error => Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });
  /** The disk of Windows while a program uses certain folders or files: these, and what holds them, cannot be renamed or deleted. */
  const diskWith = (...used: string[]) => {
    const isUsed = (file: string): boolean => used.some((each) => each === file || each.startsWith(`${file}/`));
    return {
      windows: true,
      rename: async (from: string, to: string): Promise<void> => {
        if (isUsed(from)) throw refusal();
        await rename(from, to);
      },
      rmdir: async (folder: string): Promise<void> => {
        if (isUsed(folder)) throw refusal();
        await rmdir(folder);
      },
    };
  };
  const all = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();
  const data = async (differences: Partial<RemoveData>): Promise<RemoveData> => ({
    step: 'begun',
    name: 'one',
    slug: 'one',
    path,
    gitDir: join(at.repository.root, '.git', 'worktrees', 'one'),
    pointer: await readFile(join(at.repository.root, '.git/worktrees/one/gitdir'), 'utf8'),
    bin: '0123456789ab',
    aside,
    inPlace: undefined,
    branch: { name: 'one', oid: await at.repository.git('rev-parse', 'one'), backup: undefined },
    entryPath: path,
    repoint: undefined,
    ...differences,
  });

  it('moves what is in a folder in which a shell stands, and deletes the folder when it may', async () => {
    const before = await all(path);
    assert.equal(await stageFolder('one', path, aside, diskWith(path)), 'emptied');
    assert.deepEqual([await all(path), await all(aside)], [[], before]);
    await removeKind.finish(at.workspace, await data({ step: 'decided', left: true }));
    assert.deepEqual([existsSync(path), existsSync(aside)], [false, false]);
    assert.deepEqual(await at.listed(), [at.repository.root]);
  });

  it('leaves the folder to whoever has put something into it meanwhile', async () => {
    await stageFolder('one', path, aside, diskWith(path));
    await writeFile(join(path, 'new.txt'), 'new');
    await removeKind.finish(at.workspace, await data({ step: 'decided', left: true }));
    assert.deepEqual(await all(path), ['new.txt']);
    assert.equal(existsSync(aside), false);
  });

  it('moves nothing where a file is in use, and says which part and how it goes on', async () => {
    const before = await all(path);
    await assert.rejects(
      stageFolder('one', path, aside, diskWith(join(path, 'src', 'a.txt'))),
      ({ reason, outcome, file, what, nextStep }: Problem) => {
        assert.deepEqual([reason, outcome, file], ['in-use', 'incomplete', join(path, 'src')]);
        assert.deepEqual([what.id, nextStep?.id], ['remove.heldInFolder', 'remove.closeThenRemove']);
        return true;
      },
    );
    await removeKind.rollBack(at.workspace, await data({}));
    assert.deepEqual(await all(path), before);
    assert.equal(existsSync(aside), false);
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain', '-uno'), '');
  });

  it('puts everything back after a kill at any step', async () => {
    const before = await all(path);
    const steps = (await readdir(path)).length + 1;
    for (let step = 0; step < steps; step++) {
      let left = step;
      const disk = diskWith(path);
      const killed = {
        ...disk,
        rename: async (from: string, to: string): Promise<void> => {
          if (from !== path && left-- === 0) throw Object.assign(new Error('killed'), { code: 'EIO' });
          await disk.rename(from, to);
        },
      };
      await stageFolder('one', path, aside, killed).catch(() => undefined);
      await removeKind.rollBack(at.workspace, await data({}));
      assert.deepEqual([await all(path), existsSync(aside)], [before, false], `at step ${step}`);
    }
  });

  it('puts nothing over what somebody else has made at its place', async () => {
    await rename(path, aside);
    await mkdir(path);
    await writeFile(join(path, 'new.txt'), 'new');
    assert.equal(await putBackFolder(aside, path), false);
    await assert.rejects(removeKind.rollBack(at.workspace, await data({})), { reason: 'taken' });
    await rm(join(path, 'new.txt'));
    assert.equal(await putBackFolder(aside, path), true);
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain', '-uno'), '');
  });

  it('is deleted where it is on other systems, where only the root of a disk is refused so', async () => {
    assert.equal(await stageFolder('one', path, aside, { ...diskWith(path), windows: false }), 'inPlace');
    await assert.rejects(stageFolder('one', path, join(dirname(aside), 'no', 'where')), { reason: 'not-writable' });
  });
});
