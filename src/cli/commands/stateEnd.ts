import { findCaller } from '../../core/claude/runs/caller.ts';
import { endRun } from '../../core/claude/runs/claimRun.ts';
import { logRun } from '../../core/claude/runs/logRun.ts';
import { runFactsOf } from '../../core/claude/runs/runFacts.ts';
import { SessionLister } from '../../core/claude/claudeSessions.ts';
import { textOf } from '../../core/messages/message.ts';
import { displayPath } from '../../core/base/paths.ts';
import { Problem } from '../../core/base/problem.ts';
import { isRemovalOfferedAfterRun } from '../../core/lifecycle/autoCleanup.ts';
import { recordRunEnded } from '../../core/lifecycle/recordRun.ts';
import type { ActiveRun } from '../../core/repository/activeRun.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { callerOptions } from '../callerOptions.ts';
import { cliMessages } from '../cliMessages.ts';
import type { CommandLine, CommandRun } from '../command.ts';
import { openWorktree, requireWorktree } from '../context.ts';
import { syncAlongside } from '../database.ts';
import { offerRemoval, removalOffer } from '../offerRemoval.ts';
import { runJson } from '../runJson.ts';
import { heldProblem, runMessage } from '../runText.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const { environment, output } = cli;
  const given = callerOptions(options);
  const { workspace, location, snapshot, worktree } = await openWorktree(cli, undefined, { tolerant: true });
  const root = requireWorktree(location);
  const { commonDir, mainRoot } = workspace.repository;
  const facts = await runFactsOf(environment, commonDir, root);
  const place = { environment, commonDir, root, lister: new SessionLister(environment) };
  const takeOver = options['takeOver'] === true;
  const ended = await endRun(place, { caller: await findCaller(environment, given), runId: given.runId, takeOver });
  if (ended.outcome === 'refused') {
    const message = cliMessages.runNotYours({ name: worktree.name, run: runMessage(ended.holder.run) });
    throw heldProblem(message, ended.holder, cliMessages.endTakeOver());
  }
  const run = ended.outcome === 'ended' ? ended.run : undefined;
  if (run) {
    await record(cli, workspace, worktree.name, run);
    logRun(environment, commonDir, 'WorkflowEnd', { name: worktree.entry && worktree.name, root }, run);
    await record(cli, workspace, worktree.name, run);
    await syncAlongside(cli, workspace, snapshot, { names: [worktree.name], make: true });
  }
  const isOffered = run !== undefined && (await isRemovalOfferedAfterRun(workspace, worktree));
  const offer = isOffered ? await removalOffer(cli, workspace, worktree) : undefined;
  if (output.json) {
    output.answerJson({
      success: true,
      ended: run !== undefined,
      name: worktree.name,
      path: displayPath(mainRoot, worktree.path),
      absolute_path: worktree.path,
      branch: worktree.branch ?? null,
      run: run ? runJson({ run, state: facts?.state ?? 'unknown', progress: facts?.progress }) : null,
      next: offer ? [offer.command] : [],
    });
    return 0;
  }
  if (run) output.tell(`Ended the workflow in ${worktree.name}: ${textOf(runMessage(run))}.`);
  else output.tell(`No workflow has claimed ${worktree.name}.`);
  return offer ? offerRemoval(cli, offer) : 0;
};

/** The worktree is free already: that this cannot be written down is told, and no failure. */
async function record(cli: CommandLine, workspace: Workspace, name: string, run: ActiveRun): Promise<void> {
  try {
    for (const warning of await recordRunEnded(workspace, name, run)) cli.output.tell(warning);
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    cli.output.warn(thrown);
  }
}
