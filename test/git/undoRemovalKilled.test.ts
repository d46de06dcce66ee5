import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegistry } from '../../src/core/repository/registry.ts';
import { undoneIds, readOperations } from '../../src/core/operations/operationLog.ts';
import { mendInterrupted } from '../../src/core/recovery/recover.ts';
import { runRestack } from '../support/runRestack.ts';
import { Removals } from '../support/removals.ts';

/** Later than any git process of a killed operation could still make something. */
const later = (): Date => new Date(Date.now() + 60_000);

suite('taking a removal back, killed', function () {
  this.timeout(600_000);
  let at: Removals;
  setup(async () => {
    at = await Removals.start();
    await at.repository.write('.git/info/exclude', '/.worktrees/\n.work/\n');
    await at.repository.commit('Base', { 'lib/a.txt': 'a\n', 'lib/b.txt': 'b\n' });
  });
  teardown(() => at.dispose());

  const run = (step: number): Promise<boolean> => runRestack(at, 'undo', 'work', step);

  async function around(): Promise<unknown> {
    const folder = join(at.repository.root, '.worktrees');
    return [
      await at.repository.git('for-each-ref', 'refs/heads'),
      await at.listed(),
      (await readdir(folder)).filter((name) => name !== 'stack.json').sort(),
      [...(await readRegistry(at.workspace.repository)).worktrees],
      await readdir(join(at.repository.root, '.git/worktree-stacks/operations')).catch((): string[] => []),
    ];
  }

  test('between any two steps leaves the worktree away or there as a whole, and can be asked for again', async () => {
    const path = await at.add('work', { commits: 1 });
    await at.repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'work');
    await at.repository.write(join(path, 'lib/a.txt'), 'staged\n');
    await at.repository.gitIn(path, 'add', 'lib/a.txt');
    await at.repository.write(join(path, 'new.txt'), 'new\n');
    await at.repository.write(join(path, '.work/notes.md'), 'notes\n');
    await at.repository.gitIn(path, 'checkout', '--quiet', '--detach');
    await at.repository.gitIn(path, 'commit', '--quiet', '--allow-empty', '-m', 'lost');
    await at.repository.gitIn(path, 'checkout', '--quiet', 'work');
    const logs = (): Promise<string[]> =>
      Promise.all(
        ['worktrees/work/logs/HEAD', 'logs/refs/heads/work'].map((file) =>
          readFile(join(at.repository.root, '.git', file), 'utf8'),
        ),
      );
    const before = await logs();
    const status = await at.repository.gitIn(path, 'status', '--porcelain', '--branch');
    const there = await around();
    const counts = { away: 0, there: 0 };
    for (let step = 1, ended = false; !ended; step++) {
      assert.ok(step < 100, 'it has an end');
      if (existsSync(path)) await at.remove('work', { force: true });
      const away = await around();
      ended = await run(step);
      const environment = { ...at.workspace.environment, now: later };
      assert.deepEqual(await mendInterrupted({ ...at.workspace, environment }), []);
      const [last] = await readOperations(at.workspace);
      if (existsSync(path)) {
        counts.there++;
        assert.deepEqual(await around(), there, `killed after step ${step}`);
        assert.equal(await at.repository.gitIn(path, 'status', '--porcelain', '--branch'), status);
        assert.equal(await readFile(join(path, 'new.txt'), 'utf8'), 'new\n');
        assert.equal(await readFile(join(path, '.work/notes.md'), 'utf8'), 'notes\n');
        assert.deepEqual(await logs(), before, `killed after step ${step}`);
        assert.equal(last?.kind, 'undo');
      } else {
        counts.away++;
        assert.deepEqual(await around(), away, `killed after step ${step}`);
        assert.equal(last?.kind, 'cleanup');
        assert.ok(!undoneIds(await readOperations(at.workspace)).has(last.id));
      }
    }
    assert.ok(counts.away > 4 && counts.there > 1, JSON.stringify(counts));
    assert.equal(await at.repository.git('fsck', '--no-dangling'), '');
  });
});
