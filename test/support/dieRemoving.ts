import { execFile } from 'node:child_process';
import { bundled } from './bundled.ts';
import type { Removals } from './removals.ts';

const driver = new URL('./dyingRemoval.ts', import.meta.url);

/**
 * Runs a removal, or a reclaim, in a process of its own that kills itself at a step.
 *
 * @param step a folder instead of a number gets a copy of the home at each step.
 * @returns how many steps it took; `undefined` when it was killed.
 */
export function dieRemoving(
  at: Removals,
  name: string,
  how: 'force' | 'gently' | 'reclaim',
  step: number | string,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const args = [bundled(driver), at.repository.root, name, how, String(step)];
    execFile(process.execPath, args, { env: at.home.variables, timeout: 120_000 }, (error, stdout, stderr) => {
      if (!error) resolve(Number(stdout));
      else if (error.signal === 'SIGKILL' && !error.killed) resolve(undefined);
      else reject(new Error(`step ${step}: ${stderr || error.message}`));
    });
  });
}
