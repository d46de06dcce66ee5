import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { undo } from '../../../src/core/recovery/undo.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { readOperations } from '../../../src/core/operations/store.ts';
import { withSizes, withSum } from '../../../src/core/remove/ignoredLabels.ts';
import { Removals } from '../../support/removals.ts';
import { skipBecause } from '../../support/skip.ts';
import { texts } from '../../support/texts.ts';

describe('what git ignores in a removed worktree', function () {
  this.timeout(300_000);
  let at: Removals;
  let path: string;
  beforeEach(async () => {
    at = await Removals.start();
    const rules = ['.env*', '.work/', 'node_modules/', '.venv/', 'build/', '*.log', 'big*', 'data/', '.cache*', 'odd*'];
    await at.repository.commit('Rules', { '.gitignore': rules.map((rule) => `${rule}\n`).join('') });
    path = await at.add('one', { commits: 1 });
  });
  afterEach(() => at.dispose());

  const write = (file: string, text: string): Promise<void> => at.repository.write(join(path, file), text);
  /** Makes a file of a size that takes no room. */
  const large = async (file: string, bytes: number): Promise<void> => {
    await write(file, '');
    await truncate(join(path, file), bytes);
  };
  const kept = (): string => join(at.workspace.repository.commonDir, 'worktree-stacks', 'kept');
  const names = (entries: readonly { path: string }[] | undefined): string[] =>
    (entries ?? []).map((entry) => entry.path);

  /** A new folder on another disk than the repository's: in memory, or outside of it where the tests themselves run there. */
  const folderOnAnotherDisk = async (): Promise<string | undefined> => {
    const own = (await stat(at.home.root)).dev;
    for (const parent of ['/dev/shm', '/tmp', '/var/tmp']) {
      const found = await stat(parent).catch(() => undefined);
      if (found !== undefined && found.dev !== own) return mkdtemp(join(parent, 'wt-test-'));
    }
    return undefined;
  };

  it('comes back as it was when it is small: modes, times, links, empty folders and odd names', async () => {
    await write('.work/handoff.md', 'two hours of notes\n');
    await write('.work/line\nbreak "quoted"', 'odd\n');
    await mkdir(join(path, '.work/empty/deep'), { recursive: true });
    await symlink('handoff.md', join(path, '.work/link'));
    await symlink('/nowhere', join(path, '.work/broken'));
    await write('.work/run.sh', '#!/bin/sh\n');
    await chmod(join(path, '.work/run.sh'), 0o755);
    await write('.work/closed/read-only', 'x\n');
    await chmod(join(path, '.work/closed/read-only'), 0o400);
    await chmod(join(path, '.work/closed'), 0o500);
    const noText = Buffer.concat([Buffer.from(`${path}/odd`), Buffer.from([0xff, 0xfe])]);
    await writeFile(noText, 'no text\n');
    await writeFile(Buffer.concat([Buffer.from(`${path}/.work/`), Buffer.from([0xe9])]), 'no text either\n');
    await write('lib/local.log', 'TOKEN=1\n');
    const before = new Date('2024-02-03T04:05:06Z');
    await utimes(join(path, '.work/handoff.md'), before, before);
    await at.remove('one');
    assert.equal(existsSync(path), false);
    await undo(at.workspace);
    assert.equal(await readFile(join(path, '.work/handoff.md'), 'utf8'), 'two hours of notes\n');
    assert.equal((await stat(join(path, '.work/handoff.md'))).mtime.getTime(), before.getTime());
    assert.equal(await readFile(join(path, '.work/line\nbreak "quoted"'), 'utf8'), 'odd\n');
    assert.deepEqual(await readdir(join(path, '.work/empty')), ['deep']);
    assert.equal(await readlink(join(path, '.work/link')), 'handoff.md');
    assert.equal(await readlink(join(path, '.work/broken')), '/nowhere');
    const mode = async (file: string): Promise<number> => (await lstat(join(path, file))).mode & 0o777;
    assert.deepEqual(
      [await mode('.work/run.sh'), await mode('.work/closed'), await mode('.work/closed/read-only')],
      [0o755, 0o500, 0o400],
    );
    assert.equal(await readFile(noText, 'utf8'), 'no text\n');
    assert.ok(
      (await readdir(join(path, '.work'), { encoding: 'buffer' })).some((name) => name.equals(Buffer.from([0xe9]))),
    );
    assert.equal(await readFile(join(path, 'lib/local.log'), 'utf8'), 'TOKEN=1\n');
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '');
    assert.deepEqual(await readdir(kept()), [], 'it is not kept twice');
  });

  it('is kept where only its owner gets in, and in no object of git', async () => {
    await write('.env', 'SECRET=1\n');
    const { ignored } = await at.remove('one', { force: true });
    const folder = ignored.kept?.folder ?? '';
    assert.equal(await readFile(join(folder, '.env'), 'utf8'), 'SECRET=1\n');
    assert.equal((await stat(join(folder, '..'))).mode & 0o777, 0o700);
    assert.equal((await stat(kept())).mode & 0o777, 0o700);
    const secret = await at.repository.git('hash-object', join(folder, '.env'));
    await assert.rejects(at.repository.git('cat-file', '-e', secret));
  });

  it('goes when it is large or can be fetched again, and is named with its size before and after', async () => {
    await large('node_modules/a/index.js', 1_000_000);
    await large('.venv/lib.py', 12);
    await large('.cache.log', 900_000);
    await large('big.bin', 30_000_000);
    await write('.work/n', '12345678\n');
    const removal = await at.inspect('one');
    assert.deepEqual(names(removal.inspected?.ignored.kept), ['.work/']);
    const { ignored } = await at.act(removal);
    assert.equal(
      withSizes(ignored.gone),
      'big.bin (30 MB), node_modules/ (1.0 MB), .cache.log (900 kB), .venv/ (12 bytes)',
    );
    assert.equal(withSum(ignored.kept?.entries ?? []), '.work/ (9 bytes)');
    const [last] = await readOperations(at.workspace);
    assert.equal(last?.removal?.ignored.count, 4);
    const { notes } = await undo(at.workspace);
    assert.match(texts(notes).join('\n'), /was not kept \(\.cache\.log \(900 kB\), .*`wt setup one`/);
    assert.deepEqual((await readdir(path)).sort(), ['.git', '.gitignore', '.work', 'README.md', 'one-1.txt']);
  });

  it('is kept from the smallest on until the limit is reached, what a build made last', async () => {
    await large('build/out.js', 10);
    for (const [file, size] of [
      ['big1', 40],
      ['big2', 30],
      ['big3', 50],
    ] as const)
      await large(file, size);
    const { configuration } = at.workspace;
    const inspect = (keepIgnored: number): ReturnType<Removals['inspect']> =>
      at.inspect('one', { ...at.workspace, configuration: { ...configuration, cleanup: { keepIgnored } } });
    assert.deepEqual(names((await inspect(100)).inspected?.ignored.kept), ['big1', 'big2', 'build/']);
    assert.deepEqual(names((await inspect(75)).inspected?.ignored.kept), ['big1', 'big2']);
    assert.deepEqual(names((await inspect(0)).inspected?.ignored.kept), []);
  });

  it('a huge folder is not counted to its end, and hides no small one behind it', async () => {
    for (let folder = 0; folder < 5; folder++) {
      await mkdir(join(path, `data/${folder}`), { recursive: true });
      await Promise.all(
        Array.from({ length: 1000 }, (_, number) => writeFile(join(path, `data/${folder}/${number}`), '')),
      );
    }
    await write('odd/notes.md', 'notes\n');
    const { ignored } = await at.remove('one');
    assert.deepEqual(names(ignored.kept?.entries), ['odd/']);
    assert.deepEqual(
      ignored.gone.map((entry) => [entry.path, entry.size.whole]),
      [['data/', false]],
    );
    assert.match(withSizes(ignored.gone), /^data\/ \(more than 0 bytes\)$/);
  });

  it('needs no keeping where it is as in the main working tree, and is always kept where it was changed', async () => {
    await at.repository.write('.env', 'A=1\n');
    await at.repository.write('.env.b', 'B=1\n');
    await write('.env', 'A=1\n');
    await write('.env.b', 'B=mine\n');
    const { configuration } = at.workspace;
    const workspace = { ...at.workspace, configuration: { ...configuration, cleanup: { keepIgnored: 0 } } };
    const { ignored } = await at.remove('one', { force: true, workspace });
    assert.deepEqual(names(ignored.kept?.entries), ['.env.b']);
    await undo(at.workspace);
    assert.equal(await readFile(join(path, '.env'), 'utf8'), 'A=1\n');
    assert.equal(await readFile(join(path, '.env.b'), 'utf8'), 'B=mine\n');
  });

  it('is forgotten after thirty days by any command, and not before', async () => {
    await write('.work/n', 'notes\n');
    await at.remove('one');
    const day = 24 * 60 * 60 * 1000;
    const after = async (days: number): Promise<number> => {
      const now = (): Date => new Date(Date.now() + days * day);
      await recoverInterrupted({ ...at.workspace, environment: { ...at.workspace.environment, now } });
      return (await readdir(kept())).length;
    };
    assert.equal(await after(29), 1);
    assert.equal(await after(31), 0);
    const { notes } = await undo(at.workspace);
    assert.match(texts(notes).join('\n'), /The ignored files and logs that were kept of it are not there any more/);
  });

  it('what is written to it between the question and the removal is kept as well', async () => {
    await write('.work/n', 'notes\n');
    const removal = await at.inspect('one');
    await write('.work/later', 'later\n');
    await write('late.log', 'late\n');
    const { ignored } = await at.act(removal);
    assert.deepEqual(names(ignored.kept?.entries), ['.work/', 'late.log']);
    await undo(at.workspace);
    assert.equal(await readFile(join(path, '.work/later'), 'utf8'), 'later\n');
    assert.equal(await readFile(join(path, 'late.log'), 'utf8'), 'late\n');
  });

  it('is copied where the worktree is on another disk', async function () {
    const other = await folderOnAnotherDisk();
    if (other === undefined) return skipBecause(this, 'no other disk can be written to');
    try {
      const far = join(other, 'far');
      await at.repository.git('worktree', 'add', '--quiet', '-b', 'far', far, 'main');
      await mkdir(join(far, '.work/empty'), { recursive: true });
      await writeFile(join(far, '.work/n'), 'notes\n', { mode: 0o600 });
      await at.remove('far');
      await undo(at.workspace);
      assert.equal(await readFile(join(far, '.work/n'), 'utf8'), 'notes\n');
      assert.equal((await stat(join(far, '.work/n'))).mode & 0o777, 0o600);
      assert.deepEqual(await readdir(join(far, '.work/empty')), []);
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });

  it('a removal that does not come about leaves it where it is, and nothing kept', async () => {
    await write('.work/n', 'notes\n');
    const removal = await at.inspect('one');
    await write('README.md', 'changed\n');
    await assert.rejects(at.act(removal), /something was written to it/);
    assert.equal(await readFile(join(path, '.work/n'), 'utf8'), 'notes\n');
    assert.deepEqual(await readdir(kept()).catch(() => []), []);
  });
});
