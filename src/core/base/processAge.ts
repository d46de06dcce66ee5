import { win32 } from 'node:path';
import type { Environment } from './environment.ts';
import { valueOf } from './windowsVariables.ts';

/** How long a system may take to answer, how long an answer holds, and how exact it is; in milliseconds. */
const limits = { answer: 10_000, fresh: 10_000, exact: 5000 };

/** Asks the system for how long a process has been running, in seconds; `undefined` when it does not say. */
export type AskAge = (environment: Environment, pid: number) => Promise<number | undefined>;

const answers = new Map<number, { readonly at: number; readonly age: Promise<number | undefined> }>();

/**
 * Whether a process began after something that is said to be its own: then it is another one, which has got the id of one that has ended. Asks
 * the system by a program, so it is for what has lasted long already. On Linux the kernel tells that of every process at once, and nothing is
 * asked.
 *
 * @param since when the first one was seen; ISO 8601.
 */
export async function beganAfter(
  environment: Environment,
  pid: number,
  since: string,
  ask: AskAge = askSystem,
): Promise<boolean> {
  if (environment.platform === 'linux') return false;
  const before = Date.parse(since);
  const now = environment.now().getTime();
  if (Number.isNaN(before) || now - before < limits.fresh) return false;
  let known = answers.get(pid);
  if (!known || now - known.at > limits.fresh) answers.set(pid, (known = { at: now, age: ask(environment, pid) }));
  const age = await known.age;
  return age !== undefined && known.at - age * 1000 > before + limits.exact;
}

async function askSystem({ platform, variables }: Environment, pid: number): Promise<number | undefined> {
  const [program, args] =
    platform === 'win32'
      ? [
          win32.join(
            valueOf(variables, 'SystemRoot') ?? 'C:\\Windows',
            'System32\\WindowsPowerShell\\v1.0\\powershell.exe',
          ),
          [
            ...['-NoProfile', '-NonInteractive', '-Command'],
            `[Math]::Floor(((Get-Date) - (Get-Process -Id ${pid}).StartTime).TotalSeconds)`,
          ],
        ]
      : ['ps', ['-o', 'etime=', '-p', String(pid)]];
  // Loaded only here: guards, which never ask, share the bundle with this.
  const { runProgram } = await import('./process.ts');
  const { stdout, failure } = await runProgram(program, args, { variables, timeout: limits.answer });
  return failure ? undefined : secondsOf(stdout);
}

/** Seconds as a number, or as `ps` writes a time: `[[days-]hours:]minutes:seconds`. */
export function secondsOf(text: string): number | undefined {
  const found = /^\s*(?:(?:(?:(\d+)-)?(\d+):)?(\d+):)?(\d+)\s*$/.exec(text);
  if (!found) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((each) => Number(each ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}
