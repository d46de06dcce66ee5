import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readFile, readdir, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { handOver, runAsNobody, nobody } from '../../support/runAsNobody.ts';
import { noDisk, skipBecause } from '../../support/skip.ts';
import { Stacks } from '../../support/stacks.ts';
import { shareOf } from '../../support/share.ts';

/** Every file of a folder with its content and mode; `.git` left out. */
async function filesOf(root: string, below = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.name === '.git' || path === '.worktrees') continue;
    if (entry.isDirectory()) Object.assign(found, { [`${path}/`]: '' }, await filesOf(root, path));
    else if (entry.isSymbolicLink()) found[path] = `-> ${await readlink(join(root, path))}`;
    else
      found[path] = `${(await lstat(join(root, path))).mode.toString(8)} ${await readFile(join(root, path), 'utf8')}`;
  }
  return found;
}

describe('a worktree whose files cannot be written', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Files', {
      'gen/f.txt': 'f1\n',
      'gen/gone.txt': 'gone\n',
      'one.txt': 'one\n',
      'run.sh': '#!/bin/sh\n',
      'old/only.txt': 'only\n',
    });
    await chmod(join(at.repository.root, 'run.sh'), 0o755);
    await symlink('one.txt', join(at.repository.root, 'link'));
    await at.commit('main', 'A link', {});
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n' });
    await at.add('c', 'b', { 'c.txt': 'c\n' });
  });
  afterEach(() => at.dispose());

  /** Changes a file in each folder, and what kinds there are. */
  async function news(files: Record<string, string> = {}): Promise<void> {
    await rm(join(at.repository.root, 'link'));
    await symlink('run.sh', join(at.repository.root, 'link'));
    await rm(join(at.repository.root, 'old'), { recursive: true });
    await at.commit('main', 'News', {
      'gen/f.txt': 'f2\n',
      'one.txt': 'two\n',
      'run.sh': '#!/bin/bash\n',
      'new/deep/file.txt': 'new\n',
      ...files,
    });
  }

  async function everything(): Promise<unknown> {
    const files = ['a', 'b', 'c'].map(async (name) => [name, await filesOf(at.path(name))]);
    return { ...(await at.picture()), files: Object.fromEntries(await Promise.all(files)) as unknown };
  }

  async function noBackupLeft(): Promise<void> {
    const folder = join(at.repository.root, '.git/worktree-stacks');
    assert.deepEqual(await readdir(join(folder, 'before')).catch(() => []), []);
    assert.deepEqual(await readdir(join(folder, 'kept')).catch(() => []), []);
  }

  const filter = async (name: 'smudge' | 'clean', command: string): Promise<string> =>
    at.repository.git('config', `filter.x.${name}`, command);

  it('because a folder refuses it leaves every worktree of the stack as it was, and names file and cause', async () => {
    await news();
    await at.repository.write(join(at.path('b'), 'b.txt'), 'b, and mine\n');
    await handOver(at.home);
    const before = await everything();
    await chmod(join(at.path('c'), 'gen'), 0o555);
    const problem = await runAsNobody(at, 'rebase', 'a');
    await chmod(join(at.path('c'), 'gen'), 0o755);
    assert.equal(problem?.outcome, 'incomplete');
    assert.equal(problem.reason, 'not-writable');
    assert.match(problem.message, /could not follow c: .*gen\/f\.txt .*Permission denied.*Nothing was moved/);
    assert.match(problem.next, /gen.* writable/);
    assert.deepEqual(await everything(), before);
    await noBackupLeft();
    assert.equal(await runAsNobody(at, 'rebase', 'a'), undefined);
    assert.equal(await readFile(join(at.path('c'), 'gen/f.txt'), 'utf8'), 'f2\n');
    const after = await everything();
    await chmod(join(at.path('a'), 'gen'), 0o555);
    assert.match((await runAsNobody(at, 'undo', 'a'))?.message ?? '', /could not follow a: .*gen\/f\.txt/);
    await chmod(join(at.path('a'), 'gen'), 0o755);
    assert.deepEqual(await everything(), after);
  });

  it('because a folder refuses is not rebased by git there either: at the beginning, on its way, and at its end', async () => {
    await at.commit('b', 'b 2', { 'gen/f.txt': 'mine\n' });
    await at.commit('b', 'b 3', { 'later/x.txt': 'x\n' });
    await news();
    await handOver(at.home);
    const gen = join(at.path('b'), 'gen');
    const before = await everything();
    await chmod(gen, 0o555);
    const refused = await runAsNobody(at, 'rebase', 'a');
    assert.match(refused?.message ?? '', /could not follow b: .*gen\/f\.txt .*Permission denied/);
    assert.equal(refused?.outcome, 'incomplete');
    await chmod(gen, 0o755);
    assert.equal(await runAsNobody(at, 'abort', 'b'), undefined);
    assert.deepEqual(await everything(), before);
    assert.equal(await runAsNobody(at, 'rebase', 'a'), undefined);
    const stopped = await everything();
    await chmod(gen, 0o555);
    for (const step of ['continue', 'abort']) {
      if (step === 'continue') {
        await at.repository.write(join(gen, 'f.txt'), 'both\n');
        await at.git('b', 'add', 'gen/f.txt');
        await handOver(at.home);
        await chmod(gen, 0o555);
      }
      assert.match((await runAsNobody(at, step, 'b'))?.message ?? '', /could not follow b: .*gen\/f\.txt/, step);
    }
    await chmod(gen, 0o755);
    assert.notDeepEqual(stopped, before);
    assert.equal(await runAsNobody(at, 'continue', 'b'), undefined);
    assert.deepEqual(await at.subjects('c'), ['a 1', 'b 1', 'b 2', 'b 3', 'c 1']);
    assert.equal(await readFile(join(at.path('c'), 'gen/f.txt'), 'utf8'), 'both\n');
  });

  it('because a filter fails is not rebased by git there either, and can be taken back', async () => {
    await filter('clean', 'cat');
    await filter('smudge', 'cat');
    await at.repository.git('config', 'filter.x.required', 'true');
    await at.commit('main', 'Data', { '.gitattributes': '*.bin filter=x\n', 'data.bin': 'v1\n' });
    await at.rebase('a', { wholeStack: true });
    await at.commit('b', 'b 2', { 'one.txt': 'mine\n' });
    await news({ 'data.bin': 'v2\n' });
    await at.repository.git('worktree', 'remove', at.path('a'));
    const before = { ...(await at.picture()), files: await filesOf(at.path('b')) };
    await filter('smudge', 'false');
    await assert.rejects(at.rebase('b', { wholeStack: true }), { outcome: 'incomplete' });
    assert.deepEqual(await filesOf(at.path('b')), before.files);
    await filter('smudge', 'cat');
    await at.abort('b');
    assert.deepEqual({ ...(await at.picture()), files: await filesOf(at.path('b')) }, before);
    assert.ok((await at.rebase('b', { wholeStack: true })).stop);
  });

  for (const kind of shareOf(['update', 'delete'] as const, 2)) {
    it(`because one file cannot be replaced is rolled back (${kind})`, async function () {
      if (!nobody) skipBecause(this, 'only root can leave a file of another user');
      // A file of another user in a folder with the sticky bit: the folder can be written to, and yet the file cannot be replaced.
      if (kind === 'update') await news();
      else {
        await at.repository.git('rm', '--quiet', 'gen/gone.txt');
        await news({ 'gen/f.txt': 'f1\n' });
      }
      await handOver(at.home);
      const file = kind === 'update' ? 'gen/f.txt' : 'gen/gone.txt';
      const folder = join(at.path('b'), 'gen');
      await promisify(execFile)('chown', ['0:0', folder, join(at.path('b'), file)]);
      await chmod(folder, 0o1777);
      const before = await everything();
      const problem = await runAsNobody(at, 'rebase', 'a');
      assert.ok(problem?.message.includes(`could not follow b: git could not write ${file}`), problem?.message);
      assert.match(problem?.message ?? '', /Operation not permitted/);
      assert.deepEqual(await everything(), before);
      await noBackupLeft();
    });
  }

  it('because the disk is full is rolled back, without any space for it', async function () {
    const disk = join(at.home.root, 'disk');
    await mkdir(disk);
    try {
      await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    } catch {
      skipBecause(this, noDisk);
    }
    try {
      const path = join(disk, 'd');
      await at.repository.git('worktree', 'add', '--quiet', '-b', 'd', path, 'c');
      await at.repository.write(join(path, 'gen/f.txt'), 'f1\n');
      const big = Array.from({ length: 12_000 }, (_, line) => `${line} ${Math.sin(line)}\n`).join('');
      await news({ 'a-first.txt': 'first\n', 'big.txt': big });
      await writeFile(join(path, 'filler'), 'x'.repeat(800 * 1024));
      const before = [await everything(), await filesOf(path)];
      await assert.rejects(at.rebase('d', { onto: 'main' }), {
        reason: 'not-writable',
        outcome: 'incomplete',
        message: /could not follow d: git could not write big\.txt.* \(.*No space left.*\)\. Nothing was moved/,
        next: /free some space/,
      });
      assert.deepEqual([await everything(), await filesOf(path)], before);
      await noBackupLeft();
      await rm(join(path, 'filler'));
      assert.deepEqual(await at.outcomes('d', { onto: 'main' }), { d: 'moves' });
    } finally {
      await promisify(execFile)('umount', [disk]);
    }
  });

  for (const how of shareOf(['is missing', 'fails', 'fails for one file', 'reports an error'] as const, 2)) {
    it(`because a required filter ${how} is rolled back`, async () => {
      await filter('clean', 'cat');
      await filter('smudge', 'cat');
      await at.repository.git('config', 'filter.x.required', 'true');
      await at.commit('main', 'Data', { '.gitattributes': '*.bin filter=x\n', 'data.bin': 'v1\n', 'more.bin': 'm1\n' });
      assert.deepEqual(Object.values(await at.outcomes('a', { wholeStack: true })), ['moves', 'moves', 'moves']);
      await news({ 'data.bin': 'v2\n', 'more.bin': 'm2\n' });
      const before = await everything();
      const commands = {
        'is missing': 'no-such-program smudge',
        fails: 'false',
        'fails for one file': 'case %f in more.bin) exit 1;; esac; cat',
        'reports an error': 'echo no credentials >&2; exit 128',
      };
      await filter('smudge', commands[how]);
      await assert.rejects(at.rebase('a', { wholeStack: true }), {
        outcome: 'incomplete',
        reason: 'git-failed',
        message: /could not follow .*\.bin.*filter.*Nothing was moved/,
        next: /the program of this filter/,
      });
      await filter('smudge', 'cat');
      assert.deepEqual(await everything(), before);
      await noBackupLeft();
      assert.deepEqual(Object.values(await at.outcomes('a', { wholeStack: true })), ['moves', 'moves', 'moves']);
      assert.equal(await readFile(join(at.path('c'), 'data.bin'), 'utf8'), 'v2\n');
    });
  }

  it('is not confused with one whose files a filter, line endings or a person have made otherwise', async () => {
    await filter('clean', 'tr A-Z a-z');
    await filter('smudge', 'tr a-z A-Z');
    await at.repository.git('config', 'filter.x.required', 'true');
    await news({ '.gitattributes': '*.up filter=x\n*.crlf text eol=crlf\n', 'x.up': 'abc\n', 'y.crlf': 'one\ntwo\n' });
    // As the new commit has it, staged, and then changed again.
    await at.repository.write(join(at.path('b'), 'one.txt'), 'two\n');
    await at.git('b', 'add', 'one.txt');
    await at.repository.write(join(at.path('b'), 'one.txt'), 'two, and mine\n');
    // Deleted by hand as by the new commit.
    await at.git('c', 'rm', '--quiet', 'old/only.txt');
    assert.deepEqual(Object.values(await at.outcomes('a', { wholeStack: true })), ['moves', 'moves', 'moves']);
    assert.equal(await readFile(join(at.path('c'), 'x.up'), 'utf8'), 'ABC\n');
    assert.equal(await readFile(join(at.path('c'), 'y.crlf'), 'utf8'), 'one\r\ntwo\r\n');
    assert.equal(await readFile(join(at.path('b'), 'one.txt'), 'utf8'), 'two, and mine\n');
    assert.equal(await at.git('c', 'status', '--porcelain'), '');
    assert.equal((await stat(join(at.path('c'), 'run.sh'))).mode & 0o111, 0o111);
    await noBackupLeft();
  });
});
