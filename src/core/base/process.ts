import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { sep } from 'node:path';
import type { Environment } from './environment.ts';
import { windowsStart, type WindowsStart } from './windowsCommand.ts';

export type { ChildProcess, StdioOptions } from 'node:child_process';

/** How another program is run. */
export interface ProgramOptions {
  readonly cwd?: string | undefined;
  /** Its environment variables. Default: those of this process. */
  readonly variables?: Environment['variables'] | undefined;
  /** It is ended after this time, in milliseconds. */
  readonly timeout: number;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** What a program printed, and why it failed where it did: it could not be started, was ended, or its exit code was not 0. */
export interface ProgramAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly failure: Error | undefined;
}

/** The most that a program may print, in bytes. */
const longestOutput = 4 * 1024 * 1024;

/**
 * Runs a program other than git, without input, and gives what it printed. On Windows it may be a batch file, as `npm` and many others are
 * there. Never rejects.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, variables, timeout, signal }: ProgramOptions,
): Promise<ProgramAnswer> {
  return new Promise((resolve) => {
    const env = variables && { ...variables };
    let start: WindowsStart = { program, args, verbatim: false };
    try {
      if (sep === '\\') start = windowsStart(program, args, cwd ?? '.', variables ?? {});
    } catch (thrown) {
      resolve({ stdout: '', stderr: '', failure: thrown as Error });
      return;
    }
    const shown = { windowsHide: true, windowsVerbatimArguments: start.verbatim, maxBuffer: longestOutput };
    const options = { cwd, env, timeout, signal, ...shown };
    const child = execFile(start.program, start.args, options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, failure: error ?? undefined }),
    );
    // Some programs wait a while for input.
    child.stdin?.on('error', () => {}).end();
  });
}

/** Starts a program that goes on when this process ends. Nothing waits for it, and whether it could be started stays unknown. */
export function startInBackground(
  program: string,
  args: readonly string[],
  cwd?: string,
  variables?: Environment['variables'],
): void {
  const env = variables && { ...variables };
  const child = startProcess(program, args, { cwd, env, detached: true, stdio: 'ignore' });
  child.once('error', () => {});
  child.unref();
}

/** Starts a program for a caller that watches and ends it. */
export function startProcess(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return spawn(program, args, { ...options, windowsHide: true });
}
