import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { sep } from 'node:path';
import type { Environment } from './environment.ts';
import { mayStartSoon, untilStarted } from './startAgain.ts';
import { windowsStart, type WindowsStart } from './windowsCommand.ts';

export type { ChildProcess, SpawnOptions as ProcessOptions, StdioOptions } from 'node:child_process';

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
  options: ProgramOptions,
): Promise<ProgramAnswer> {
  const start = async (): Promise<ProgramAnswer> => {
    const answer = await runOnce(program, args, options);
    if (mayStartSoon(answer.failure)) throw answer.failure;
    return answer;
  };
  return untilStarted(start, options.signal).catch((thrown) => notRun(thrown as Error));
}

function notRun(failure: Error): ProgramAnswer {
  return { stdout: '', stderr: '', failure };
}

function runOnce(
  program: string,
  args: readonly string[],
  { cwd, variables, timeout, signal }: ProgramOptions,
): Promise<ProgramAnswer> {
  return new Promise((resolve) => {
    const env = variables && { ...variables };
    try {
      const start: WindowsStart =
        sep === '\\' ? windowsStart(program, args, cwd ?? '.', variables ?? {}) : { program, args, verbatim: false };
      const shown = { windowsHide: true, windowsVerbatimArguments: start.verbatim, maxBuffer: longestOutput };
      const child = execFile(
        start.program,
        start.args,
        { cwd, env, timeout, signal, ...shown },
        (error, stdout, stderr) => resolve({ stdout, stderr, failure: error ?? undefined }),
      );
      // Some programs wait a while for input.
      child.stdin?.on('error', () => {}).end();
    } catch (thrown) {
      // Node throws some refusals to start a program, and tells of others later.
      resolve(notRun(thrown as Error));
    }
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
  const start = startedProcess(program, args, { cwd, env, detached: true, stdio: 'ignore' });
  void start.then(
    (child) => child.unref(),
    () => {},
  );
}

/**
 * Starts a program for a caller that watches and ends it; again where the system refuses that for a moment. The caller listens for
 * `error` at once: a process that is aborted emits it.
 *
 * @throws what Node says where it cannot be started.
 */
export function startedProcess(program: string, args: readonly string[], options: SpawnOptions): Promise<ChildProcess> {
  return untilStarted(() => startOnce(program, args, options), options.signal);
}

function startOnce(program: string, args: readonly string[], options: SpawnOptions): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, windowsHide: true });
    child.once('error', reject);
    child.once('spawn', () => {
      child.off('error', reject);
      resolve(child);
    });
  });
}
