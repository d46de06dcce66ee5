import assert from 'node:assert/strict';
import { link, mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskUsage } from '../../../src/core/base/diskUsage.ts';
import { Problem } from '../../../src/core/base/problem.ts';
import { readSnapshot } from '../../../src/core/snapshot/snapshot.ts';
import { measureWorktree, type WorktreeSize } from '../../../src/core/worktree/worktreeSize.ts';
import { Removals } from '../../support/removals.ts';

const kib = 1024;

describe('the size of a worktree', function () {
  this.timeout(300_000);
  let at: Removals;
  let path: string;
  beforeEach(async () => {
    at = await Removals.start();
    await at.repository.commit('Rules', { '.gitignore': 'node_modules/\n*.log\n' });
    path = await at.add('one');
  });
  afterEach(() => at.dispose());

  const blocks = (file: string, size: number): Promise<void> => writeFile(file, Buffer.alloc(size, 'x'));
  const sizeOf = async (name: string): Promise<WorktreeSize> => {
    const { worktrees } = await readSnapshot(at.workspace, { withChanges: false });
    const worktree = worktrees.find((each) => each.name === name);
    assert.ok(worktree);
    const measured = await measureWorktree(at.workspace.git, worktree, { all: worktrees });
    assert.ok(measured);
    return measured.size;
  };
  /** What came to a worktree by doing something, in KiB: in all, and of that ignored. Folders of some disks take blocks of their own. */
  const gained = async (act: () => Promise<unknown>): Promise<[number, number]> => {
    const before = await sizeOf('one');
    await act();
    const now = await sizeOf('one');
    const rounded = (bytes: number): number => Math.floor(bytes / kib / 64) * 64;
    return [rounded(now.bytes - before.bytes), rounded(now.ignored - before.ignored)];
  };

  it('is what its disk has allocated, with what git ignores by itself', async () => {
    const add = async (): Promise<void> => {
      await blocks(join(path, 'new.bin'), 256 * kib);
      await mkdir(join(path, 'node_modules/deep'), { recursive: true });
      await blocks(join(path, 'node_modules/deep/a.bin'), 512 * kib);
      await blocks(join(path, 'run.log'), 128 * kib);
    };
    assert.deepEqual(await gained(add), [256 + 512 + 128, 512 + 128]);
  });

  it('counts the blocks of a sparse file, not its length, and nothing behind a link', async () => {
    const elsewhere = join(at.home.root, 'elsewhere');
    await mkdir(elsewhere);
    await blocks(join(elsewhere, 'big.bin'), 512 * kib);
    const add = async (): Promise<void> => {
      await writeFile(join(path, 'sparse.log'), '');
      await truncate(join(path, 'sparse.log'), 3_000_000_000);
      await symlink(elsewhere, join(path, 'node_modules'));
    };
    assert.deepEqual(await gained(add), [0, 0]);
  });

  it('counts a file with several names once, and not at all where it has a name elsewhere', async () => {
    const store = join(at.home.root, 'store.bin');
    await blocks(store, 512 * kib);
    await mkdir(join(path, 'node_modules'));
    const shared = (): Promise<void> => link(store, join(path, 'node_modules/a.bin'));
    assert.deepEqual(await gained(shared), [0, 0], 'also in a store');
    const twice = async (): Promise<void> => {
      await blocks(join(path, 'node_modules/b.bin'), 256 * kib);
      await link(join(path, 'node_modules/b.bin'), join(path, 'node_modules/c.bin'));
    };
    assert.deepEqual(await gained(twice), [256, 256], 'twice in it');
    const both = async (): Promise<void> => {
      await blocks(join(path, 'node_modules/d.bin'), 256 * kib);
      await link(join(path, 'node_modules/d.bin'), join(path, 'tracked.bin'));
    };
    assert.deepEqual(await gained(both), [256, 0], 'ignored and not: without the ignored part it stays');
  });

  it('of the main working tree is that of its files, without git’s own and without the worktrees in it', async () => {
    const before = await sizeOf('main');
    await blocks(join(path, 'new.bin'), 512 * kib);
    await blocks(join(at.repository.root, '.git/big.bin'), 512 * kib);
    assert.ok((await sizeOf('main')).bytes - before.bytes < 64 * kib);
  });

  it('is given up when it is cancelled', async () => {
    const cancel = new AbortController();
    const measuring = diskUsage([at.repository.root], { signal: cancel.signal, onMeet: () => cancel.abort() });
    await assert.rejects(measuring, (thrown) => Problem.is(thrown, 'cancelled'));
  });
});
