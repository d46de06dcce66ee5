import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../base/environment.ts';
import { startedProcess, type ChildProcess, type StdioOptions } from '../base/process.ts';
import {
  endOnWindows,
  endTreeOnWindows,
  processTree,
  signalGroup,
  signalProcess,
  stillThere,
  type EndSignal,
} from '../base/processSignals.ts';
import { errorCode, type Problem } from '../base/problem.ts';
import { windowsStart } from '../base/windowsCommand.ts';
import { withoutRepositoryVariables } from '../git/repositoryVariables.ts';
import type { Worktree } from '../worktree/model.ts';
import { whyNotStarted } from './whyNotStarted.ts';

/** How a command has ended. */
export interface CommandEnd {
  /** Its exit code; 128 and the signal's number where a signal ended it, 127 and 126 where it could not be started. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | undefined;
  /** How long it ran, in milliseconds. */
  readonly duration: number;
  /** Why it could not be started. */
  readonly problem?: Problem;
}

/** How a command is started. */
export interface CommandOptions {
  /** A program and its arguments; no shell sees them. */
  readonly command: readonly string[];
  /**
   * `own`: it has our three streams, untouched; `errors`: the same, but what it prints goes to our standard error. `pipes`: it has no
   * input, and what it prints is handed over.
   */
  readonly streams: 'own' | 'errors' | 'pipes';
  /** One of our streams is a terminal: then the command stays in our process group, so that the terminal's keys reach it. */
  readonly atTerminal: boolean;
  /**
   * Get what it prints, and `undefined` at the end of it; it waits until they have taken it. Giving false closes the pipe, as a reader that
   * has ended does.
   */
  readonly onOutput?: (bytes: Buffer | undefined) => Promise<boolean>;
  readonly onErrors?: (bytes: Buffer | undefined) => Promise<boolean>;
}

/** A command that runs. */
export interface RunningCommand {
  readonly ended: Promise<CommandEnd>;
  /** Passes a signal on to it and to all that it has started. */
  signal(signal: EndSignal | 'SIGKILL'): void;
}

/** Milliseconds: for those that outlive the command that was ended by a signal, and for output that comes after its end. */
const grace = { rest: 2000, output: 500 };

/** Starts a command in the root of a worktree. Why it could not be started is told by its end. */
export function runCommand(
  environment: Environment,
  worktree: Pick<Worktree, 'name' | 'path'>,
  options: CommandOptions,
): RunningCommand {
  const { platform } = environment;
  const { path } = worktree;
  const [program = '', ...args] = options.command;
  // As `cd` does: programs take the spelling of the folder from it.
  const variables = { ...withoutRepositoryVariables(environment.variables), PWD: path };
  const windows = platform === 'win32';
  const ownGroup = !windows && (options.streams === 'pipes' || !options.atTerminal);
  const started = performance.now();
  const notStarted = async (thrown: unknown): Promise<CommandEnd> => {
    const { problem, exitCode } = await whyNotStarted(thrown, worktree, options.command);
    return { exitCode, signal: undefined, duration: Math.round(performance.now() - started), problem };
  };
  const start = async (): Promise<ChildProcess> => {
    const how = windows ? windowsStart(program, args, path, variables) : { program, args, verbatim: false };
    return startedProcess(how.program, how.args, {
      cwd: path,
      env: variables,
      stdio: stdioOf[options.streams],
      detached: ownGroup,
      windowsVerbatimArguments: how.verbatim,
    });
  };
  let child: ChildProcess | undefined;
  /** The signals that came before it had started. */
  const early: (EndSignal | 'SIGKILL')[] = [];
  const signalled = new Set<number>();
  const signal: RunningCommand['signal'] = (name) => {
    if (child === undefined) {
      early.push(name);
      return;
    }
    const { pid } = child;
    if (pid === undefined) return;
    if (windows) {
      // What shares our console has had Ctrl-C from it already.
      if (name === 'SIGINT' && options.streams !== 'pipes') return;
      void endTreeOnWindows(child, { ...endOnWindows(environment), force: name === 'SIGKILL' });
    } else if (ownGroup) {
      signalGroup(pid, name);
      signalled.add(-pid);
    } else if (name !== 'SIGINT') {
      // The terminal has sent SIGINT to all of our group itself.
      void processTree(pid, platform).then((all) => {
        for (const each of all) if (signalProcess(each, name)) signalled.add(each);
      });
    }
  };
  const exit = async (): Promise<Exit> => {
    child = await start();
    const end = endOf(child, options);
    for (const name of early) signal(name);
    return end;
  };
  const ended = exit().then(async ({ code, signal: by, at }): Promise<CommandEnd> => {
    await endRest(signalled, platform);
    return {
      exitCode: code ?? 128 + constants.signals[by ?? 'SIGKILL'],
      signal: by,
      duration: Math.round(at - started),
    };
  }, notStarted);
  return { ended, signal };
}

const stdioOf: Readonly<Record<CommandOptions['streams'], StdioOptions>> = {
  own: ['inherit', 'inherit', 'inherit'],
  errors: ['inherit', 2, 'inherit'],
  pipes: ['ignore', 'pipe', 'pipe'],
};

interface Exit {
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  /** When it was, by the clock of this process. */
  readonly at: number;
}

/** Waits for the end of a process and of what it prints. */
async function endOf(child: ChildProcess, options: CommandOptions): Promise<Exit> {
  const exit = new Promise<Exit>((done, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      done({ code: code ?? undefined, signal: signal ?? undefined, at: performance.now() });
    });
  });
  const streams = [relay(child.stdout, exit, options.onOutput), relay(child.stderr, exit, options.onErrors)];
  const [result] = await Promise.all([exit, ...streams]);
  return result;
}

/**
 * Hands over what is printed until the end of it. What the command left running in the background may hold the pipe open for ever, so
 * after its exit a silence ends it as well.
 */
async function relay(stream: Readable | null, exit: Promise<Exit>, take: CommandOptions['onOutput']): Promise<void> {
  if (!stream || !take) return;
  let last = performance.now();
  let watch: NodeJS.Timeout | undefined;
  const begin = (): void => {
    last = performance.now();
    watch = setInterval(() => {
      if (performance.now() - last > grace.output) stream.destroy();
    }, grace.output / 5);
  };
  void exit.then(begin, () => stream.destroy());
  try {
    for await (const chunk of stream) {
      const goesOn = await take(chunk as Buffer);
      last = performance.now();
      if (!goesOn) break;
    }
  } catch (thrown) {
    // We have closed it ourselves.
    if (errorCode(thrown) !== 'ERR_STREAM_PREMATURE_CLOSE') throw thrown;
  } finally {
    await exit.catch(() => {});
    clearInterval(watch);
  }
  await take(undefined);
}

/** Ends whoever has outlived a command that was ended by a signal: everybody got the signal, and has had time. */
async function endRest(signalled: ReadonlySet<number>, platform: NodeJS.Platform): Promise<void> {
  const deadline = performance.now() + grace.rest;
  let there = await stillThere(signalled, platform);
  while (there.length > 0 && performance.now() < deadline) {
    await pause(20);
    there = await stillThere(there, platform);
  }
  for (const each of there) signalProcess(each, 'SIGKILL');
}
