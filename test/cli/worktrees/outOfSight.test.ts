import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { filesIn } from '../../support/filesIn.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { asNobody } from '../support/asNobody.ts';
import { assertFailure, assertMatches } from '../support/schema.ts';
import { skipBecause } from '../../support/skip.ts';
import { wtHome, wtProgram, type WtHome } from '../support/wt.ts';
import { mayRun, plainUser } from '../support/wtProcess.ts';

const execute = promisify(execFile);

describe('worktrees whose folder is out of sight', () => {
  let home: WtHome;
  let repository: TestRepository;
  let away: string;
  beforeEach(async () => {
    home = await wtHome();
    repository = await home.repository();
    await home.done(repository.root, 'create', 'one');
    await home.done(repository.root, 'create', 'two', '--base', 'one');
    away = join(home.root, 'away');
  });
  afterEach(() => home.dispose());

  const at = (name: string): string => join(repository.root, '.worktrees', name);
  const registered = async (): Promise<object> =>
    JSON.parse(await readFile(join(repository.root, '.worktrees/stack.json'), 'utf8')) as object;
  /** All that is on record of worktrees. */
  const kept = async (): Promise<unknown> => [
    await repository.git('for-each-ref', 'refs/heads'),
    await filesIn(join(repository.root, '.git/worktrees')),
    { ...(await registered()), revision: 0 },
    Object.keys(await filesIn(join(repository.root, '.claude/agents'))),
  ];

  it('stay when they are missing; only their name and --force drop them, and undo brings them back', async () => {
    await rename(at('two'), away);
    await home.done(repository.root, 'switch', 'one');
    await repository.git('worktree', 'lock', at('one'));
    const before = await kept();
    for (const args of [
      ['cleanup', 'two'],
      ['cleanup', '--all'],
      ['doctor', '--fix'],
    ]) {
      const ran = await home.wt(repository.root, args);
      assert.equal(ran.code, 1, `wt ${args.join(' ')}: ${ran.stderr}`);
      assert.match(ran.stdout + ran.stderr, /git worktree repair/);
      assert.match(ran.stdout + ran.stderr, /`wt cleanup two --force`/);
      assert.deepEqual(await kept(), before, `wt ${args.join(' ')}`);
    }
    const json = await home.wt(repository.root, ['cleanup', 'two', '--json']);
    assertMatches('cleanup', json.json());
    assertFailure({ success: false, error: json.json()['error'] }, 'would-lose-work');
    assertMatches('doctor', (await home.wt(repository.root, ['doctor', '--json'])).json());
    const dropped = await home.wt(repository.root, ['cleanup', 'two', '--force']);
    assert.equal(dropped.code, 0, dropped.stderr);
    assert.ok(!existsSync(join(repository.root, '.git/worktrees/two')));
    await home.done(repository.root, 'undo');
    assert.deepEqual(await kept(), before);
    await rename(away, at('two'));
    assert.equal((await home.wt(repository.root, ['doctor'])).code, 0);
  });

  it('stay with --all --force too, whether their branch is merged or not', async () => {
    await repository.commit('Work', { 'work.txt': 'work\n' }, at('two'));
    await repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'two');
    await rename(at('two'), away);
    for (const how of ['--merged', '--all']) {
      const ran = await home.wt(repository.root, ['cleanup', how, '--force']);
      assert.equal(ran.code, 1, ran.stderr);
      assert.match(ran.stderr, /two was not removed: its folder is not at/);
      assert.ok(existsSync(join(repository.root, '.git/worktrees/two')));
      assert.match(await repository.git('branch', '--list', 'two'), /two/);
    }
    assert.ok(!existsSync(join(repository.root, '.git/worktrees/one')));
    assert.match(await readFile(join(repository.root, '.worktrees/stack.json'), 'utf8'), /"two"/);
  });

  it('stay while their disk is not mounted, and work again when it is', async function () {
    if (process.getuid?.() !== 0) skipBecause(this, 'only root can mount');
    const disk = join(home.root, 'disk');
    const store = join(home.root, 'store');
    await mkdir(disk);
    await mkdir(store);
    const mount = (): Promise<unknown> => execute('mount', ['--bind', store, disk]);
    const unmount = (): Promise<unknown> => execute('umount', [disk]);
    await mount().catch((thrown: unknown) => skipBecause(this, `nothing can be mounted here: ${String(thrown)}`));
    try {
      const far = join(disk, 'far');
      await repository.git('worktree', 'add', '--quiet', '-b', 'far', far);
      await repository.write(join(far, 'new.txt'), 'hours of work\n');
      for (const name of ['one', 'two']) await repository.git('worktree', 'lock', at(name));
      await unmount();
      const before = await kept();
      for (const args of [
        ['cleanup', 'far'],
        ['cleanup', '--all'],
        ['cleanup', '--merged'],
        ['doctor', '--fix'],
        ['list'],
      ]) {
        const ran = await home.wt(repository.root, args);
        assert.deepEqual(await kept(), before, `wt ${args.join(' ')}`);
        if (args[1] !== '--merged')
          assert.equal(ran.code, args[0] === 'list' ? 0 : 1, `wt ${args.join(' ')}: ${ran.stderr}`);
      }
      await home.done(repository.root, 'cleanup', 'far', '--force');
      await home.done(repository.root, 'undo');
      assert.deepEqual(await kept(), before);
      await mount();
      assert.equal(await repository.gitIn(far, 'status', '--porcelain'), '?? new.txt');
    } finally {
      await unmount().catch(() => undefined);
    }
  });

  it('stay when their folder may not be looked at, with every command ending in plain words', async function () {
    if (!mayRun(plainUser(), wtProgram)) skipBecause(this, 'other users may not read the programs here');
    const node = await asNobody(home);
    await mkdir(join(home.root, 'closed'));
    const closed = join(home.root, 'closed', 'two');
    await repository.git('worktree', 'move', at('two'), closed);
    await execute('chown', ['-R', '65534:65534', home.root]).catch(() => undefined);
    assert.equal((await home.wt(repository.root, ['doctor', '--fix'], { node })).code, 0);
    const before = await kept();
    await chmod(dirname(closed), 0o000);
    try {
      for (const args of [
        ['list'],
        ['stack'],
        ['info', 'two'],
        ['doctor'],
        ['doctor', '--fix'],
        ['cleanup', 'two'],
        ['cleanup', '--merged'],
        ['log'],
      ]) {
        const ran = await home.wt(repository.root, args, { node });
        assert.doesNotMatch(ran.stderr, /fault in wt/, `wt ${args.join(' ')}: ${ran.stderr}`);
        assert.deepEqual(await kept(), before, `wt ${args.join(' ')}`);
        if (args[0] !== 'doctor' && args[1] !== 'two') continue;
        assert.equal(ran.code, args[0] === 'info' ? 0 : 1, `wt ${args.join(' ')}: ${ran.stderr}`);
        assert.match(ran.stdout + ran.stderr, /EACCES/, `wt ${args.join(' ')}`);
      }
      assert.equal((await home.wt(repository.root, ['cleanup', 'two', '--force'], { node })).code, 0);
      assert.ok(!existsSync(join(repository.root, '.git/worktrees/two')));
      assert.equal((await home.wt(repository.root, ['undo'], { node })).code, 0);
      assert.deepEqual(await kept(), before);
    } finally {
      await chmod(dirname(closed), 0o755);
    }
    assert.equal(await repository.gitIn(closed, 'status', '--porcelain'), '');
  });

  it('in a moved repository are repaired by doctor in one run, which says true numbers', async () => {
    const moved = join(home.root, 'moved');
    await rename(repository.root, moved);
    const told = await home.wt(moved, ['doctor', '--json']);
    assertMatches('doctor', told.json());
    assert.equal(told.code, 1);
    const fixed = await home.wt(moved, ['doctor', '--fix', '--json']);
    assertMatches('doctor', fixed.json());
    assert.deepEqual([fixed.code, fixed.json()['success']], [0, true]);
    const again = await home.wt(moved, ['doctor', '--json']);
    assert.deepEqual([again.code, again.json()['findings']], [0, []]);
  });
});
