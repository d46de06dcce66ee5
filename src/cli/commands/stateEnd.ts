import { findCaller } from '../../core/claude/runs/caller.ts';
import { endRun } from '../../core/claude/runs/claimRun.ts';
import { runFactsOf } from '../../core/claude/runs/runFacts.ts';
import { SessionLister } from '../../core/claude/claudeSessions.ts';
import { textOf } from '../../core/messages/message.ts';
import { displayPath } from '../../core/base/paths.ts';
import { Problem } from '../../core/base/problem.ts';
import { isRemovalOffered } from '../../core/lifecycle/autoCleanup.ts';
import { recordRunEnded } from '../../core/lifecycle/workflowRun.ts';
import type { ActiveRun } from '../../core/repository/activeRun.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { callerOptions } from '../callerOptions.ts';
import { cliMessages } from '../cliMessages.ts';
import type { CommandLine, CommandRun } from '../command.ts';
import { openWorktree, requireWorktree } from '../context.ts';
import { offerRemoval, removalOffer, type RemovalOffer } from '../offerRemoval.ts';
import { runJson } from '../runJson.ts';
import { heldProblem, runMessage } from '../runText.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const { environment, output } = cli;
  const given = callerOptions(options);
  const { workspace, location, worktree } = await openWorktree(cli, undefined, { tolerant: true });
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
  const offer = run && worktree.entry ? await record(cli, workspace, worktree.name, run) : undefined;
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

/** What is written down of a registered worktree follows. Gives its removal, where its work is done by that. */
async function record(
  cli: CommandLine,
  workspace: Workspace,
  name: string,
  run: ActiveRun,
): Promise<RemovalOffer | undefined> {
  const { output, signal } = cli;
  try {
    const ended = { runId: run.run_id, workId: run.work_id ?? undefined };
    for (const warning of await recordRunEnded(workspace, name, ended)) output.tell(warning);
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    output.warn(thrown);
    return undefined;
  }
  const { worktrees } = await readSnapshot(workspace, { signal });
  const worktree = worktrees.find((each) => each.name === name);
  if (!worktree || !(await isRemovalOffered(workspace, worktree))) return undefined;
  return removalOffer(cli, workspace, worktree);
}
