import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recoverInterrupted } from '../../../src/core/recovery/recover.ts';
import { dieRemoving } from '../../support/dieRemoving.ts';
import { addToRemove, startRemovals } from '../../support/killedCleanup.ts';

describe('a removal that is killed', function () {
  this.timeout(900_000);

  it('cannot go back to where something else is by now, says so, and waits', async () => {
    const at = await startRemovals();
    try {
      const isUndecided = async (name: string): Promise<boolean> => {
        const file = join(at.repository.root, '.git', 'worktree-stacks', 'operations', `${name}.json`);
        return /"step": "begun"/.test(await readFile(file, 'utf8').catch(() => ''));
      };
      let path = '';
      // A step after which the folder is aside and the removal not decided.
      for (let step = 1, found = false; !found; step++) {
        const name = `at-${step}`;
        path = await addToRemove(at, name);
        assert.equal(
          await dieRemoving(at, name, 'gently', step),
          undefined,
          'it lived although its folder never went aside',
        );
        found = !existsSync(path) && (await isUndecided(name));
      }
      await at.repository.write(join(path, 'mine.txt'), 'mine\n');
      const [problem] = await recoverInterrupted(at.workspace);
      assert.match(problem?.message ?? '', /where an interrupted removal has put it, and something else is at/);
      assert.equal(await readFile(join(path, 'mine.txt'), 'utf8'), 'mine\n');
      await rm(path, { recursive: true });
      assert.deepEqual(await recoverInterrupted(at.workspace), []);
      assert.equal(await at.repository.gitIn(path, 'status', '--porcelain'), '');
    } finally {
      await at.dispose();
    }
  });

  it('leaves half-written copies and locks that are swept up when they are old, and nothing else is', async () => {
    const at = await startRemovals();
    try {
      const operations = join(at.repository.root, '.git', 'worktree-stacks', 'operations');
      const files = [
        join(operations, 'one.json.123'),
        join(operations, 'one.json.lock', 'owner.json'),
        join(at.repository.root, '.worktrees', 'stack.json.123'),
        join(at.repository.root, '.worktrees', 'stack.json.new.123'),
        join(at.repository.root, '.claude', 'dev-worktree.local.md.123'),
      ];
      const others = [
        join(at.repository.root, '.worktrees', 'stack.json.old'),
        join(at.repository.root, '.claude', 'settings.json'),
        join(operations, 'two.json.456'),
      ];
      const owner = JSON.stringify({ pid: 4_999_999, host: at.workspace.environment.host, since: '' });
      for (const file of [...files, ...others]) {
        await mkdir(join(file, '..'), { recursive: true });
        await writeFile(file, owner);
      }
      const past = new Date(Date.now() - 3_600_000);
      for (const file of [...files, join(operations, 'one.json.lock'), ...others.slice(0, 2)]) {
        await utimes(file, past, past);
      }
      assert.deepEqual(await recoverInterrupted(at.workspace), []);
      assert.deepEqual(files.filter(existsSync), []);
      assert.deepEqual(others.filter(existsSync), others);
    } finally {
      await at.dispose();
    }
  });
});
