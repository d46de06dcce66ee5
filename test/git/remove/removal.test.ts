import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import type { RemovalObstacle } from '../../../src/core/remove/inspect.ts';
import { Removals } from '../../support/removals.ts';
import { needsProc } from '../../support/skip.ts';
import { testWorkspace } from '../../support/workspace.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { texts } from '../../support/texts.ts';

describe('looking before removing', () => {
  let at: Removals;
  beforeEach(async () => {
    at = await Removals.start();
  });
  afterEach(() => at.dispose());

  const only = async (word: string): Promise<RemovalObstacle> => {
    const { obstacles } = await at.inspect(word);
    assert.equal(obstacles.length, 1, JSON.stringify(obstacles, null, 2));
    return obstacles[0] as RemovalObstacle;
  };
  const gitDirOf = (path: string): Promise<string> => at.repository.gitIn(path, 'rev-parse', '--absolute-git-dir');

  it('nothing stops a clean worktree, ignored files or not', async () => {
    await at.repository.write('.git/info/exclude', '/.worktrees/\n/build/\n*.log\n');
    const path = await at.add('one');
    await at.repository.write(join(path, 'build', 'deep', 'x.o'), 'x');
    await at.repository.write(join(path, 'a.log'), 'x');
    assert.deepEqual(await at.obstacles('one'), []);
  });

  it('changes nothing, whatever it finds', async () => {
    const path = await at.add('one');
    await at.repository.write(join(path, 'new.txt'), 'new\n');
    await at.add('gone');
    await rm(join(at.repository.root, '.worktrees', 'gone'), { recursive: true });
    // A file that is older than its index entry says would tempt git to write the index anew.
    await utimes(join(path, 'README.md'), 1, 1);
    const stateOf = async (): Promise<string> => {
      const names = await readdir(at.repository.root, { recursive: true });
      const states = await Promise.all(
        names.sort().map(async (name) => {
          const found = await stat(join(at.repository.root, name));
          return found.isFile() ? `${name} ${found.mtimeMs} ${found.size} ${found.ino}` : name;
        }),
      );
      return states.join('\n');
    };
    const before = await stateOf();
    await at.inspect('one');
    await at.inspect('gone');
    await assert.rejects(at.remove('one'), (thrown) => Problem.is(thrown, 'would-lose-work'));
    assert.equal(await stateOf(), before);
  });

  it('the main working tree can never go', async () => {
    const main = await only('@');
    assert.deepEqual([main.kind, main.forceable], ['main', false]);
    await assert.rejects(at.remove('@', { force: true }), /it is the main working tree/);
    assert.ok(existsSync(at.repository.root));
  });

  it('names tracked, staged and untracked files', async () => {
    await at.repository.commit('More', { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const path = await at.add('one');
    await at.repository.write(join(path, 'a.txt'), 'changed\n');
    await at.repository.write(join(path, 'b.txt'), 'staged\n');
    await at.repository.gitIn(path, 'add', 'b.txt');
    await rm(join(path, 'c.txt'));
    await at.repository.write(join(path, 'new', 'file.txt'), 'new\n');
    const found = await only('one');
    assert.equal(found.kind, 'uncommitted');
    assert.equal(textOf(found.message), '4 files are not committed');
    assert.deepEqual([...found.items].sort(), ['a.txt', 'b.txt', 'c.txt', 'new/']);
  });

  it('is not fooled by settings that hide untracked files and submodules', async () => {
    await at.repository.git('config', 'status.showUntrackedFiles', 'no');
    await at.repository.git('config', 'diff.ignoreSubmodules', 'all');
    const path = await at.add('one');
    await at.repository.write(join(path, 'new.txt'), 'new\n');
    assert.deepEqual(await at.obstacles('one'), ['uncommitted']);
  });

  it('names changed files that git was told to overlook', async () => {
    await at.repository.commit('More', { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const path = await at.add('one');
    await at.repository.gitIn(path, 'update-index', '--skip-worktree', 'a.txt', 'c.txt');
    await at.repository.gitIn(path, 'update-index', '--assume-unchanged', 'b.txt');
    assert.deepEqual(await at.obstacles('one'), []);
    await at.repository.write(join(path, 'a.txt'), 'A\n');
    await at.repository.write(join(path, 'b.txt'), 'B\n');
    const found = await only('one');
    assert.deepEqual([found.kind, [...found.items].sort()], ['uncommitted', ['a.txt', 'b.txt']]);
  });

  it('takes a sparse checkout for clean', async () => {
    await at.repository.commit('More', { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' });
    const path = await at.add('one');
    await at.repository.gitIn(path, 'sparse-checkout', 'set', 'in');
    assert.equal(existsSync(join(path, 'out')), false);
    assert.deepEqual(await at.obstacles('one'), []);
  });

  it('names commits that only a detached HEAD holds, and none that a tag holds', async () => {
    const path = await at.add('one');
    await at.repository.gitIn(path, 'checkout', '--quiet', '--detach');
    assert.deepEqual(await at.obstacles('one'), []);
    const oid = await at.repository.commit('Alone', { 'alone.txt': 'x\n' }, path);
    const found = await only('one');
    assert.equal(found.kind, 'detached-commits');
    assert.match(found.items.join(), new RegExp(oid.slice(0, 9)));
    await at.repository.git('tag', 'held', oid);
    assert.deepEqual(await at.obstacles('one'), []);
  });

  it('another detached worktree on the same commit does not hold it', async () => {
    const path = await at.add('one');
    await at.repository.gitIn(path, 'checkout', '--quiet', '--detach');
    const oid = await at.repository.commit('Alone', { 'alone.txt': 'x\n' }, path);
    await at.repository.git(
      'worktree',
      'add',
      '--quiet',
      '--detach',
      join(at.repository.root, '.worktrees', 'two'),
      oid,
    );
    assert.deepEqual(await at.obstacles('one'), ['detached-commits']);
  });

  it('names commits of private refs', async () => {
    const path = await at.add('one');
    const oid = await at.repository.commit('Alone', { 'alone.txt': 'x\n' }, path);
    await at.repository.gitIn(path, 'update-ref', 'refs/worktree/kept', oid);
    await at.repository.gitIn(path, 'checkout', '--quiet', '-B', 'one', 'main');
    const found = await only('one');
    assert.equal(found.kind, 'private-refs');
    assert.match(found.items.join(), /refs\/worktree\/kept/);
  });

  it('names an operation that is under way, and what it has set aside', async () => {
    await at.repository.commit('Theirs', { 'f.txt': 'theirs\n', 'g.txt': 'g\n' });
    const path = await at.add('one', { base: 'main~1' });
    await at.repository.commit('Ours', { 'f.txt': 'ours\n' }, path);
    await at.repository.gitIn(path, 'config', 'rebase.autoStash', 'true');
    await at.repository.write(join(path, 'README.md'), 'precious\n');
    await assert.rejects(at.repository.gitIn(path, 'rebase', '--quiet', 'main'));
    const { obstacles, branch } = await at.inspect('one');
    const kinds = obstacles.map((each) => each.kind);
    assert.deepEqual(kinds.sort(), ['operation', 'private-refs', 'uncommitted']);
    assert.match(obstacles.map((each) => each.items.join()).join(), /stashed/);
    assert.deepEqual([branch?.name, branch?.decision], ['one', 'keep']);
  });

  it('names a git command that is running there', async () => {
    const path = await at.add('one');
    await writeFile(join(await gitDirOf(path), 'index.lock'), '');
    assert.deepEqual(await at.obstacles('one'), ['operation']);
  });

  it('names a lock with its reason', async () => {
    const path = await at.add('one');
    await at.repository.git('worktree', 'lock', '--reason', 'on the usb disk', path);
    const found = await only('one');
    assert.deepEqual([found.kind, textOf(found.message)], ['locked', 'it is locked: on the usb disk']);
    for (const force of [false, true])
      await assert.rejects(at.remove('one', { force }), (thrown) => Problem.is(thrown, 'in-use'));
    await at.repository.git('worktree', 'unlock', path);
    await at.remove('one', { force: true });
    assert.deepEqual(await at.listed(), [at.repository.root]);
  });

  it('takes the lock of a Claude session for a session while that lives, and passes over it afterwards', async () => {
    const path = await at.add('one');
    await at.repository.git('worktree', 'lock', '--reason', `claude session one (pid ${process.pid} start 1)`, path);
    assert.equal((await only('one')).kind, 'live-session');
    await at.repository.git('worktree', 'unlock', path);
    await at.repository.git('worktree', 'lock', '--reason', 'claude session one (pid 4999999 start 1)', path);
    assert.deepEqual(await at.obstacles('one'), []);
    assert.match(texts((await at.remove('one')).notes).join(), /left behind by process 4999999/);
    assert.deepEqual(await at.listed(), [at.repository.root]);
  });

  for (const platform of ['linux', 'darwin'] as const) {
    it(`names a process that stands in it, as ${platform} tells`, async function () {
      needsProc(this);
      const path = await at.add('one');
      const folder = join(path, 'deep');
      await mkdir(folder);
      const shell = spawn('sh', ['-c', 'echo here; read line'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
      try {
        await once(shell.stdout, 'data');
        // Seen from a process that is no relative of it.
        const variables = { ...at.workspace.environment.variables, PATH: await pathWithLsof(at.repository.root) };
        const workspace = {
          ...at.workspace,
          environment: { ...at.workspace.environment, platform, variables, pid: 1 },
        };
        const { obstacles } = await at.inspect('one', workspace);
        assert.deepEqual(
          obstacles.map((each) => [each.kind, each.items.join()]),
          [['live-session', `sh (process ${shell.pid})`]],
        );
        assert.deepEqual(await at.obstacles('one'), []);
      } finally {
        shell.stdin.end();
        await once(shell, 'close');
      }
    });
  }

  it('names a live poll, not a dead one', async () => {
    await at.repository.write('.git/info/exclude', '/.worktrees/\n/.poll-active\n');
    const path = await at.add('one');
    await writeFile(join(path, '.poll-active'), JSON.stringify({ pid: process.pid }));
    assert.equal((await only('one')).kind, 'live-session');
    await writeFile(join(path, '.poll-active'), JSON.stringify({ pid: 4999999 }));
    assert.deepEqual(await at.obstacles('one'), []);
  });

  it('names that you are standing in it', async () => {
    const path = await at.add('one');
    await mkdir(join(path, 'deep'));
    const workspace = await testWorkspace(at.home, join(path, 'deep'));
    const { obstacles } = await at.inspect('.', workspace);
    assert.deepEqual(
      obstacles.map((each) => each.kind),
      ['current-directory'],
    );
    await assert.rejects(at.remove('.', { workspace }), /you are standing in it/);
    await at.remove('.', { workspace, force: true });
    assert.equal(existsSync(path), false);
  });

  it('will not delete worktrees that lie inside, not even when forced', async () => {
    const path = await at.add('one');
    await at.repository.gitIn(path, 'worktree', 'add', '--quiet', '-b', 'inner', join(path, '.worktrees', 'inner'));
    const found = await only('one');
    assert.deepEqual([found.kind, found.forceable, [...found.items]], ['nested', false, ['inner']]);
    await assert.rejects(at.remove('one', { force: true }), /inner/);
    await at.remove('inner');
    await at.remove('one');
    assert.deepEqual(await at.listed(), [at.repository.root]);
  });

  it('will not delete a clone with work of its own, in an ignored or an untracked folder', async () => {
    await at.repository.write('.git/info/exclude', '/.worktrees/\n/refs/\n');
    const path = await at.add('one');
    for (const folder of ['refs/clone', 'more/deep/clone']) {
      await at.repository.git('clone', '--quiet', at.repository.root, join(path, folder));
    }
    assert.deepEqual(await at.obstacles('one'), ['uncommitted']);
    for (const folder of ['refs/clone', 'more/deep/clone']) {
      await at.repository.commit('Mine', { 'mine.txt': 'x\n' }, join(path, folder));
    }
    const { obstacles } = await at.inspect('one');
    const nested = obstacles.find((each) => each.kind === 'nested');
    assert.equal(nested?.forceable, false);
    assert.deepEqual([...(nested?.items ?? [])].sort(), [
      'more/deep/clone: 0 uncommitted, 1 on no remote',
      'refs/clone: 0 uncommitted, 1 on no remote',
    ]);
  });

  it('names copies of ignored files that were changed or made here, and no others', async () => {
    await at.repository.write('.git/info/exclude', '/.worktrees/\n.env*\n/data/\n');
    for (const file of ['.env', '.env.same', 'sub/.env', 'data/.env.x']) await at.repository.write(file, 'A=1\n');
    const path = await at.add('one');
    for (const file of ['.env', '.env.same', 'sub/.env', 'data/.env.x', 'data/other']) {
      await at.repository.write(join(path, file), 'A=1\n');
    }
    assert.deepEqual(await at.obstacles('one'), []);
    await at.repository.write(join(path, '.env'), 'A=2\n');
    await at.repository.write(join(path, 'data/.env.x'), 'A=3\n');
    await at.repository.write(join(path, '.env.local'), 'B=1\n');
    const found = await only('one');
    assert.deepEqual([found.kind, [...found.items].sort()], ['changed-copies', ['.env', '.env.local', 'data/.env.x']]);
  });

  it('stops at a tree that git cannot read, and leaves it alone', async () => {
    const path = await at.add('one');
    const index = join(await gitDirOf(path), 'index');
    await writeFile(index, 'nonsense');
    const found = await only('one');
    assert.deepEqual([found.kind, found.forceable], ['unreadable', false]);
    await assert.rejects(at.remove('one', { force: true }), /its state cannot be read/);
    assert.equal(await readFile(index, 'utf8'), 'nonsense');
  });

  it('stops when something is written after it was looked at, and puts everything back', async () => {
    const path = await at.add('one');
    const removal = await at.inspect('one');
    await at.repository.write(join(path, 'new.txt'), 'just in time\n');
    await assert.rejects(at.act(removal), /something was written to it since it was checked/);
    assert.equal(await readFile(join(path, 'new.txt'), 'utf8'), 'just in time\n');
    assert.deepEqual(await at.listed(), [at.repository.root, path]);
    assert.deepEqual((await readdir(join(at.repository.root, '.worktrees'))).sort(), ['one', 'stack.json']);
    assert.deepEqual(await readdir(join(at.repository.root, '.git', 'worktree-stacks', 'operations')), []);
  });

  it('stops when a forced removal would lose what was written after the look', async () => {
    const path = await at.add('one');
    await at.repository.write(join(path, 'new.txt'), 'one\n');
    const removal = await at.inspect('one');
    await at.repository.write(join(path, 'other.txt'), 'two\n');
    await assert.rejects(at.act(removal, { force: true }), /something was written to it/);
    assert.equal(await readFile(join(path, 'other.txt'), 'utf8'), 'two\n');
  });

  it('stops when it was locked, or an operation begun, after it was looked at', async () => {
    const path = await at.add('one');
    const removal = await at.inspect('one');
    await at.repository.git('worktree', 'lock', path);
    await assert.rejects(at.act(removal), /git has worked in it/);
    await at.repository.git('worktree', 'unlock', path);
    await writeFile(
      join(await gitDirOf(path), 'CHERRY_PICK_HEAD'),
      `${await at.repository.git('rev-parse', 'main')}\n`,
    );
    await assert.rejects(at.act(removal), { id: 'remove.notRemovedSince' });
    assert.ok(existsSync(path));
  });
});

/**
 * The path with a stand-in for `lsof` at its end, for machines where it is not installed: it tells the working folders of all processes in the
 * format of `lsof -F pcn`.
 */
async function pathWithLsof(root: string): Promise<string> {
  const folder = join(root, '.git', 'programs');
  const script = `#!/bin/sh
for at in /proc/[0-9]*; do
  where=$(readlink "$at/cwd") && printf 'p%s\\nc%s\\nfcwd\\nn%s\\n' "\${at#/proc/}" "$(cat "$at/comm")" "$where"
done
`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'lsof'), script, { mode: 0o755 });
  return `${process.env['PATH'] ?? ''}:${folder}`;
}
