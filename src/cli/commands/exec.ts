import { displayPath } from '../../core/base/paths.ts';
import { Problem, stopIfCancelled } from '../../core/base/problem.ts';
import { hasPassed, RunInWorktrees, type ExecResult } from '../../core/exec/runInWorktrees.ts';
import { runCommand, type CommandOptions } from '../../core/exec/runCommand.ts';
import { allTargets, stackTargets, targetOf, type ExecTarget } from '../../core/exec/targets.ts';
import { textOf, type Message } from '../../core/messages/message.ts';
import { findWorktree } from '../../core/worktree/find.ts';
import { programVariables } from '../../core/worktree/programVariables.ts';
import { withVariables, type WorktreeVariables } from '../../core/worktree/variables.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { cliMessages } from '../cliMessages.ts';
import {
  textOption,
  type CommandLine,
  type CommandOptions as Options,
  type CommandRun,
  type PassedExitCode,
} from '../command.ts';
import { openSnapshot } from '../context.ts';
import { oneLine } from '../factLabels.ts';
import { PrefixedLines } from '../prefixedLines.ts';
import { layOut } from '../table.ts';

/** The colours of prefixes, in turn. */
const prefixColours = ['cyan', 'magenta', 'green', 'yellow', 'blue'] as const;
/** Columns of a prefix at most: longer names are not padded. */
const widestPrefix = 24;

export const run: CommandRun = async (cli, [word], options) => {
  const { output, passed: command, environment } = cli;
  const wishes = wishesOf(word, options);
  if (command === undefined)
    throw new Problem('usage', cliMessages.noCommandToRun(), { next: cliMessages.giveCommand() });
  const { workspace, snapshot } = await openSnapshot(cli);
  const one = wishes.all ? undefined : await findWorktree(snapshot, word ?? '.', environment.cwd);
  const targets = !one
    ? await allTargets(workspace, snapshot)
    : wishes.stack
      ? await stackTargets(workspace, snapshot, one)
      : [await targetOf(workspace, one)];
  output.done();
  stopIfCancelled(cli.signal);
  if (one && !wishes.stack) return runOne(cli, workspace, targets[0]!, command);
  if (targets.length === 0) output.tell(textOf(cliMessages.noLinkedWorktrees()));
  const prefix = prefixer(cli, targets);
  const runnable = targets.flatMap(({ worktree, problem }) => (problem ? [] : [worktree]));
  const tell = (note: Message): void => output.tell(textOf(note));
  const variables = new Map<string, WorktreeVariables>();
  for (const each of runnable) variables.set(each.name, await programVariables(workspace, each, tell));
  const start = (worktree: ExecTarget['worktree']) =>
    runCommand(withVariables(environment, variables.get(worktree.name) ?? {}), worktree, {
      command,
      streams: 'pipes',
      atTerminal: false,
      ...prefix(worktree),
    });
  const stopsAtFailure = wishes.stack && !wishes.keepGoing;
  const inAll = new RunInWorktrees(targets, { jobs: wishes.jobs, stopsAtFailure, start });
  cli.takeSignals((signal) => inAll.stop(signal));
  const results = await inAll.run();
  for (const text of new Set(results.flatMap(({ end }) => end?.problem ?? []).map(({ message }) => message)))
    output.tell(`${output.messageColours.red('wt:')} ${text}`);
  const { stopped } = inAll;
  if (output.json) output.answerJson(json(workspace, command, results));
  else if (results.length > 0) output.tell(await table(cli, results));
  if (stopped !== undefined) return passedOn({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[stopped]);
  return results.every(hasPassed) ? 0 : 1;
};

interface Wishes {
  readonly all: boolean;
  readonly stack: boolean;
  readonly keepGoing: boolean;
  readonly jobs: number;
}

/** @throws Problem `usage` for what does not go together. */
function wishesOf(word: string | undefined, options: Options): Wishes {
  const [all, stack, keepGoing] = ['all', 'stack', 'keepGoing'].map((name) => options[name] === true) as [
    boolean,
    boolean,
    boolean,
  ];
  const text = textOption(options, 'jobs');
  if (all && (stack || word !== undefined))
    throw new Problem('usage', cliMessages.allExcludes(), { next: cliMessages.sayOneThem() });
  if (keepGoing && !stack && !all)
    throw new Problem('usage', cliMessages.onlyForSeveral({ option: '--keep-going' }), {
      next: cliMessages.seeWtExec(),
    });
  if (text !== undefined && !stack && !all)
    throw new Problem('usage', cliMessages.onlyForSeveral({ option: '--jobs' }), { next: cliMessages.seeWtExec() });
  if (text !== undefined && !/^[1-9]\d{0,5}$/.test(text))
    throw new Problem('usage', cliMessages.jobsTakesNumber({ text }), { next: cliMessages.suchJobs() });
  return { all, stack, keepGoing, jobs: Number(text ?? 1) };
}

/** One command with our streams: its exit code is ours. */
async function runOne(
  cli: CommandLine,
  workspace: Workspace,
  { worktree, problem }: ExecTarget,
  command: readonly string[],
): Promise<PassedExitCode> {
  const { environment, output } = cli;
  if (problem) throw problem;
  const streams = output.json ? 'errors' : 'own';
  const own = withVariables(
    environment,
    await programVariables(workspace, worktree, (note) => output.tell(textOf(note))),
  );
  const running = runCommand(own, worktree, { command, streams, atTerminal: cli.atTerminal });
  cli.takeSignals((signal) => running.signal(signal));
  const end = await running.ended;
  if (end.problem) output.report(end.problem);
  if (output.json)
    output.answerJson(json(workspace, command, [{ worktree, end, ...(end.problem ? { why: end.problem.what } : {}) }]));
  return passedOn(end.exitCode);
}

const passedOn = (exitCode: number): PassedExitCode => exitCode as PassedExitCode;

/** Gives what takes the output of each worktree: whole lines, with its name before them. */
function prefixer(
  { output }: CommandLine,
  targets: readonly ExecTarget[],
): (worktree: ExecTarget['worktree']) => Pick<CommandOptions, 'onOutput' | 'onErrors'> {
  const names = new Map(targets.map(({ worktree }) => [worktree, oneLine(worktree.name)]));
  const width = Math.min(widestPrefix, Math.max(0, ...[...names.values()].map((name) => name.length)));
  const colours = new Map(
    targets.map(({ worktree }, index) => [worktree, prefixColours[index % prefixColours.length]]),
  );
  return (worktree) => {
    const take = (to: 'answer' | 'messages'): NonNullable<CommandOptions['onOutput']> => {
      const colour = colours.get(worktree) ?? 'cyan';
      const label = `${(names.get(worktree) ?? '').padEnd(width)} |`;
      const lines = new PrefixedLines(`${(to === 'answer' ? output.colours : output.messageColours)[colour](label)} `);
      return async (bytes) => {
        const ready = bytes === undefined ? lines.rest() : lines.push(bytes);
        return ready.length === 0 || output.relay(to, ready);
      };
    };
    return { onOutput: take(output.json ? 'messages' : 'answer'), onErrors: take('messages') };
  };
}

/** The exit codes, for a person. */
async function table(
  { output: { messageColours: colours } }: CommandLine,
  results: readonly ExecResult[],
): Promise<string> {
  const rows = results.map((result) => {
    const { worktree, end, why } = result;
    const passed = hasPassed(result);
    const code = end === undefined ? '–' : String(end.exitCode);
    return [
      oneLine(worktree.name),
      passed ? colours.green(code) : end === undefined ? colours.dim(code) : colours.red(code),
      end === undefined ? '' : duration(end.duration),
      end?.signal ?? (why && !end?.problem ? textOf(why) : why ? textOf(cliMessages.notStartedThere()) : ''),
    ];
  });
  const titles = ['WORKTREE', 'EXIT CODE', 'TIME', ''].map((title) => colours.dim(title));
  return layOut(
    titles.map((title) => ({ title, yields: 0 })),
    rows,
    undefined,
  );
}

function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** schemas/exec.schema.json. */
function json({ repository }: Workspace, command: readonly string[], results: readonly ExecResult[]): unknown {
  return {
    success: results.every(hasPassed),
    command,
    results: results.map(({ worktree: { name, path }, end, why }) => ({
      name,
      path: displayPath(repository.mainRoot, path),
      absolute_path: path,
      exit_code: end?.exitCode ?? null,
      signal: end?.signal ?? null,
      duration_ms: end?.duration ?? null,
      reason: why ?? null,
    })),
  };
}
