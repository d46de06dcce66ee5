import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestRepository } from '../../support/tempRepo.ts';
import { assertMatches } from '../support/schema.ts';
import { repositoryForEach, type WtHome } from '../support/wt.ts';

describe('wt lock and wt unlock', () => {
  let home: WtHome;
  let repository: TestRepository;
  repositoryForEach((at) => ({ home, repository } = at));
  beforeEach(async () => {
    await repository.git('worktree', 'add', '--quiet', '-b', 'one', join(repository.root, '.worktrees', 'one'));
  });

  const json = async (...args: string[]): Promise<unknown[]> => {
    const ran = await home.wt(repository.root, [...args, '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assertMatches(args[0] ?? '', ran.json());
    const { locked, reason, changed } = ran.json();
    return [locked, reason, changed];
  };
  const listed = async (): Promise<string | undefined> =>
    (await repository.git('worktree', 'list', '--porcelain', '-z'))
      .split('\0')
      .find((line) => line.startsWith('locked'));

  it('are those of git, done twice as well as once, and a new reason takes the place of the old one', async () => {
    assert.deepEqual(await json('lock', 'one'), [true, '', true]);
    assert.equal(await listed(), 'locked');
    assert.deepEqual(await json('lock', 'one'), [true, '', false]);
    assert.deepEqual(await json('lock', 'one', '--reason', 'a "disk" $(away)'), [true, 'a "disk" $(away)', true]);
    assert.equal(await listed(), 'locked a "disk" $(away)');
    assert.deepEqual(await json('lock', 'one'), [true, 'a "disk" $(away)', false]);
    const info = await home.done(repository.root, 'info', 'one');
    assert.match(info, /locked +a "disk" \$\(away\)/);
    assert.deepEqual(await json('unlock', 'one'), [false, null, true]);
    assert.deepEqual(await json('unlock', 'one'), [false, null, false]);
    assert.equal(await listed(), undefined);
  });

  it('say what is so now, and take the worktree that one is in', async () => {
    const inside = join(repository.root, '.worktrees', 'one');
    const locked = await home.wt(inside, ['lock', '--reason', 'on the usb disk']);
    assert.deepEqual([locked.stdout, locked.stderr], ['one\n', 'one is locked: on the usb disk.\n']);
    const unlocked = await home.wt(inside, ['unlock']);
    assert.equal(unlocked.stderr, 'Unlocked one; it was locked: on the usb disk.\n');
    const main = await home.wt(repository.root, ['lock']);
    assert.equal(main.code, 1);
    assert.match(main.stderr, /never removed\.\nnext: name another worktree/);
  });

  it('keep a removal off, by force too, with the reason and what to do', async () => {
    await home.done(repository.root, 'lock', 'one', '--reason', 'for the demo');
    for (const force of [[], ['--force']]) {
      const ran = await home.wt(repository.root, ['cleanup', 'one', ...force]);
      assert.equal(ran.code, 1);
      assert.match(ran.stderr, /it is locked: for the demo\.\nnext: `wt unlock one` unlocks it/);
    }
    await home.done(repository.root, 'unlock', 'one');
    await home.done(repository.root, 'cleanup', 'one');
  });
});
