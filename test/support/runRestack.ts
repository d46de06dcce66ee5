import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { bundled } from './bundled.ts';
import type { TestHome, TestRepository } from './tempRepo.ts';

const driver = new URL('./restackDriver.ts', import.meta.url);

/**
 * Runs an operation of `restackDriver.ts` in a process of its own, which kills itself after a step.
 *
 * @returns whether it came to its end.
 */
export async function runRestack(
  { home, repository }: { readonly home: TestHome; readonly repository: TestRepository },
  what: string,
  name: string,
  step: number | string,
): Promise<boolean> {
  const child = spawn(process.execPath, [bundled(driver), repository.root, what, name, String(step)], {
    env: home.variables,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return output !== '';
}
