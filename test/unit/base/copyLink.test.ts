import assert from 'node:assert/strict';
import { lstat, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyLink } from '../../../src/core/base/copyLink.ts';
import { onlyWhere, reasons } from '../../support/systems.ts';

describe('copying a link', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wt-test-'));
    await mkdir(join(folder, 'from', 'deep'), { recursive: true });
    await mkdir(join(folder, 'to'));
    await writeFile(join(folder, 'from', 'file'), 'text');
    for (const [name, target] of Object.entries({ toFile: 'file', toFolder: 'deep', toNothing: 'gone' }))
      await symlink(target, join(folder, 'from', name));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const made: (readonly [target: string, type: string | undefined])[] = [];
  beforeEach(() => void (made.length = 0));
  /** Windows, which lets only some people make links that are no junctions. */
  const windows = (may: boolean) => ({
    windows: true,
    symlink: async (target: string, path: string, type?: 'file' | 'dir' | 'junction'): Promise<void> => {
      if (!may && type !== 'junction') throw Object.assign(new Error('EPERM: symlink'), { code: 'EPERM' });
      made.push([target, type]);
      await symlink(target, path);
    },
  });
  const copy = async (name: string, disk?: ReturnType<typeof windows>): Promise<string> => {
    const source = join(folder, 'from', name);
    return copyLink(source, await readlink(source), join(folder, 'to', name), disk);
  };

  onlyWhere(reasons.links)('makes it as it is written, also where it leads to nothing', async () => {
    for (const name of ['toFile', 'toFolder', 'toNothing']) {
      assert.equal(await copy(name), 'link');
      assert.equal(await readlink(join(folder, 'to', name)), await readlink(join(folder, 'from', name)));
    }
  });

  onlyWhere(reasons.links)('tells Windows whether it leads to a folder, which need not be there yet', async () => {
    for (const name of ['toFile', 'toFolder', 'toNothing']) assert.equal(await copy(name, windows(true)), 'link');
    assert.deepEqual(made, [
      ['file', 'file'],
      ['deep', 'dir'],
      ['gone', 'file'],
    ]);
  });

  onlyWhere(reasons.links)(
    'makes a junction to the new folder where no link may be made, and copies a file',
    async () => {
      assert.equal(await copy('toFolder', windows(false)), 'junction');
      assert.deepEqual(made, [[join(folder, 'to', 'deep'), 'junction']]);
      assert.equal(await copy('toFile', windows(false)), 'copy');
      const copied = join(folder, 'to', 'toFile');
      assert.deepEqual([(await lstat(copied)).isFile(), await readFile(copied, 'utf8')], [true, 'text']);
      await assert.rejects(copy('toNothing', windows(false)), { code: 'EPERM' });
    },
  );
});
