import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { StepCopies } from './stepCopies.ts';
import type { TestRepository } from './tempRepo.ts';

/** Copies have other inodes, which git would take for changes. */
export async function ignoreInodes(repository: TestRepository): Promise<void> {
  await repository.git('config', '--global', 'core.checkStat', 'minimal');
  await repository.git('config', '--global', 'core.trustctime', 'false');
}

/**
 * Runs an operation once, which leaves a copy of the home at each step, instead of once for each step.
 *
 * @param operate runs it with a folder for the copies.
 * @returns `run` as `Killable` has it, and what deletes the copies.
 */
export function runOnCopies(
  home: string,
  operate: (into: string) => Promise<unknown>,
): { run(this: void, step: number): Promise<boolean>; forget(): void } {
  const copies = new StepCopies(home);
  let steps: readonly number[] | undefined;
  return {
    run: async (step) => {
      if (!steps) await operate(copies.into);
      steps ??= copies.all();
      copies.restore(steps[step - 1] ?? steps.at(-1) ?? 0);
      ageLocks(home);
      return step >= steps.length;
    },
    forget: () => copies.forget(),
  };
}

/** A lock whose owner died before it had signed it is believed to be dead only after some seconds: makes those so old. */
function ageLocks(folder: string): void {
  const past = new Date(Date.now() - 60_000);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory() && entry.name.endsWith('.lock')) utimesSync(join(entry.parentPath, entry.name), past, past);
}
