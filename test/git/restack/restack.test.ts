import assert from 'node:assert/strict';
import { chmod, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Stacks } from '../../support/stacks.ts';
import { textOf } from '../../../src/core/messages/message.ts';

describe('restacking', function () {
  this.timeout(300_000);
  let at: Stacks;
  beforeEach(async () => {
    at = await Stacks.start();
    await at.add('a', 'main', { 'a.txt': 'a1\n' }, { 'a.txt': 'a2\n' });
    await at.add('b', 'a', { 'b.txt': 'b1\n' });
    await at.add('c', 'b', { 'c.txt': 'c1\n' });
  });
  afterEach(() => at.dispose());

  it('moves every branch of the stack and its worktree, and keeps what is not committed', async () => {
    await at.commit('main', 'News', { 'news.txt': 'news\n' });
    await at.repository.write(join(at.path('b'), 'notes.txt'), 'mine\n');
    await at.repository.write(join(at.path('b'), 'b.txt'), 'b1 and more\n');
    assert.deepEqual(await at.outcomes('b', { wholeStack: true }), { a: 'moves', b: 'moves', c: 'moves' });
    assert.deepEqual(await at.subjects('c'), ['a 1', 'a 2', 'b 1', 'c 1']);
    assert.equal(await at.repository.git('merge-base', 'main', 'c'), await at.tip('main'));
    assert.equal(await at.git('c', 'status', '--porcelain'), '');
    assert.equal(await at.git('b', 'status', '--porcelain'), ' M b.txt\n?? notes.txt');
    assert.equal(await readFile(join(at.path('c'), 'news.txt'), 'utf8'), 'news\n');
    assert.equal((await at.entry('b'))?.baseCommit, await at.tip('a'));
    assert.equal((await at.entry('a'))?.baseCommit, await at.tip('main'));
    assert.deepEqual(await at.outcomes('b', { wholeStack: true }), { a: 'current', b: 'current', c: 'current' });
  });

  it('without the stack moves the one branch only', async () => {
    await at.commit('a', 'a 3', { 'a3.txt': 'a3\n' });
    assert.deepEqual(await at.outcomes('b'), { b: 'moves' });
    assert.deepEqual(await at.subjects('b', 'a'), ['b 1']);
    assert.deepEqual(await at.subjects('c', 'b'), ['b 1', 'c 1']);
    assert.deepEqual(await at.outcomes('c'), { c: 'moves' });
    assert.deepEqual(await at.subjects('c', 'b'), ['c 1']);
  });

  it('stops where it conflicts, in the worktree of that branch, and goes on from there', async () => {
    await at.commit('main', 'News', { 'b.txt': 'theirs\n' });
    const before = await at.tip('c');
    const { branches, stop } = await at.rebase('a', { wholeStack: true });
    assert.deepEqual(
      branches.map(({ outcome }) => outcome),
      ['moves', 'conflict', 'waits'],
    );
    assert.deepEqual([stop?.branch, stop?.path, stop?.files], ['b', at.path('b'), ['b.txt']]);
    assert.equal(await at.tip('c'), before);
    await assert.rejects(at.rebase('c'), { reason: 'in-use' });
    await assert.rejects(at.resume('b'), { reason: 'conflicts', items: ['b.txt'] });
    await at.repository.write(join(at.path('b'), 'b.txt'), 'both\n');
    await at.git('b', 'add', 'b.txt');
    const done = await at.resume('b');
    assert.equal(done.operation?.state, 'done');
    assert.deepEqual(await at.subjects('c'), ['a 1', 'a 2', 'b 1', 'c 1']);
    assert.equal(await at.git('c', 'show', 'HEAD:b.txt'), 'both');
    assert.equal((await at.entry('b'))?.baseCommit, await at.tip('a'));
    assert.equal((await at.entry('c'))?.baseCommit, await at.tip('b'));
  });

  it('that has stopped can be taken back as a whole', async () => {
    await at.commit('main', 'News', { 'b.txt': 'theirs\n' });
    await at.repository.write(join(at.path('a'), 'notes.txt'), 'mine\n');
    const before = await at.picture();
    await at.rebase('a', { wholeStack: true });
    assert.notDeepEqual(await at.picture(), before);
    assert.equal((await at.abort('b')).state, 'aborted');
    assert.deepEqual(await at.picture(), before);
    await assert.rejects(at.abort('b'), { reason: 'not-found' });
  });

  it('that has stopped can go on without the commit', async () => {
    await at.commit('main', 'News', { 'b.txt': 'theirs\n' });
    await at.rebase('a', { wholeStack: true });
    const done = await at.resume('b', 'skip');
    assert.equal(done.operation?.state, 'done');
    assert.deepEqual(await at.subjects('c'), ['a 1', 'a 2', 'c 1']);
  });

  it('that the person ended with git is taken back as a whole', async () => {
    await at.commit('main', 'News', { 'b.txt': 'theirs\n' });
    const before = await at.picture();
    await at.rebase('a', { wholeStack: true });
    await at.git('b', 'rebase', '--abort');
    assert.equal((await at.resume('b')).aborted, true);
    assert.deepEqual(await at.picture(), before);
  });

  it('that the person completed with git goes on', async () => {
    await at.commit('main', 'News', { 'b.txt': 'theirs\n' });
    await at.rebase('a', { wholeStack: true });
    await at.repository.write(join(at.path('b'), 'b.txt'), 'both\n');
    await at.git('b', 'add', 'b.txt');
    await at.git('b', '-c', 'core.editor=true', 'rebase', '--continue');
    assert.equal((await at.resume('b')).operation?.state, 'done');
    assert.deepEqual(await at.subjects('c'), ['a 1', 'a 2', 'b 1', 'c 1']);
  });

  it('whose conflict git cannot even begin with says why, and goes on when that is seen to', async () => {
    await at.commit('main', 'News', { 'b.txt': 'theirs\n' });
    const before = await at.picture();
    const hook = join(at.repository.root, '.git/hooks/pre-rebase');
    await at.repository.write(hook, '#!/bin/sh\necho "not today" >&2\nexit 1\n');
    await chmod(hook, 0o755);
    await assert.rejects(at.rebase('a', { wholeStack: true }), { reason: 'git-failed', next: /--continue/ });
    await assert.rejects(at.resume('b'), { reason: 'git-failed' });
    await rm(hook);
    assert.deepEqual((await at.resume('b')).stop?.files, ['b.txt']);
    await at.abort('b');
    assert.deepEqual(await at.picture(), before);
  });

  it('holds back a branch whose worktree could not follow, and what stands on it', async () => {
    await at.commit('main', 'News', { 'news.txt': 'news\n', 'README.md': 'new\n' });
    await at.repository.write(join(at.path('b'), 'README.md'), 'mine\n');
    await at.repository.write(join(at.path('b'), 'news.txt'), 'mine\n');
    const { branches } = await at.rebase('a', { wholeStack: true });
    assert.deepEqual(
      branches.map(({ outcome }) => outcome),
      ['moves', 'held', 'waits'],
    );
    assert.deepEqual(branches[1]?.files, ['README.md', 'news.txt']);
    assert.equal(await readFile(join(at.path('b'), 'news.txt'), 'utf8'), 'mine\n');
    assert.deepEqual(await at.subjects('b', 'a'), ['a 1', 'a 2', 'b 1']);
  });

  it('holds back a branch where an ignored file would be written over', async () => {
    await at.repository.write('.git/info/exclude', '/.worktrees/\n.env\n');
    await at.repository.write(join(at.path('a'), '.env'), 'SECRET=1\n');
    await at.repository.write('.env', 'EXAMPLE=1\n');
    await at.repository.git('add', '--force', '.env');
    await at.commit('main', 'Environment', {});
    const { branches } = await at.rebase('a');
    assert.deepEqual(
      branches.map(({ outcome, files }) => [outcome, ...files]),
      [['held', '.env']],
    );
    assert.equal(await readFile(join(at.path('a'), '.env'), 'utf8'), 'SECRET=1\n');
  });

  it('holds back a branch with a rebase of the person’s own under way', async () => {
    await at.commit('main', 'News', { 'b.txt': 'theirs\n' });
    await at.git('b', 'rebase', 'main').catch(() => undefined);
    const { branches } = await at.rebase('a', { wholeStack: true });
    assert.deepEqual(
      branches.map(({ outcome }) => outcome),
      ['moves', 'held', 'waits'],
    );
    assert.match(textOf(branches[1]?.why ?? ''), /a rebase is under way/);
  });

  it('keeps merges', async () => {
    await at.git('b', 'switch', '--quiet', '-c', 'side', 'HEAD~1');
    await at.commit('b', 'side 1', { 'side.txt': 's\n' });
    await at.git('b', 'switch', '--quiet', 'b');
    await at.git('b', 'merge', '--quiet', '--no-edit', 'side');
    await at.commit('main', 'News', { 'news.txt': 'news\n' });
    assert.deepEqual(await at.outcomes('a', { wholeStack: true }), { a: 'moves', b: 'moves', c: 'moves' });
    assert.deepEqual((await at.subjects('b', 'a')).sort(), ["Merge branch 'side' into b", 'b 1', 'side 1']);
    assert.equal(await at.git('b', 'status', '--porcelain'), '');
    assert.equal((await at.repository.git('worktree', 'list')).split('\n').length, 4);
  });
});
