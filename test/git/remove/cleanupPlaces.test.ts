import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { readRegistry } from '../../../src/core/repository/registry.ts';
import type { RemovalObstacle } from '../../../src/core/remove/inspect.ts';
import { Removals } from '../../support/removals.ts';
import { textOf } from '../../../src/core/messages/message.ts';
import { texts } from '../../support/texts.ts';

describe('removing a worktree whose folder is not what git thinks', () => {
  let at: Removals;
  let path: string;
  beforeEach(async () => {
    at = await Removals.start();
    path = await at.add('one');
    await at.add('two');
  });
  afterEach(() => at.dispose());

  const only = async (word: string): Promise<RemovalObstacle> => {
    const { obstacles } = await at.inspect(word);
    assert.equal(obstacles.length, 1, JSON.stringify(obstacles, null, 2));
    return obstacles[0] as RemovalObstacle;
  };
  const others = async (): Promise<string[]> => (await at.listed()).slice(1);
  const two = (): string => join(at.repository.root, '.worktrees', 'two');

  it('a missing folder stops it; forced, that one record goes, and no other missing one', async () => {
    await rm(path, { recursive: true });
    await rm(two(), { recursive: true });
    assert.equal((await only('one')).kind, 'out-of-sight');
    await assert.rejects(
      at.remove('one'),
      /its folder is not at .*one: it was moved or deleted, or its disk is not there/,
    );
    assert.deepEqual(await others(), [path, two()]);
    const removed = await at.remove('one', { force: true });
    assert.deepEqual([removed.branchDeleted, removed.notes.length], [true, 1]);
    assert.deepEqual(await others(), [two()]);
    assert.deepEqual([...(await readRegistry(at.workspace.repository)).worktrees.keys()], ['two']);
  });

  it('a missing folder with all that held it', async () => {
    await rm(join(at.repository.root, '.worktrees'), { recursive: true });
    assert.equal((await at.remove('one', { force: true })).branchDeleted, true);
    assert.deepEqual(await others(), [two()]);
  });

  it('a missing folder that is locked: the lock wins', async () => {
    await at.repository.git('worktree', 'lock', path);
    await rm(path, { recursive: true });
    assert.deepEqual(await at.obstacles('one'), ['out-of-sight', 'locked']);
    await assert.rejects(at.remove('one'), /it is locked/);
    assert.deepEqual(await others(), [path, two()]);
  });

  it('a missing folder still has commits on a detached HEAD and staged files, which are kept', async () => {
    await at.repository.gitIn(path, 'checkout', '--quiet', '--detach');
    const alone = await at.repository.commit('Alone', { 'alone.txt': 'alone\n' }, path);
    await at.repository.write(join(path, 'staged.txt'), 'staged\n');
    await at.repository.gitIn(path, 'add', 'staged.txt');
    await rm(path, { recursive: true });
    const { obstacles } = await at.inspect('one');
    assert.deepEqual(
      obstacles.map((each) => each.kind),
      ['out-of-sight', 'uncommitted', 'detached-commits'],
    );
    await assert.rejects(at.remove('one'), /its folder is not at/);
    const { backups } = await at.remove('one', { force: true });
    const refs = new Map(backups.map((each) => [each.ref.split('/').at(-1), each.ref]));
    assert.equal(await at.repository.git('rev-parse', refs.get('head') ?? ''), alone);
    assert.equal(await at.repository.git('show', `${refs.get('index') ?? ''}:staged.txt`), 'staged');
  });

  it('an empty folder in its stead, which may be where its disk was: forced, the record goes, the folder stays', async () => {
    await rm(path, { recursive: true });
    await mkdir(path);
    assert.equal((await only('one')).kind, 'out-of-sight');
    await assert.rejects(at.remove('one'), /its disk may not be mounted there/);
    const removed = await at.remove('one', { force: true });
    assert.match(texts(removed.notes).join(), /was left alone/);
    assert.deepEqual(await readdir(path), []);
    assert.deepEqual(await others(), [two()]);
  });

  it('a new folder with files in its stead stops it; forced, the record goes, the files stay', async () => {
    await rm(path, { recursive: true });
    await at.repository.write(join(path, 'mine.txt'), 'mine\n');
    await assert.rejects(at.remove('one'), /there is no `.git` at/);
    const removed = await at.remove('one', { force: true });
    assert.match(texts(removed.notes).join(), /was left alone/);
    assert.equal(await readFile(join(path, 'mine.txt'), 'utf8'), 'mine\n');
    assert.deepEqual(await others(), [two()]);
  });

  it('another repository at its path is never deleted, not even when forced', async () => {
    await rm(path, { recursive: true });
    await at.repository.git('clone', '--quiet', at.repository.root, path);
    await at.repository.commit('Mine', { 'mine.txt': 'mine\n' }, path);
    const found = await only('one');
    assert.deepEqual(
      [found.kind, textOf(found.message).startsWith('another repository is at its path')],
      ['foreign', true],
    );
    await assert.rejects(at.remove('one'), (thrown) => Problem.is(thrown, 'would-lose-work'));
    assert.deepEqual(await others(), [path, two()]);
    const removed = await at.remove('one', { force: true });
    assert.match(texts(removed.notes).join(), /was left alone/);
    assert.equal(await readFile(join(path, 'mine.txt'), 'utf8'), 'mine\n');
    assert.equal(await at.repository.gitIn(path, 'log', '-1', '--format=%s'), 'Mine');
    assert.deepEqual(await others(), [two()]);
  });

  it('a live worktree that was moved onto its path is never deleted', async () => {
    await rm(path, { recursive: true });
    await at.repository.write(join(two(), 'mine.txt'), 'mine\n');
    await rename(two(), path);
    const found = await only('one');
    assert.match(textOf(found.message), /^another worktree of this repository is at its path/);
    await at.remove('one', { force: true });
    assert.equal(await readFile(join(path, 'mine.txt'), 'utf8'), 'mine\n');
    await at.repository.git('worktree', 'repair', path);
    assert.deepEqual(await others(), [path]);
    assert.equal(await at.repository.gitIn(path, 'symbolic-ref', '--short', 'HEAD'), 'two');
    assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '?? mine.txt');
  });

  it('a file at its path stays', async () => {
    await rm(path, { recursive: true });
    await writeFile(path, 'a file\n');
    assert.match(textOf((await only('one')).message), /^a file is at its path/);
    await at.remove('one', { force: true });
    assert.equal(await readFile(path, 'utf8'), 'a file\n');
  });

  it('a damaged .git stops it; forced, the record goes and the files stay', async () => {
    await writeFile(join(path, '.git'), 'gitdir: /nowhere/at/all\n');
    await at.repository.write(join(path, 'mine.txt'), 'mine\n');
    const found = await only('one');
    assert.equal(found.kind, 'unreadable');
    assert.match(textOf(found.message), /leads to \/nowhere\/at\/all, which is not there; `git worktree repair`/);
    await at.remove('one', { force: true });
    assert.equal(await readFile(join(path, 'mine.txt'), 'utf8'), 'mine\n');
    assert.deepEqual(await others(), [two()]);
  });

  it('a link at its path that leads to something else stays, and so does what it leads to', async () => {
    const outside = join(at.home.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'precious'), 'x');
    await rm(path, { recursive: true });
    await symlink(outside, path);
    const found = await only('one');
    assert.deepEqual([found.kind, found.forceable], ['link-outside', true]);
    await assert.rejects(at.remove('one'), /a link leads from its path/);
    await at.remove('one', { force: true });
    assert.deepEqual(await readdir(outside), ['precious']);
    assert.deepEqual(await others(), [two()]);
  });

  it('a worktree that was moved away behind a link is not removed', async () => {
    const outside = join(at.home.root, 'outside');
    await rename(path, outside);
    await symlink(outside, path);
    const found = await only('one');
    assert.deepEqual([found.kind, found.forceable], ['link-outside', false]);
    await assert.rejects(at.remove('one', { force: true }), /--force does not help|a link leads/);
    assert.equal(await at.repository.gitIn(outside, 'status', '--porcelain'), '');
  });

  it('a folder above it that became a link out of the repository stops it', async () => {
    const outside = join(at.home.root, 'outside');
    await rename(join(at.repository.root, '.worktrees'), outside);
    await symlink(outside, join(at.repository.root, '.worktrees'));
    assert.equal((await only('one')).kind, 'link-outside');
    await assert.rejects(at.remove('one', { force: true }), { id: 'remove.notRemoved' });
    assert.deepEqual((await readdir(outside)).sort(), ['one', 'stack.json', 'two']);
  });

  it('links inside of it are deleted, and never what they lead to', async () => {
    const outside = join(at.home.root, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'precious'), 'x');
    await at.repository.write('.git/info/exclude', '/.worktrees/\n/linked\n/deep/\n');
    await mkdir(join(path, 'deep'));
    await symlink(outside, join(path, 'linked'));
    await symlink(outside, join(path, 'deep', 'linked'));
    await at.remove('one');
    assert.equal(existsSync(path), false);
    assert.deepEqual(await readdir(outside), ['precious']);
  });

  it('a worktree beside the repository goes as well, and leaves nothing beside it', async () => {
    const beside = join(at.home.root, 'beside', 'three');
    await at.repository.git('worktree', 'add', '--quiet', '-b', 'three', beside);
    await at.remove(beside);
    assert.deepEqual(await readdir(join(at.home.root, 'beside')), []);
  });

  it('a folder that is gone between the look and the removal stops it', async () => {
    const removal = await at.inspect('one');
    await rm(path, { recursive: true });
    await assert.rejects(at.act(removal), /its folder is not what it was since/);
    await at.remove('one', { force: true });
    assert.deepEqual(await others(), [two()]);
  });

  it('a record of relative paths is read as git reads it', async () => {
    const gitDir = join(at.repository.root, '.git', 'worktrees', 'one');
    await writeFile(join(gitDir, 'gitdir'), '../../../.worktrees/one/.git\n');
    await writeFile(join(path, '.git'), 'gitdir: ../../.git/worktrees/one\n');
    assert.deepEqual(await at.obstacles('one'), []);
    await at.remove('one');
    assert.equal(existsSync(path), false);
    assert.deepEqual(await others(), [two()]);
  });
});
