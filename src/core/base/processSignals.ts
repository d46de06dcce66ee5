import { readFile, readdir } from 'node:fs/promises';
import { win32 } from 'node:path';
import { kill } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from './environment.ts';
import { errorCode, messageOf } from './problem.ts';
import { runProgram, type ChildProcess } from './process.ts';
import { valueOf } from './windowsVariables.ts';

/** The signals that end a program from outside: by Ctrl-C, by whoever runs it, by a terminal that is closed. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Sends a signal to a process group; gives whether anybody is in it. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  return signalProcess(-leader, signal);
}

/** Sends a signal to one process, or to a group as a negative number; gives whether it is there. 0 only asks that. */
export function signalProcess(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    kill(target, signal);
    return true;
  } catch (thrown) {
    if (errorCode(thrown) === 'ESRCH') return false;
    // It is another user's, or on macOS a group that has ended and waits to be asked how.
    if (errorCode(thrown) === 'EPERM') return true;
    throw thrown;
  }
}

/** How long those have to end that Windows could ask, and that it could not ask; milliseconds. */
const graceOnWindows = { asked: 2000, notAsked: 300 };

/** What is read of a process that is ended, and asked of it. */
export interface EndedProcess extends Pick<ChildProcess, 'exitCode' | 'signalCode'> {
  readonly pid?: number | undefined;
  once(event: 'exit', listener: () => void): unknown;
  kill(): boolean;
}

/** How a process and all that it has started is ended on Windows. */
export interface EndOnWindows {
  /** Where the programs of Windows are. */
  readonly SystemRoot?: string | undefined;
  /** Without asking. */
  readonly force?: boolean;
  /** Gets why `taskkill` could not do it: then only the process itself is ended, and what it has started may go on. */
  readonly onFailure?: (why: Error) => void;
  /** Runs a program; tests give one of their own. */
  readonly run?: typeof runProgram;
}

/** How processes are ended where Windows is this one; what fails of it goes to the log. */
export function endOnWindows({ variables, log }: Pick<Environment, 'variables' | 'log'>): EndOnWindows {
  return {
    SystemRoot: valueOf(variables, 'SystemRoot'),
    onFailure: (why) =>
      log.warn(`taskkill failed, so what the ended process had started may still run: ${messageOf(why)}`),
  };
}

/**
 * Ends a process of Windows, which has no signals, and all that it has started: asks those that have a window, and forces whoever is left
 * after a moment. Nothing is sent once the process has ended: its id may be another one's by then.
 *
 * @returns when nobody of them is left, as far as Windows tells.
 */
export async function endTreeOnWindows(
  child: EndedProcess,
  { SystemRoot, force = false, onFailure, run = runProgram }: EndOnWindows,
): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const program = win32.join(SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const kill = async (...options: string[]): Promise<Error | undefined> => {
    if (hasEnded()) return undefined;
    return (await run(program, ['/pid', String(pid), '/T', ...options], { timeout: 10_000 })).failure;
  };
  if (!force) {
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const isAsked = (await kill()) === undefined;
    // Whoever has nothing else to wait for does not wait for this.
    const grace = pause(isAsked ? graceOnWindows.asked : graceOnWindows.notAsked, undefined, { ref: false });
    if (!hasEnded()) await Promise.race([ended, grace]);
  }
  const failure = await kill('/F');
  if (failure === undefined || hasEnded()) return;
  onFailure?.(failure);
  child.kill();
}

/**
 * A process and all that it has started, directly or not, as they are now; those whose own parent has ended cannot be found. For
 * processes that share our process group, which so cannot be signalled as one.
 */
export async function processTree(root: number, platform: NodeJS.Platform): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of await livingProcesses(platform))
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  const found = [root];
  for (let at = 0; at < found.length; at++) found.push(...(children.get(found[at] ?? 0) ?? []));
  return found;
}

/** Those of some processes and groups (as negative numbers) that are still there. What has ended and waits to be asked how does not count. */
export async function stillThere(signalled: Iterable<number>, platform: NodeJS.Platform): Promise<number[]> {
  const there = [...signalled].filter((each) => signalProcess(each, 0));
  if (there.length === 0) return there;
  const living = new Set((await livingProcesses(platform)).flatMap(({ pid, group }) => [pid, -group]));
  return there.filter((each) => living.has(each));
}

interface LivingProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

async function livingProcesses(platform: NodeJS.Platform): Promise<LivingProcess[]> {
  const rows = await (platform === 'linux' ? statesOnLinux() : statesByPs());
  return rows.flatMap(([pid, state, parent, group]) =>
    state === undefined || state.startsWith('Z')
      ? []
      : [{ pid: Number(pid), parent: Number(parent), group: Number(group) }],
  );
}

/** The id, the state, the parent and the group of each process. */
type States = readonly (readonly (string | undefined)[])[];

async function statesOnLinux(): Promise<States> {
  const names = await readdir('/proc').catch((): string[] => []);
  return Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
        // The second field is the program's name in brackets and may hold anything.
        const [state, parent, group] = stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [name, state, parent, group];
      }),
  );
}

async function statesByPs(): Promise<States> {
  const { stdout } = await runProgram('ps', ['-A', '-o', 'pid=,stat=,ppid=,pgid='], { timeout: 5000 });
  return stdout.split('\n').map((line) => line.trim().split(/\s+/));
}
