import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Removals } from './removals.ts';

const driver = fileURLToPath(new URL('./dyingRemoval.ts', import.meta.url));

/**
 * Runs a removal in a process of its own that kills itself at a step.
 *
 * @param compileCache a folder, so that only the first of many processes compiles the product.
 * @returns how many steps it took; `undefined` when it was killed.
 */
export function dieRemoving(
  at: Removals,
  name: string,
  how: 'force' | 'gently',
  step: number,
  compileCache?: string,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const args = [driver, at.repository.root, name, how, String(step)];
    const env = { ...at.home.variables, ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }) };
    execFile(process.execPath, args, { env, timeout: 120_000 }, (error, stdout, stderr) => {
      if (!error) resolve(Number(stdout));
      else if (error.signal === 'SIGKILL' && !error.killed) resolve(undefined);
      else reject(new Error(`step ${step}: ${stderr || error.message}`));
    });
  });
}
