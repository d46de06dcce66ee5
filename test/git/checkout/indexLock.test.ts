import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { redo, undo } from '../../../src/core/recovery/undo.ts';
import { needsProc } from '../../support/skip.ts';
import { Stacks } from '../../support/stacks.ts';
import { textOf } from '../../../src/core/messages/message.ts';

describe('an index that is locked', function () {
  this.timeout(300_000);
  let at: Stacks;
  const lock = (): string => join(at.repository.root, '.git/worktrees/b/index.lock');
  beforeEach(async () => {
    at = await Stacks.start();
    await at.add('a', 'main', { 'a.txt': 'a1\n' });
    await at.add('b', 'a', { 'b.txt': 'b1\n' });
    await at.add('c', 'b', { 'c.txt': 'c1\n' });
  });
  afterEach(() => at.dispose());

  /** A lock that a git left which died two hours ago. */
  async function leaveLock(): Promise<void> {
    await writeFile(lock(), '');
    const then = new Date(Date.now() - 2 * 60 * 60 * 1000 - 1000);
    await utimes(lock(), then, then);
  }

  /** Refuses, names the lock, and moves nothing; when the lock is gone the same succeeds. */
  async function refused(what: () => Promise<unknown>): Promise<void> {
    await leaveLock();
    const before = await at.picture();
    await assert.rejects(what(), (thrown: unknown) => {
      assert.ok(Problem.is(thrown, 'locked-by-another'));
      assert.equal(thrown.outcome, 'incomplete');
      assert.equal(thrown.file, lock());
      assert.match(thrown.message, /is locked by .*worktrees\/b\/index\.lock \(2 hours old/);
      if (process.platform === 'linux') assert.match(thrown.message, /no running process has it open/);
      assert.match(
        thrown.next ?? '',
        /no git command is running in .*\.worktrees\/b, remove it with `rm .*index\.lock`/,
      );
      return true;
    });
    assert.deepEqual(await at.picture(), before);
    await rm(lock());
    await what();
  }

  it('stops a rebase of the stack, a move, an undo and a redo as a whole', async () => {
    await at.commit('main', 'News', { 'news.txt': 'news\n' });
    await refused(() => at.rebase('a', { wholeStack: true }));
    await refused(() => undo(at.workspace));
    await refused(() => redo(at.workspace));
    await refused(() => at.rebase('b', { onto: 'main', move: true }));
    assert.deepEqual(await at.subjects('b'), ['b 1']);
  });

  it('does not stop what only shows the plan, which tells of it', async () => {
    await at.commit('main', 'News', { 'news.txt': 'news\n' });
    await leaveLock();
    const { branches } = await at.plan('a', { wholeStack: true });
    assert.deepEqual(
      branches.map(({ outcome }) => outcome),
      ['moves', 'held', 'waits'],
    );
    assert.match(textOf(branches[1]?.why ?? ''), /index\.lock \(2 hours old/);
    assert.match(textOf(branches[1]?.next ?? ''), /remove it with/);
  });

  it('stops a rebase that waits for a person: continue, skip and abort', async () => {
    await at.commit('main', 'News', { 'b.txt': 'theirs\n' });
    const before = await at.picture();
    await at.rebase('a', { wholeStack: true });
    await refused(() => at.abort('b'));
    assert.deepEqual(await at.picture(), before);
    await at.rebase('a', { wholeStack: true });
    await at.repository.write(join(at.path('b'), 'b.txt'), 'both\n');
    await at.git('b', 'add', 'b.txt');
    await refused(() => at.resume('b'));
    assert.deepEqual(await at.subjects('c'), ['a 1', 'b 1', 'c 1']);
    await undo(at.workspace);
    await at.rebase('a', { wholeStack: true });
    await refused(() => at.resume('b', 'skip'));
    assert.deepEqual(await at.subjects('c'), ['a 1', 'c 1']);
  });

  it('is not confused with a lock that a git left on a branch', async () => {
    await at.commit('main', 'News', { 'news.txt': 'news\n' });
    const path = join(at.repository.root, '.git/refs/heads/b.lock');
    await writeFile(path, '');
    const before = await at.picture();
    const problem = {
      reason: 'locked-by-another',
      outcome: 'incomplete',
      file: path,
      message: /^b could not be moved/,
    };
    await assert.rejects(at.rebase('a', { wholeStack: true }), problem);
    assert.deepEqual(await at.picture(), before);
    await rm(path);
    await at.rebase('a', { wholeStack: true });
    assert.deepEqual(await at.subjects('b', 'main'), ['a 1', 'b 1']);
  });

  it('by a process that runs is told with its id', async function () {
    needsProc(this);
    await at.commit('main', 'News', { 'news.txt': 'news\n' });
    const child = spawn('sh', ['-c', 'exec 3>"$1"; echo ready; exec cat', 'sh', lock()], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    try {
      await once(child.stdout, 'data');
      await assert.rejects(at.rebase('b', { wholeStack: true }), {
        reason: 'locked-by-another',
        message: new RegExp(`process ${child.pid} has it open`),
        next: new RegExp(`wait for process ${child.pid} to end`),
      });
    } finally {
      child.stdin.end();
      await ended;
    }
  });
});
