import { basename } from 'node:path';
import type { Environment } from './environment.ts';
import { startedProcess, type ChildProcess } from './process.ts';
import { endOnWindows, endTreeOnWindows, signalGroup } from './processSignals.ts';
import { Problem, stopIfCancelled } from './problem.ts';
import { whyNotStarted } from './startFailure.ts';
import { windowsShellStart } from './windowsShell.ts';
import { baseMessages } from '../messages/base.ts';

/** How a shell command ended. */
export interface ShellAnswer {
  /** `undefined` when a signal ended it. */
  readonly exitCode: number | undefined;
  /** The last lines that it printed, standard output and error as they came. */
  readonly lastLines: readonly string[];
}

/** How a shell command is run. */
export interface ShellOptions {
  readonly cwd: string;
  /** Ends the command and every process that it has started; the call then fails with the problem `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Gets what it prints, as it comes. */
  readonly onOutput?: ((text: string) => void) | undefined;
  /** Gets of that what goes to standard output. */
  readonly onStdout?: ((text: string) => void) | undefined;
  /** Its standard input; without it there is none. */
  readonly input?: string | undefined;
  /** Instead it has our terminal, and what it prints there goes to standard error. */
  readonly atTerminal?: boolean | undefined;
}

/** Shells that understand `-c` and the syntax that teams write commands in. */
const knownShells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish']);
const keptLines = 20;
/** How long a process may take to end by itself before it is killed, and how long output may come after its end; milliseconds. */
const grace = { end: 2000, output: 500 };

/**
 * Git's variables that say who commits and how to reach a remote; every other one may point at the repository or the index of
 * whoever started us, such as a git hook, and would lead a command in another worktree astray.
 */
const harmless =
  /^GIT_(ASKPASS|(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|SSH|SSH_COMMAND|TERMINAL_PROMPT)$/;

/**
 * Runs a command line through the user's shell, on Windows through the `sh` of Git for Windows, or cmd.exe where that is not. Its processes
 * form a group of their own, so that all of them can be ended; at a terminal they stay in ours, which the terminal's keys reach.
 *
 * @throws Problem `cancelled`, or `setup-failed` when the shell itself cannot be started.
 */
export async function runInShell(
  environment: Environment,
  command: string,
  options: ShellOptions,
): Promise<ShellAnswer> {
  stopIfCancelled(options.signal);
  const windows = environment.platform === 'win32';
  const variables = variablesFor(environment);
  const start = windows
    ? windowsShellStart(command, variables)
    : { program: shellOf(environment), args: ['-c', command], verbatim: false, variables: {} };
  let end = (): void => {};
  try {
    const child = await startedProcess(start.program, start.args, {
      cwd: options.cwd,
      env: { ...variables, ...start.variables },
      stdio: options.atTerminal
        ? ['inherit', 2, 'inherit']
        : [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: !windows && !options.atTerminal,
      windowsVerbatimArguments: start.verbatim,
    });
    const answer = answerOf(child, options);
    end = () => endTree(child, environment);
    if (options.signal?.aborted) end();
    options.signal?.addEventListener('abort', end, { once: true });
    // Whoever does not read it all closes it; that is no failure.
    child.stdin?.on('error', () => {}).end(options.input);
    return await answer;
  } catch (thrown) {
    const { what, next } = await whyNotStarted(thrown, options.cwd);
    throw new Problem('setup-failed', baseMessages.shellNotStarted({ shell: start.program, reason: what }), {
      next,
      cause: thrown,
    });
  } finally {
    options.signal?.removeEventListener('abort', end);
    stopIfCancelled(options.signal);
  }
}

function shellOf({ variables }: Environment): string {
  const shell = variables['SHELL'];
  return shell !== undefined && knownShells.has(basename(shell)) ? shell : '/bin/sh';
}

function variablesFor({ variables }: Environment): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => {
      const upper = name.toUpperCase();
      // Set for us where an editor's own runtime runs us; it would turn every Electron program into plain Node.
      if (upper === 'ELECTRON_RUN_AS_NODE') return false;
      return !upper.startsWith('GIT_') || harmless.test(upper);
    }),
  );
}

function answerOf(
  child: ChildProcess,
  { onOutput, onStdout }: Pick<ShellOptions, 'onOutput' | 'onStdout'>,
): Promise<ShellAnswer> {
  return new Promise((resolve, reject) => {
    let tail = '';
    const hear = (text: string): void => {
      tail = `${tail}${text}`.slice(-16_384);
      onOutput?.(text);
    };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      onStdout?.(text);
      hear(text);
    });
    child.stderr?.setEncoding('utf8').on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => {
      const done = (): void => {
        clearTimeout(waiting);
        child.stdout?.destroy();
        child.stderr?.destroy();
        const lines = tail.split(/\r?\n/).filter((line) => line.trim() !== '');
        resolve({ exitCode: code ?? undefined, lastLines: lines.slice(-keptLines) });
      };
      // What the command left running in the background may hold its output open for ever.
      const waiting = setTimeout(done, grace.output);
      child.once('close', done);
    });
  });
}

function endTree(child: ChildProcess, environment: Environment): void {
  const { platform } = environment;
  const { pid } = child;
  if (pid === undefined) return;
  if (platform === 'win32') {
    void endTreeOnWindows(child, endOnWindows(environment));
    return;
  }
  signalGroup(pid, 'SIGTERM');
  const killing = setTimeout(() => signalGroup(pid, 'SIGKILL'), grace.end);
  child.once('exit', () => {
    clearTimeout(killing);
    // Whoever of the group has outlived its leader has had its chance.
    signalGroup(pid, 'SIGKILL');
  });
}
