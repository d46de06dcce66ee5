import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, readdir, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { assertMatches } from './support/schema.ts';
import { noDisk, skipBecause } from '../support/skip.ts';
import { spawnAndWait, wtHome, type WtHome } from './support/wt.ts';
import { shareOf } from '../support/share.ts';

describe('on a full disk', function () {
  this.timeout(300_000);
  let home: WtHome;
  let disk: string;
  let root: string;

  before(async function () {
    home = await wtHome();
    disk = join(home.root, 'disk');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return skipBecause(this, noDisk);
    }
    execFileSync('umount', [disk]);
  });
  after(() => home.dispose());
  beforeEach(async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk]);
    root = join(disk, 'project');
    await git('init', '--quiet', root);
    await writeFile(join(root, '.gitignore'), '.work/\nnode_modules/\n');
    await git('-C', root, 'add', '--all');
    await git('-C', root, 'commit', '--quiet', '-m', 'Start');
  });
  afterEach(() => execFileSync('umount', ['--lazy', disk]));

  async function git(...args: string[]): Promise<string> {
    const ran = await spawnAndWait('git', args, disk, home.variables);
    assert.equal(ran.code, 0, `git ${args.join(' ')}: ${ran.stderr}`);
    return ran.stdout;
  }
  const at = (name: string): string => join(root, '.worktrees', name);
  const room = join('.git', 'worktree-stacks', 'spare-room');

  /** Takes all the room that is left. */
  async function fill(): Promise<void> {
    const file = await open(join(disk, 'fill'), 'a');
    const chunk = Buffer.alloc(4096, 1);
    try {
      for (;;) await file.write(chunk);
    } catch (thrown) {
      assert.equal((thrown as NodeJS.ErrnoException).code, 'ENOSPC');
    } finally {
      await file.close();
    }
  }
  const free = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(disk);
    return bavail * bsize;
  };

  it('wt cleanup removes a worktree, frees its space at once, and wt undo brings it back', async () => {
    await home.done(root, 'create', 'one');
    await mkdir(join(at('one'), '.work'));
    await writeFile(join(at('one'), '.work', 'notes.md'), 'notes\n');
    await mkdir(join(at('one'), 'node_modules'));
    await writeFile(join(at('one'), 'node_modules', 'big'), Buffer.alloc(900_000, 1));
    await fill();
    const ran = await home.wt(root, ['cleanup', 'one', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assertMatches('cleanup', ran.json());
    const [{ ignored } = {}] = ran.json()['removed'] as { ignored?: { kept: unknown; gone: unknown } }[];
    assert.deepEqual(
      [ignored?.kept, ignored?.gone],
      [[{ path: '.work/', bytes: 6, whole: true }], [{ path: 'node_modules/', bytes: 900_000, whole: true }]],
    );
    assert.equal(existsSync(at('one')), false);
    for (const deadline = Date.now() + 60_000; (await free()) < 600_000 && Date.now() < deadline;) await delay(30);
    assert.ok((await free()) > 600_000, `${await free()} bytes are free`);
    await home.done(root, 'undo');
    assert.equal(await readFile(join(at('one'), '.work', 'notes.md'), 'utf8'), 'notes\n');
    assert.match(await git('-C', root, 'worktree', 'list'), /\[one\]/);
  });

  it('wt cleanup makes room with what is gone anyway, where none was kept for it', async () => {
    await git('-C', root, 'worktree', 'add', '--quiet', '-b', 'plain', at('plain'));
    await mkdir(join(at('plain'), 'node_modules'));
    await writeFile(join(at('plain'), 'node_modules', 'big'), Buffer.alloc(400_000, 1));
    await mkdir(join(root, '.git', 'worktree-stacks', 'operations'), { recursive: true });
    await fill();
    assert.equal(existsSync(join(root, room)), false);
    const ran = await home.wt(root, ['cleanup', 'plain']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(
      ran.stderr,
      /^Removed plain and its branch\.\n {2}Deleted ignored files: node_modules\/ \(400 kB\)\.\n/m,
    );
    assert.equal(existsSync(at('plain')), false);
  });

  it('a backup that cannot be written stops a removal, and everything is as before', async () => {
    await home.done(root, 'create', 'one');
    const work = Buffer.alloc(300_000);
    // What does not compress: its backup takes as much room again.
    for (let index = 0; index < work.length; index++) work[index] = (index * 7919 + (index >> 3) * 104729) % 251;
    await writeFile(join(at('one'), 'work.bin'), work);
    await rm(join(root, room));
    await fill();
    const before = await snapshot();
    const ran = await home.wt(root, ['cleanup', 'one', '--force']);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /^wt: one was not removed: the disk is full, [^\n]+\nnext: free some space[^\n]*\n$/);
    assert.deepEqual(await snapshot(), before);
    assert.ok((await readFile(join(at('one'), 'work.bin'))).equals(work));
    await truncate(join(disk, 'fill'), 0);
    await home.done(root, 'cleanup', 'one', '--force');
    await home.done(root, 'undo');
    assert.ok((await readFile(join(at('one'), 'work.bin'))).equals(work));
    assert.equal((await git('-C', root, 'fsck', '--no-dangling')).trim(), '');
  });

  for (const [what, ...args] of shareOf(
    [
      ['wt switch', 'switch', 'one'],
      ['wt state progress', 'state', 'progress', '--step', '2', '-C', '.worktrees/one'],
      ['wt create', 'create', 'three'],
    ] as const,
    3,
  )) {
    it(`${what} ends with 1 and one sentence, and the files are as they were`, async () => {
      await home.done(root, 'create', 'one');
      await home.done(root, 'state', 'progress', '--step', '1', '-C', '.worktrees/one');
      await home.done(root, 'create', 'two');
      await fill();
      const before = await snapshot();
      const ran = await home.wt(root, args);
      assert.equal(ran.code, 1, ran.stderr);
      assert.match(ran.stderr, /^wt: [^\n]*the disk is full\.?\nnext: free some space[^\n]*\n(?: {2}[^\n]+\n)?$/);
      assert.deepEqual(await snapshot(), before);
    });
  }

  /** What there is, and what is in the files that matter. */
  async function snapshot(): Promise<unknown> {
    const files = [
      '.claude/dev-worktree.local.md',
      '.worktrees/stack.json',
      '.worktrees/one/.claude-state/workflow.json',
    ];
    const text = (file: string): Promise<string> => readFile(join(root, file), 'utf8').catch(() => '');
    return [
      await Promise.all(files.map(text)),
      await readdir(join(root, '.worktrees')),
      await readdir(join(root, '.git', 'worktree-stacks', 'operations')),
      await git('-C', root, 'for-each-ref', 'refs/heads'),
      await git('-C', root, 'worktree', 'list', '--porcelain'),
    ];
  }
});
