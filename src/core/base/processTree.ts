import { readFile } from 'node:fs/promises';
import type { Environment } from './environment.ts';
import { runProgram } from './process.ts';

/** A process that runs now. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** The name of its program, for people. */
  readonly name: string;
  /** Its command line; on systems that do not keep the words apart, split at spaces. */
  readonly words: readonly string[];
}

/** How long the system may take to list its processes, in milliseconds. */
const patience = 5000;

/** A running process by its id, on Linux; `undefined` for one that has ended, and on other systems. */
export async function readProcess(pid: number): Promise<RunningProcess | undefined> {
  const [stat, line] = await Promise.all(
    ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => undefined)),
  );
  if (stat === undefined) return undefined;
  // The second field is the name in brackets, which may hold spaces and brackets itself.
  const end = stat.lastIndexOf(')');
  const [state, parent] = stat.slice(end + 2).split(' ');
  if (state === 'Z') return undefined;
  const name = stat.slice(stat.indexOf('(') + 1, end);
  return { pid, parent: Number(parent), name, words: (line ?? '').replace(/\0$/, '').split('\0') };
}

/**
 * The processes that a process descends from, its parent first; without the first process of the system, which adopts those whose
 * parents have ended. Empty where the system does not tell (Windows).
 */
export async function ancestorsOf({ platform, pid, variables }: Environment): Promise<RunningProcess[]> {
  const read = platform === 'linux' ? readProcess : await listed(platform, variables);
  const chain: RunningProcess[] = [];
  for (let at = (await read(pid))?.parent ?? 0; at > 1 && !chain.some((each) => each.pid === at);) {
    const found = await read(at);
    if (!found) break;
    chain.push(found);
    at = found.parent;
  }
  return chain;
}

type Reader = (pid: number) => Promise<RunningProcess | undefined>;

/** One list of all processes, for systems without `/proc`. */
async function listed(platform: NodeJS.Platform, variables: Environment['variables']): Promise<Reader> {
  const processes = new Map<number, RunningProcess>();
  if (platform !== 'win32') {
    // Whole lines: without `ww` macOS cuts them at 79 characters, and others at COLUMNS.
    const { stdout } = await runProgram('ps', ['-axwwo', 'pid=,ppid=,command='], { variables, timeout: patience });
    for (const line of stdout.split('\n')) {
      const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      if (pid === undefined) continue;
      const words = command.split(' ');
      const name = (words[0] ?? '').replace(/^.*\/|^-/g, '');
      processes.set(Number(pid), { pid: Number(pid), parent: Number(parent), name, words });
    }
  }
  return async (pid) => processes.get(pid);
}
