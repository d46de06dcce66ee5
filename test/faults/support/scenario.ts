import assert from 'node:assert/strict';
import { join } from 'node:path';
import { skipBecause } from '../../support/skip.ts';
import type { WtHome } from '../../cli/support/wt.ts';
import type { TestRepository } from '../../support/tempRepo.ts';
import { FaultyDisk, type Scenario } from './faultyDisk.ts';
import { whyNot } from './refusal.ts';

/** Tests that a command does all or nothing, whichever call the file system refuses. */
export function allOrNothing(title: string, scenario: Scenario): void {
  describe(title, function () {
    // Hundreds of runs, more of them with --thorough.
    this.timeout(3_600_000);
    let disk: FaultyDisk;
    before(async function () {
      const why = await whyNot();
      if (why !== undefined) skipBecause(this, why);
      disk = await FaultyDisk.start(scenario);
    });
    after(() => disk?.dispose());

    const isSound = (faults: readonly string[]): void =>
      assert.equal(faults.length, 0, `${faults.length} calls:\n${faults.join('\n')}`);
    it('is all or nothing when any one call is refused', async () => isSound(await disk.refuseEach()));
    it('is all or nothing on a disk that becomes full', async () => isSound(await disk.refuseFrom('full')));
    it('is all or nothing on a disk that becomes read-only', async () => isSound(await disk.refuseFrom('read-only')));
  });
}

/**
 * Two worktrees, `high` on `low` on main, which has a commit more by now. In `high` there is work of every kind: staged, changed, and in
 * a new file.
 */
export async function makeStack(home: WtHome, repository: TestRepository): Promise<void> {
  const at = (name: string): string => join(repository.root, '.worktrees', name);
  await repository.commit('Files', {
    '.gitignore': '.env\n',
    'agents/session.md':
      '# Session\n\n## Pending Tasks\n\n- [ ] **Receipts** — mail a PDF\n- [ ] **Login** — limit tries\n',
    'src/one.txt': 'one\n',
    'src/two.txt': 'two\n',
  });
  await repository.write('.env', 'KEY=1\n');
  await home.done(repository.root, 'create', 'low');
  await repository.commit('Low', { 'low.txt': 'low\n', 'src/one.txt': 'one of low\n' }, at('low'));
  await home.done(repository.root, 'create', 'high', '--base', 'low');
  await repository.commit('High', { 'high.txt': 'high\n' }, at('high'));
  await repository.write(join(at('high'), 'staged.txt'), 'staged\n');
  await repository.gitIn(at('high'), 'add', 'staged.txt');
  await repository.write(join(at('high'), 'high.txt'), 'high, changed\n');
  await repository.write(join(at('high'), 'new.txt'), 'new\n');
  await repository.commit('Main', { 'main.txt': 'main\n' });
}

/** {@link makeStack}, and a command that is done. */
export function stackAnd(...args: string[]): Scenario['prepare'] {
  return async (home, repository) => {
    await makeStack(home, repository);
    await home.done(repository.root, ...args);
  };
}
