import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../src/core/base/problem.ts';
import { removeLeftLocks } from '../../../src/core/git/lockFile.ts';
import { reserve } from '../../../src/core/operations/store.ts';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { skipBecause } from '../../support/skip.ts';
import { Stacks } from '../../support/stacks.ts';

describe('a worktree that cannot be led back', function () {
  this.timeout(300_000);
  let at: Stacks;
  const inGit = (...names: string[]): string => join(at.repository.root, '.git', ...names);
  beforeEach(async () => {
    at = await Stacks.start();
    await at.commit('main', 'Files', { 'one.txt': 'one\n', 'two.txt': 'two\n' });
    await at.add('a', 'main', { 'a.txt': 'a\n' });
    await at.add('b', 'a', { 'b.txt': 'b\n' });
  });
  afterEach(() => at.dispose());

  it('stays pending, and is led back by the next command', async function () {
    const [one, two] = [join(at.path('a'), 'one.txt'), join(at.path('a'), 'two.txt')];
    try {
      execFileSync('chattr', ['+i', one], { stdio: 'ignore' });
      execFileSync('chattr', ['-i', one], { stdio: 'ignore' });
    } catch {
      return skipBecause(this, 'only root can mark files as immutable, and not on every file system');
    }
    await at.commit('main', 'News', { 'one.txt': 'new\n', 'two.txt': 'new\n' });
    // In b it fails as soon as a has followed, and from then on a file of a cannot be changed.
    const filter = join(at.home.root, 'filter');
    const isDone = `test "$(cat '${two}')" = new && ! test -e '${inGit('worktrees/a/index.lock')}'`;
    await writeFile(
      filter,
      `#!/bin/sh\ncase "$(pwd)" in */b) until ${isDone}; do sleep 0.01; done; chattr +i '${one}'; exit 1;; esac\nexec cat\n`,
    );
    await chmod(filter, 0o755);
    await writeFile(inGit('info/attributes'), 'two.txt filter=odd\n');
    await at.repository.git('config', 'filter.odd.clean', 'cat');
    await at.repository.git('config', 'filter.odd.smudge', filter);
    await at.repository.git('config', 'filter.odd.required', 'true');
    const before = await at.picture();
    try {
      await assert.rejects(at.rebase('a', { wholeStack: true }), (thrown: unknown) => {
        assert.ok(Problem.is(thrown));
        assert.equal(thrown.outcome, 'incomplete');
        assert.match(thrown.message, /not every file could be restored/);
        assert.match(thrown.next ?? '', /the next `wt` command restores them/);
        assert.match(thrown.items.join('\n'), /one\.txt: its backup is in .*before.a/);
        return true;
      });
      assert.deepEqual(await readdir(inGit('worktree-stacks/operations')), ['_stack.json']);
      const [problem] = await recoverInterrupted(at.workspace);
      assert.deepEqual([problem?.reason, problem?.outcome], ['not-writable', 'incomplete']);
      assert.equal(await readFile(one, 'utf8'), 'new\n');
    } finally {
      execFileSync('chattr', ['-i', one]);
    }
    assert.deepEqual(await recoverInterrupted(at.workspace), []);
    assert.equal(await readFile(one, 'utf8'), 'one\n');
    assert.deepEqual(await at.picture(), before);
    assert.deepEqual(await readdir(inGit('worktree-stacks/operations')), []);
    await at.repository.git('config', 'filter.odd.smudge', 'cat');
    await at.rebase('a', { wholeStack: true });
    assert.equal(await readFile(one, 'utf8'), 'new\n');
  });

  it('loses no backup, but those that a finished operation could not delete go when they are old', async () => {
    const past = new Date(Date.now() - 60 * 60 * 1000);
    const leave = async (name: string): Promise<string> => {
      const folder = inGit('worktree-stacks/before', name);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, '0'), 'before\n');
      if (name === 'old') await utimes(folder, past, past);
      return folder;
    };
    const [old, fresh] = [await leave('old'), await leave('fresh')];
    const pending = await reserve(at.workspace, 'restack', '_stack', () => Promise.resolve({}));
    await recoverInterrupted(at.workspace);
    assert.deepEqual([existsSync(old), existsSync(fresh)], [true, true]);
    await pending.close();
    await recoverInterrupted(at.workspace);
    assert.deepEqual([existsSync(old), existsSync(fresh)], [false, true]);
  });

  it('finds no lock in its way that a git of ours could not remove itself, and loses none of others', async () => {
    for (const name of ['index.lock', 'HEAD.lock', 'config.lock']) await writeFile(inGit(name), '');
    const words = [
      `warning: unable to unlink '${inGit('index.lock')}': Device or resource busy`,
      "warning: unable to unlink '.git/HEAD.lock': Permission denied",
      `warning: unable to unlink '${inGit('HEAD')}': Permission denied`,
      `fatal: Unable to create '${inGit('config.lock')}': File exists.`,
    ];
    removeLeftLocks(words.join('\n'), at.repository.root);
    const left = (await readdir(inGit())).filter((name) => name === 'HEAD' || name.endsWith('.lock'));
    assert.deepEqual(left, ['HEAD', 'config.lock']);
  });
});
