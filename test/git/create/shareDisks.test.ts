import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { skipBecause } from '../../support/skip.ts';
import { Creations } from '../../support/creations.ts';
import { testHome, type TestHome } from '../../support/tempRepo.ts';
import { texts } from '../../support/texts.ts';

const quiet = { stdio: 'ignore' } as const;

/** A disk that copies on write, in a file; why there is none where that is so. */
class ReflinkDisk {
  readonly place: string;

  private constructor(place: string) {
    this.place = place;
  }

  static mount(home: string): ReflinkDisk | string {
    if (process.platform !== 'linux' || getuid?.() !== 0) return 'only root mounts a disk, on Linux';
    const [image, place] = [join(home, 'disk.img'), join(home, 'disk')];
    writeFileSync(image, '');
    truncateSync(image, 128 * 2 ** 20);
    mkdirSync(place);
    try {
      execFileSync('mkfs.btrfs', ['-q', image], quiet);
      execFileSync('mount', ['-o', 'loop', image, place], quiet);
    } catch {
      rmSync(image);
      return 'no btrfs can be made and mounted here (btrfs-progs, loop devices)';
    }
    return new ReflinkDisk(place);
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.place], quiet);
  }
}

describe('sharing on a disk that copies on write', () => {
  let home: TestHome;
  let at: Creations;
  let disk: ReflinkDisk | undefined;
  let whyNot = '';
  before(async () => {
    home = await testHome();
    const mounted = ReflinkDisk.mount(home.root);
    if (typeof mounted === 'string') {
      whyNot = mounted;
      return;
    }
    disk = mounted;
    at = await Creations.start('disk/project', home);
    await at.repository.commit('Ignore', { '.gitignore': '/deps/\n' });
    await at.repository.write('deps/large', 'x'.repeat(3_000_000));
    await at.repository.write('deps/empty', '');
  });
  beforeEach(function () {
    if (whyNot !== '') skipBecause(this, whyNot);
  });
  after(async () => {
    disk?.unmount();
    await home.dispose();
  });

  it('takes no room, and a change of one leaves the other as it is', async () => {
    await at.configure('worktree: { share: [{ path: deps, how: reflink }] }\n');
    const created = await at.create('x');
    assert.deepEqual(created.shared, [{ path: 'deps', how: 'reflink', files: 2, bytes: 3_000_000, saved: 3_000_000 }]);
    const [one, other] = [join(created.path, 'deps/large'), join(at.repository.root, 'deps/large')];
    assert.notEqual(statSync(one).ino, statSync(other).ino);
    await appendFile(one, 'y');
    assert.equal((await readFile(other)).length, 3_000_000);
  });

  it('copies to another disk, or leaves out what is to be shared or nothing', async () => {
    await at.configure(
      `worktree: { location_pattern: '${home.root}/out/{slug}', share: [deps, { path: /deps/large, how: reflink }] }\n`,
    );
    const copied = await at.create('y');
    assert.deepEqual(copied.shared, [{ path: 'deps', how: 'copy', files: 2, bytes: 3_000_000, saved: 0 }]);
    await at.configure(
      `worktree: { location_pattern: '${home.root}/out/{slug}', share: [{ path: deps, how: reflink }] }\n`,
    );
    const left = await at.create('z');
    assert.deepEqual(left.shared, []);
    assert.deepEqual(texts(left.warnings), ['deps was not copied: this disk cannot copy on write.']);
  });
});
