import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { promisify } from 'node:util';
import { bundled } from './bundled.ts';
import type { TestHome, TestRepository } from './tempRepo.ts';
import { nobodyId, withoutRights } from './withoutRights.ts';

const driver = new URL('./restackDriver.ts', import.meta.url);

/** The user that has no rights; `undefined` when the tests do not run as root, so that the file system refuses them anyway. */
export const nobody = process.getuid?.() === 0 ? { uid: nobodyId, gid: nobodyId } : undefined;

/** Gives everything in a throw-away home to a user that has no rights. */
export async function handOver(home: TestHome): Promise<void> {
  if (!nobody) return;
  await promisify(execFile)('chown', ['-R', `${nobody.uid}:${nobody.gid}`, home.root]);
  await chmod(home.root, 0o755);
  await promisify(execFile)('git', ['config', '--global', '--add', 'safe.directory', '*'], { env: home.variables });
  await promisify(execFile)('chown', [`${nobody.uid}:${nobody.gid}`, `${home.root}/.gitconfig`]);
}

/** A problem as a process of its own tells it. */
export interface ToldProblem {
  readonly reason: string;
  readonly message: string;
  readonly next: string;
  readonly file?: string;
  readonly items: readonly string[];
  readonly outcome: string;
}

/**
 * Runs an operation of `restackDriver.ts` in a process of its own, as the user without rights where {@link nobody} is one.
 *
 * @returns the problem that it ended with; `undefined` when it came to its end.
 */
export async function runAsNobody(
  { home, repository }: { readonly home: TestHome; readonly repository: TestRepository },
  what: string,
  name: string,
): Promise<ToldProblem | undefined> {
  const words = [process.execPath, bundled(driver), repository.root, what, name, 'never'];
  const [program = '', ...args] = nobody ? [...withoutRights(), ...words] : words;
  const child = spawn(program, args, { env: home.variables, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  if (output !== '') return undefined;
  const line = said.split('\n').find((each) => each.startsWith('{'));
  if (line === undefined) throw new Error(said);
  return JSON.parse(line) as ToldProblem;
}
