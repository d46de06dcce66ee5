import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { repositoryForEach, type WtHome } from '../support/wt.ts';

describe('wt cleanup', () => {
  let home: WtHome;
  let repository: TestRepository;
  repositoryForEach((at) => ({ home, repository } = at));
  beforeEach(async () => {
    await home.done(repository.root, 'create', 'one');
  });

  const at = (name: string): string => join(repository.root, '.worktrees', name);
  const branches = async (): Promise<string[]> =>
    (await repository.git('branch', '--format=%(refname:short)')).split('\n');
  const names = async (): Promise<string[]> =>
    (await home.done(repository.root, 'list', '--porcelain'))
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));

  it('removes a worktree with its branch, entry and state file, and says so on standard error only', async () => {
    const ran = await home.wt(repository.root, ['cleanup', 'one']);
    assert.deepEqual([ran.code, ran.stdout], [0, '']);
    assert.match(ran.stderr, /^Removed one and its branch\.\n {2}It was the active worktree; none is active now\.\n/);
    assert.deepEqual([await names(), await branches()], [[], ['main']]);
    await assert.rejects(stat(at('one')), { code: 'ENOENT' });
    assert.doesNotMatch(await readFile(join(repository.root, '.worktrees', 'stack.json'), 'utf8'), /"one"/);
    assert.equal((await home.wt(repository.root, ['active'])).code, 1);
  });

  it('tells what it did as JSON', async () => {
    const ran = await home.wt(repository.root, ['rm', 'one', '--json']);
    assertMatches('cleanup', ran.json());
    const [removed] = ran.json()['removed'] as { name: string; branch_deleted: boolean }[];
    assert.deepEqual([ran.json()['success'], removed?.name, removed?.branch_deleted], [true, 'one', true]);
  });

  it('says with --dry-run what would go and what would be kept, and touches nothing', async () => {
    await repository.write('.gitignore', '.work/\nnode_modules/\n');
    await repository.git('add', '--all');
    await repository.git('commit', '--quiet', '-m', 'Rules');
    await repository.gitIn(at('one'), 'merge', '--quiet', 'main');
    await repository.write(join(at('one'), '.work/notes.md'), 'notes\n');
    await repository.write(join(at('one'), 'node_modules/a.js'), 'a\n');
    const ran = await home.wt(repository.root, ['cleanup', 'one', '--dry-run']);
    assert.equal(ran.code, 0);
    assert.equal(
      ran.stderr,
      'Would remove one and its branch.\n  Ignored files kept for 30 days: .work/ (6 bytes).\n' +
        '  Deleted ignored files: node_modules/ (2 bytes).\n',
    );
    const json = await home.wt(repository.root, ['cleanup', 'one', '--dry-run', '--json']);
    assertMatches('cleanup', json.json());
    await repository.write(join(at('one'), 'new'), 'x\n');
    const refused = await home.wt(repository.root, ['cleanup', 'one', '--dry-run']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^wt: one was not removed: 1 file is not committed/);
    assert.deepEqual(await names(), ['one']);
    assert.equal(await readFile(join(at('one'), '.work/notes.md'), 'utf8'), 'notes\n');
  });

  it('deletes the files in the background, soon', async () => {
    await home.done(repository.root, 'cleanup', 'one');
    const trash = async (): Promise<string[]> => [
      ...(await readdir(join(repository.root, '.worktrees'))).filter((name) => name.startsWith('.trash')),
      ...(await readdir(join(repository.root, '.git', 'worktree-stacks', 'trash')).catch(() => [])),
    ];
    let left = await trash();
    for (const deadline = Date.now() + 60_000; left.length > 0 && Date.now() < deadline; left = await trash())
      await delay(50);
    assert.deepEqual(left, []);
  });

  it('names what would be lost, exits 1 and touches nothing', async () => {
    await repository.write(join(at('one'), 'new'), 'x\n');
    const ran = await home.wt(repository.root, ['cleanup', 'one', '--json']);
    assert.equal(ran.code, 1);
    assertMatches('cleanup', ran.json());
    const { success, removed, kept, error } = ran.json() as {
      success: boolean;
      removed: unknown[];
      kept: { obstacles: { kind: string; items: string[] }[] }[];
      error: { reason: string };
    };
    assert.deepEqual([success, removed, error.reason], [false, [], 'would-lose-work']);
    assert.deepEqual(
      kept[0]?.obstacles.map(({ kind, items }) => [kind, items]),
      [['uncommitted', ['new']]],
    );
    assert.match(ran.stderr, /^wt: one was not removed: .*\nnext: .*wt cleanup one --force.*\n {2}new\n$/);
    assert.equal(await readFile(join(at('one'), 'new'), 'utf8'), 'x\n');
    assert.deepEqual(await names(), ['one']);
  });

  it('removes it with --force, and keeps what only it held where it can be got back', async () => {
    await repository.write(join(at('one'), 'new'), 'x\n');
    const ran = await home.wt(repository.root, ['cleanup', 'one', '--force', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assertMatches('cleanup', ran.json());
    const [removed] = ran.json()['removed'] as { backups: { ref: string }[] }[];
    const ref = removed?.backups[0]?.ref ?? '';
    assert.match(ref, /^refs\/wt-backup\//);
    assert.match(await repository.git('for-each-ref', '--format=%(refname)', 'refs/wt-backup/'), new RegExp(ref));
  });

  it('says how to have it back, and `wt undo` gives back every file, the branch and the active worktree', async () => {
    await repository.commit('Work', { 'w.txt': 'w\n' }, at('one'));
    await repository.write(join(at('one'), 'w.txt'), 'staged\n');
    await repository.gitIn(at('one'), 'add', 'w.txt');
    await repository.write(join(at('one'), 'w.txt'), 'changed again\n');
    await repository.write(join(at('one'), 'new'), 'x\n');
    const picture = async (): Promise<unknown[]> => [
      await repository.gitIn(at('one'), 'status', '--porcelain', '--branch'),
      await repository.gitIn(at('one'), 'diff', '--cached'),
      await repository.gitIn(at('one'), 'diff'),
      await names(),
      await branches(),
      await home.done(repository.root, 'active'),
      (await home.wt(repository.root, ['info', 'one', '--json'])).json(),
    ];
    const before = await picture();
    const removal = await home.wt(repository.root, ['cleanup', 'one', '--force']);
    assert.match(removal.stderr, /\n`wt undo` brings it back\.\n$/);
    assert.deepEqual(await names(), []);
    assert.match(await home.done(repository.root, 'log'), / remove one +1 removed +done/);
    const ran = await home.wt(repository.root, ['undo']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(ran.stdout, '.worktrees/one\n');
    assert.match(ran.stderr, /^Undone: remove one\.\n/);
    assert.deepEqual(await picture(), before);
    const log = (await home.wt(repository.root, ['log', '--json'])).json();
    assertMatches('log', log);
    assert.deepEqual(
      (log['operations'] as { kind: string; state: string }[]).map(({ kind, state }) => [kind, state]),
      [
        ['undo', 'done'],
        ['cleanup', 'undone'],
      ],
    );
    const redo = await home.wt(repository.root, ['redo', '--json']);
    assert.equal(redo.code, 1);
    assertFailure(redo.json(), 'unsupported');
    assert.match(redo.stderr, /next: `wt cleanup one` checks it first, then removes it/);
  });

  it('is undone as a whole where it removed several', async () => {
    await home.done(repository.root, 'create', 'two', '--base', 'one');
    await home.done(repository.root, 'create', 'three');
    const before = [(await names()).sort(), (await branches()).sort()];
    const removal = await home.wt(repository.root, ['cleanup', '--all']);
    assert.match(removal.stderr, /\n`wt undo` brings them back\.\n$/);
    assert.deepEqual(await names(), []);
    const ran = (await home.wt(repository.root, ['undo', '--json'])).json();
    assertMatches('undo', ran);
    const { restored } = ran['operation'] as { restored: { name: string; path: string }[] };
    assert.deepEqual(restored.map(({ name }) => name).sort(), ['one', 'three', 'two']);
    assert.deepEqual([(await names()).sort(), (await branches()).sort()], before);
    assert.match(await home.done(repository.root, 'info', 'two'), /\nbase +one /);
  });

  it('cannot be undone where something else is by now, which exits 1 and says where the work is', async () => {
    await repository.write(join(at('one'), 'new'), 'x\n');
    await home.done(repository.root, 'cleanup', 'one', '--force');
    await repository.write(join(at('one'), 'mine'), 'x\n');
    const ran = await home.wt(repository.root, ['undo', '--json']);
    assert.equal(ran.code, 1);
    assertFailure(ran.json(), 'taken');
    assert.match(ran.stderr, /something else is at \S+one by now[^]*uncommitted files: refs\/wt-backup\//);
    assert.equal(await readFile(join(at('one'), 'mine'), 'utf8'), 'x\n');
  });

  it('keeps a branch whose work has not landed, and says so', async () => {
    await repository.commit('Work', { w: 'w\n' }, at('one'));
    const ran = await home.wt(repository.root, ['cleanup', 'one']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(ran.stderr, /^Removed one\.\n(.*\n)* {2}Kept the branch one: /);
    assert.deepEqual(await branches(), ['main', 'one']);
  });

  it('moves what stands on a removed worktree to its base', async () => {
    await repository.commit('Work', { w: 'w\n' }, at('one'));
    await home.done(repository.root, 'create', 'two', '--base', 'one');
    await repository.git('merge', '--quiet', '--no-ff', '-m', 'Merge one', 'one');
    const ran = await home.wt(repository.root, ['cleanup', 'one']);
    assert.match(ran.stderr, /two is now based on main instead of one\./);
    assert.match(await home.done(repository.root, 'info', 'two'), /\nbase +main /);
  });

  it('removes several, children before what they stand on, and goes on past one that stays', async () => {
    await home.done(repository.root, 'create', 'two', '--base', 'one');
    await home.done(repository.root, 'create', 'three');
    await repository.write(join(at('three'), 'new'), 'x\n');
    const ran = await home.wt(repository.root, ['cleanup', 'one', 'three', 'two', '--json']);
    assert.equal(ran.code, 1);
    assertMatches('cleanup', ran.json());
    assert.deepEqual(
      (ran.json()['removed'] as { name: string }[]).map(({ name }) => name),
      ['two', 'one'],
    );
    assert.deepEqual(await names(), ['three']);
  });

  it('removes all with --all', async () => {
    await home.done(repository.root, 'create', 'two', '--base', 'one');
    await home.done(repository.root, 'cleanup', '--all');
    assert.deepEqual([await names(), await branches()], [[], ['main']]);
  });

  it('removes with --merged only those whose work has landed, not those where it has not begun', async () => {
    await repository.commit('Work', { w: 'w\n' }, at('one'));
    await repository.git('merge', '--quiet', '--squash', 'one');
    await repository.git('commit', '--quiet', '-m', 'Work (#1)');
    await home.done(repository.root, 'create', 'fresh');
    await home.done(repository.root, 'create', 'open');
    await repository.commit('More', { m: 'm\n' }, at('open'));
    await repository.git('worktree', 'add', '--quiet', '-b', 'foreign', at('foreign'));
    await repository.commit('Trunk moves', { t: 't\n' });
    const ran = await home.wt(repository.root, ['cleanup', '--merged']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(ran.stderr, /fresh stays: its branch has no commits of its own yet/);
    assert.deepEqual((await names()).sort(), ['foreign', 'fresh', 'open']);
  });

  it('wants to know which one, and not in two ways', async () => {
    for (const args of [[], ['one', '--all'], ['--all', '--merged']]) {
      const ran = await home.wt(repository.root, ['cleanup', ...args, '--json']);
      assert.equal(ran.code, 2);
      assertFailure(ran.json(), 'usage');
    }
    assert.deepEqual(await names(), ['one']);
  });

  it('never removes the main working tree, and not the folder that one stands in unless forced', async () => {
    const main = await home.wt(repository.root, ['cleanup', '@', '--force']);
    assert.notEqual(main.code, 0);
    assert.match(main.stderr, /main was not removed/);
    const here = await home.wt(at('one'), ['cleanup', '.']);
    assert.equal(here.code, 1);
    assert.match(here.stderr, /one was not removed: you are standing in it/);
    await stat(join(at('one'), 'README.md'));
    await stat(join(repository.root, 'README.md'));
  });

  it('drops the entry of a folder that is gone when it is told to', async () => {
    await rm(at('one'), { recursive: true });
    assert.equal((await home.wt(repository.root, ['cleanup', 'one'])).code, 1);
    await home.done(repository.root, 'cleanup', 'one', '--force');
    assert.deepEqual(await names(), []);
  });

  it('lets a lock win, also when the folder is missing', async () => {
    await repository.git('worktree', 'lock', '--reason', 'usb', at('one'));
    await rename(at('one'), `${at('one')}-away`);
    const ran = await home.wt(repository.root, ['cleanup', 'one']);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /locked.*usb/);
    assert.match(ran.stderr, /`wt unlock one`/);
    const forced = await home.wt(repository.root, ['cleanup', 'one', '--force', '--json']);
    assert.equal(forced.code, 1);
    const { error } = forced.json() as { error: { remedies: unknown } };
    assert.deepEqual(error.remedies, [{ kind: 'unlock', worktree: 'one' }]);
    assert.deepEqual(await names(), ['one']);
    await home.done(repository.root, 'unlock', 'one');
    await home.done(repository.root, 'cleanup', 'one', '--force');
    assert.deepEqual(await names(), []);
  });

  it('never touches another repository that sits at the path, not even with --force', async () => {
    await rm(at('one'), { recursive: true });
    await mkdir(at('one'));
    await repository.gitIn(at('one'), 'init', '--quiet');
    await repository.commit('Theirs', { theirs: 'x\n' }, at('one'));
    const refused = await home.wt(repository.root, ['cleanup', 'one']);
    assert.equal(refused.code, 1);
    assert.deepEqual(await names(), ['one']);
    await home.done(repository.root, 'cleanup', 'one', '--force');
    assert.deepEqual(await names(), []);
    assert.equal(await readFile(join(at('one'), 'theirs'), 'utf8'), 'x\n');
  });

  it('names the line of a broken registry and removes nothing', async () => {
    await repository.write('.worktrees/stack.json', '{\n  "worktrees": [\n');
    const ran = await home.wt(repository.root, ['cleanup', 'one', '--json']);
    assert.notEqual(ran.code, 0);
    assert.match(ran.stderr, /stack\.json, line \d/);
    await stat(join(at('one'), 'README.md'));
    assert.deepEqual(await branches(), ['main', 'one']);
    assert.equal(await readFile(join(repository.root, '.worktrees', 'stack.json'), 'utf8'), '{\n  "worktrees": [\n');
  });

  it('removes ten at once', async () => {
    const all = Array.from({ length: 10 }, (_, index) => `task-${index}`);
    for (const name of all) await home.done(repository.root, 'create', name);
    const runs = await Promise.all(all.map((name) => home.wt(repository.root, ['cleanup', name])));
    for (const ran of runs) assert.equal(ran.code, 0, ran.stderr);
    assert.deepEqual([await names(), await branches()], [['one'], ['main', 'one']]);
  });
});
