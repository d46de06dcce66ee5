import { findCaller } from '../../core/claude/runs/caller.ts';
import { endRun } from '../../core/claude/runs/claimRun.ts';
import { runFactsOf } from '../../core/claude/runs/runFacts.ts';
import { SessionLister } from '../../core/claude/claudeSessions.ts';
import { textOf } from '../../core/messages/message.ts';
import { displayPath } from '../../core/base/paths.ts';
import { callerOptions } from '../callerOptions.ts';
import { cliMessages } from '../cliMessages.ts';
import type { CommandRun } from '../command.ts';
import { openWorktree, requireWorktree } from '../context.ts';
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
  if (output.json) {
    output.answerJson({
      success: true,
      ended: run !== undefined,
      name: worktree.name,
      path: displayPath(mainRoot, worktree.path),
      absolute_path: worktree.path,
      branch: worktree.branch ?? null,
      run: run ? runJson({ run, state: facts?.state ?? 'unknown', progress: facts?.progress }) : null,
    });
    return 0;
  }
  if (run) output.tell(`Ended the workflow in ${worktree.name}: ${textOf(runMessage(run))}.`);
  else output.tell(`No workflow has claimed ${worktree.name}.`);
  return 0;
};
