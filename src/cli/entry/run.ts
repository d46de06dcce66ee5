import { realpathSync } from 'node:fs';
import { samePath } from '../../core/base/paths.ts';
import { environmentOf, type Environment } from '../../core/base/environment.ts';
import { Problem } from '../../core/base/problem.ts';
import { shellWord } from '../../core/base/quoted.ts';
import type { EndSignal } from '../../core/base/processSignals.ts';
import type { CommandLine, CommandRun, ExitCode, PassedExitCode } from '../command.ts';
import { splitCommandLine, type SplitCommandLine } from '../commandLine.ts';
import type { LazyHandlers } from '../hookCall.ts';
import { startProblem, systemProblem } from '../../core/base/systemFailure.ts';
import { Fault, Output } from '../output.ts';
import { ShellFolder } from '../shellFolder.ts';
import { parse, readGlobalOptions, type GlobalOptions } from '../program.ts';
import { cliMessages } from '../cliMessages.ts';

declare const WORKTREE_STACKS_VERSION: string;

/** What a shell adds to a signal's number when it tells how a program ended. */
const signalExitCodes: Readonly<Record<EndSignal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** The handlers that hooks need rarely. They are only in this bundle, where all that they load is anyway. */
export const lazyHandlers = async (): Promise<LazyHandlers> => (await import('../hookHandlersLazy.ts')).lazyHandlers;

/** Runs `wt` with the arguments of this process; sets its exit code and lets it end by itself, so that no output is cut off. */
export async function main(from: NodeJS.Process): Promise<void> {
  const line = splitCommandLine(from.argv.slice(2));
  const folder = currentFolder(from);
  const global = readGlobalOptions(line.own, folder ?? '.');
  const output = new Output(from.stdout, from.stderr, { ...global, variables: from.env });
  const shell = ShellFolder.of(folder ?? '.', from.env);
  ignoreClosedPipes(from);
  from.on('uncaughtException', (thrown) => {
    from.exit(explain(thrown, output, global, undefined));
  });
  const interrupted = listenForSignals(from, output);
  try {
    if (folder === undefined) {
      throw new Problem('not-found', cliMessages.currentFolderDoes(), {
        next: cliMessages.changeAnotherFolder(),
      });
    }
    from.exitCode = await run(line, global, output, from, shell, interrupted);
  } catch (thrown) {
    const signal = interrupted.by();
    from.exitCode = explain(thrown, output, global, signal);
    if (signal !== undefined) from.exitCode = signalExitCodes[signal];
  } finally {
    output.done();
    tellShell(shell, output);
    interrupted.stop();
  }
}

async function run(
  line: SplitCommandLine,
  global: GlobalOptions,
  output: Output,
  from: NodeJS.Process,
  shell: ShellFolder,
  { signal, take }: Interruption,
): Promise<ExitCode | PassedExitCode> {
  const request = await parse(line.own, output, WORKTREE_STACKS_VERSION);
  if (typeof request === 'number') return request;
  const environment: Environment = { ...environmentOf(from, output.log()), cwd: global.folder };
  const { run: runCommand } = await load(request.name);
  const cli: CommandLine = {
    environment,
    output,
    signal,
    takeSignals: take,
    passed: line.passed,
    input: from.stdin,
    shell,
    atTerminal: from.stdin.isTTY || from.stdout.isTTY || from.stderr.isTTY,
    mayAsk: from.stdin.isTTY && from.stderr.isTTY && !global.json,
  };
  try {
    return await runCommand(cli, request.words, request.options);
  } catch (thrown) {
    if (Problem.is(thrown, 'git-failed')) await refuseOldGit(environment);
    throw thrown;
  }
}

/** Loads the code of a command when it is run and not before, so that starting up costs nothing for the others. `wt` alone shows the status. */
function load(name: string): Promise<{ readonly run: CommandRun }> {
  const file = name === '' ? 'status' : name.replaceAll(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase());
  return import(`../commands/${file}.ts`) as Promise<{ readonly run: CommandRun }>;
}

/** The command stays done where its shell cannot be told; the person goes there instead. */
function tellShell(shell: ShellFolder, output: Output): void {
  const folder = shell.tell();
  if (folder !== undefined) output.tell(cliMessages.shellStays({ command: `cd ${shellWord(folder)}` }));
}

/** An old git fails at options that it does not know: its age is the better answer. */
async function refuseOldGit(environment: Environment): Promise<void> {
  const [{ Git }, { requireGit }] = await Promise.all([
    import('../../core/git/git.ts'),
    import('../../core/git/version.ts'),
  ]);
  await requireGit(new Git(environment), environment.cwd);
}

/** Tells what went wrong, and gives the exit code for it. A stack trace is for `--verbose` only. */
function explain(thrown: unknown, output: Output, global: GlobalOptions, signal: EndSignal | undefined): ExitCode {
  if (signal !== undefined) {
    // Whatever it was that broke off, the person has asked for it.
    output.fail(
      Problem.is(thrown, 'cancelled')
        ? thrown
        : new Problem('cancelled', cliMessages.cancelled(), { outcome: 'incomplete', cause: thrown }),
    );
    return 1;
  }
  if (global.verbose && thrown instanceof Error && !Problem.is(thrown)) output.tell(thrown.stack ?? String(thrown));
  const problem = systemProblem(thrown) ?? startProblem(thrown) ?? new Fault(thrown);
  output.fail(problem);
  return problem.outcome === 'incomplete' ? 1 : 2;
}

/** Whoever reads our output may stop reading (`wt list | head -1`); that is no failure. */
function ignoreClosedPipes(from: NodeJS.Process): void {
  for (const stream of [from.stdout, from.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

/** How `wt` is told to end. */
interface Interruption {
  readonly signal: AbortSignal;
  /** The signal that has told it. */
  readonly by: () => EndSignal | undefined;
  /** Leaves the signals that come from now on to a command. */
  readonly take: CommandLine['takeSignals'];
  readonly stop: () => void;
}

/** The first signal lets the operation undo what it did; the second one ends the process at once. */
function listenForSignals(from: NodeJS.Process, output: Output): Interruption {
  const controller = new AbortController();
  let taken: ((signal: EndSignal) => void) | undefined;
  let by: EndSignal | undefined;
  const onSignal = (signal: EndSignal): void => {
    if (taken) return taken(signal);
    if (by !== undefined) from.exit(signalExitCodes[signal]);
    by = signal;
    controller.abort();
    if (from.stderr.isTTY) output.tell('\nStopping and rolling back. Press Ctrl-C again to stop at once.');
  };
  const names = Object.keys(signalExitCodes) as EndSignal[];
  for (const name of names) from.on(name, onSignal);
  return {
    signal: controller.signal,
    by: () => by,
    take: (react) => (taken = react),
    stop: () => names.forEach((name) => from.off(name, onSignal)),
  };
}

/**
 * The current folder as the person came to it: the shell knows the links, the system only the real path. `undefined` when it was
 * deleted under our feet.
 */
function currentFolder(from: NodeJS.Process): string | undefined {
  try {
    const real = from.cwd();
    const logical = from.env['PWD'];
    return logical !== undefined && logical !== real && pointsTo(logical, real) ? logical : real;
  } catch {
    return undefined;
  }
}

function pointsTo(path: string, real: string): boolean {
  try {
    return samePath(realpathSync(path), real);
  } catch {
    return false;
  }
}
