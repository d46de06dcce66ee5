import { Problem } from '../../core/base/problem.ts';
import { hostLookup } from '../../core/github/hostLookup.ts';
import { outdatedBases, outdatedNotes } from '../../core/github/pr/outdatedBases.ts';
import { abortStopped, continueStopped } from '../../core/restack/resume.ts';
import { stoppedRestackOf } from '../../core/merge/stoppedRestack.ts';
import { prepareRestack, type RestackOptions, type RestackRequest } from '../../core/restack/prepareRestack.ts';
import { restack, type Restacked } from '../../core/restack/restack.ts';
import { textOption, type CommandLine, type CommandOptions, type CommandRun, type ExitCode } from '../command.ts';
import { openWorktree, type OpenWorktree } from '../context.ts';
import { reportRestack } from '../restackReport.ts';
import { cliMessages } from '../cliMessages.ts';

const steps = ['continue', 'skip', 'abort'] as const;

export const run: CommandRun = async (cli, [word], options) => {
  const step = stepOf(options);
  const opened = await openWorktree(cli, word);
  const { worktree } = opened;
  if (step) return resume(cli, opened, step, options);
  const wish: RestackRequest = {
    worktree,
    wholeStack: options['stack'] === true,
    onto: textOption(options, 'onto'),
    since: textOption(options, 'base'),
  };
  return carryOut(cli, opened, wish, options);
};

/** Plans what was asked for, and does it unless only the plan was wanted. */
export async function carryOut(
  cli: CommandLine,
  { workspace, snapshot, branches }: OpenWorktree,
  wish: RestackRequest,
  options: CommandOptions,
): Promise<ExitCode> {
  const { output } = cli;
  const how = howTo(cli, { workspace, snapshot }, options);
  const plan = await prepareRestack(workspace, wish, {
    ...how,
    snapshot,
    allBranches: branches,
    tryTrees: options['dryRun'] === true,
  });
  const notes = [...plan.notes, ...plan.branches.flatMap((branch) => branch.notes)];
  if (options['dryRun'] === true) {
    return reportRestack(output, {
      dryRun: true,
      branches: plan.branches,
      operation: undefined,
      stop: undefined,
      notes,
    });
  }
  const done = await restack(workspace, wish, plan, how);
  const outdated = await outdatedBases(workspace, branchesOf(done));
  const told = [...notes, ...(done.operation?.notes ?? []), ...outdatedNotes(outdated)];
  return reportRestack(output, { ...done, dryRun: false, operation: done.operation?.id, notes: told });
}

async function resume(
  cli: CommandLine,
  { workspace, worktree, snapshot }: OpenWorktree,
  step: (typeof steps)[number],
  options: CommandOptions,
): Promise<ExitCode> {
  const { output } = cli;
  const operation = await stoppedRestackOf(workspace, worktree);
  const nothing = { dryRun: false, branches: [], notes: [], stop: undefined };
  if (step === 'abort') {
    const { id, notes = [] } = await abortStopped(workspace, operation);
    output.tell('Rolled back: everything is as before.');
    return reportRestack(output, { ...nothing, operation: id, notes });
  }
  const done = await continueStopped(workspace, operation, step, howTo(cli, { workspace, snapshot }, options));
  if (done.aborted) output.tell('The rebase was already ended with git; everything is as before.');
  const told = new Set(done.branches.map(({ branch }) => branch));
  const moves = done.aborted ? [] : (done.operation?.moves.slice(operation.moves.length) ?? []);
  const resumed = moves.filter(({ branch }) => !told.has(branch));
  const outdated = done.aborted ? [] : await outdatedBases(workspace, branchesOf(done));
  const notes = [...done.notes, ...(done.operation?.notes ?? []), ...outdatedNotes(outdated)];
  return reportRestack(output, { ...nothing, ...done, operation: done.operation?.id, resumed, notes });
}

/** The branches that a restack was about. */
function branchesOf({ branches, operation }: Pick<Restacked, 'branches' | 'operation'>): string[] {
  return [...branches, ...(operation?.moves ?? [])].map(({ branch }) => branch);
}

function howTo(
  { output, signal }: CommandLine,
  { workspace, snapshot }: Pick<OpenWorktree, 'workspace' | 'snapshot'>,
  options: CommandOptions,
): RestackOptions {
  const offline = options['offline'] === true;
  const host = offline ? undefined : hostLookup(workspace, snapshot, { signal });
  return { offline, host, progress: output.progress, signal };
}

function stepOf(options: CommandOptions): (typeof steps)[number] | undefined {
  const given = steps.filter((step) => options[step] === true);
  const others = ['stack', 'onto', 'base', 'dryRun'].filter((name) => options[name] !== undefined);
  if (given.length > 1 || (given.length > 0 && others.length > 0)) {
    throw new Problem('usage', cliMessages.continueSkipAbort(), { next: cliMessages.seeWtRebase() });
  }
  return given[0];
}
