import { resolve } from 'node:path';
import { displayPath, realPathOf } from '../../core/base/paths.ts';
import { Problem } from '../../core/base/problem.ts';
import { findCaller } from '../../core/claude/runs/caller.ts';
import { reportTo, type RunPlace, type RunRequest } from '../../core/claude/runs/claimRun.ts';
import { sessionStateOf } from '../../core/claude/runs/runState.ts';
import { advanceLifecycle } from '../../core/repository/lifecycle.ts';
import { readWorkflow, updateWorkflow, type WorkflowProgress } from '../../core/repository/workflow.ts';
import { callerOptions, refuseForeignState } from '../callerOptions.ts';
import { textOption, textsOption, type CommandOptions, type CommandRun } from '../command.ts';
import { openWorktree, requireWorktree } from '../context.ts';
import { cliMessages } from '../cliMessages.ts';
import { heldProblem, runMessage } from '../runText.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const { environment, output } = cli;
  const { workspace, location, snapshot, worktree } = await openWorktree(cli, undefined, { tolerant: true });
  const root = requireWorktree(location);
  await refuseForeignState(root, snapshot.worktrees);
  const owner = { root, branch: worktree.branch ?? 'HEAD' };
  const changes = ['step', 'complete', 'artifact', 'sessionId'].some((name) => options[name] !== undefined);
  const takeOver = options['takeOver'] === true;
  if (!changes && !takeOver) {
    tell(await readWorkflow(owner));
    return 0;
  }
  const { runId, sessionId } = callerOptions(options);
  const update = {
    step: stepOf(textOption(options, 'step')),
    complete: options['complete'] === true,
    artifacts: await artifactsOf(options, environment.cwd, root),
    sessionId: sessionId ?? environment.variables['CLAUDE_CODE_SESSION_ID'],
  };
  const { commonDir } = workspace.repository;
  const request: RunRequest = { caller: await findCaller(environment, { sessionId }), runId, takeOver };
  const place = { environment, commonDir, root };
  const reporting = await reportTo(place, request);
  if (reporting.outcome === 'refused') {
    const message = cliMessages.runNotYours({ name: worktree.name, run: runMessage(reporting.holder.run) });
    throw heldProblem(message, reporting.holder, cliMessages.reportTakeOver());
  }
  if (!reporting.run && !takeOver) await refuseOthersProgress(place, worktree.name, await readWorkflow(owner), update);
  const progress = await updateWorkflow(environment, owner, { ...update, run: reporting.run });
  if (worktree.entry) await advanceLifecycle(environment, workspace.repository, worktree.name, 'active');
  tell(progress);
  return 0;

  function tell(progress: WorkflowProgress): void {
    if (output.json) output.answerJson(progress);
    else output.answer(linesOf(progress).join('\n'));
  }
};

/** Without a run the progress belongs to the session that reported last, while that one runs. */
async function refuseOthersProgress(
  { environment, commonDir }: RunPlace,
  name: string,
  { session_id: other }: WorkflowProgress,
  { sessionId }: { readonly sessionId: string | undefined },
): Promise<void> {
  if (other === null || sessionId === undefined || other === sessionId) return;
  if ((await sessionStateOf(environment, commonDir, other)) !== 'live') return;
  throw new Problem('in-use', cliMessages.progressNotYours({ name, session: other }), {
    next: cliMessages.reportTakeOver(),
    outcome: 'incomplete',
  });
}

function stepOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new Problem('usage', cliMessages.noStep({ text: JSON.stringify(text) }), {
    next: cliMessages.stepsWholeNumbers(),
  });
}

async function artifactsOf(options: CommandOptions, cwd: string, root: string): Promise<Record<string, string>> {
  const artifacts: Record<string, string> = {};
  for (const given of textsOption(options, 'artifact')) {
    const [, name, path] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
    if (name === undefined || path === undefined) {
      throw new Problem('usage', cliMessages.namesNoArtifact({ given: JSON.stringify(given) }), {
        next: cliMessages.writeNamePath(),
      });
    }
    artifacts[name] = path === '' ? '' : displayPath(await realPathOf(root), await realPathOf(resolve(cwd, path)));
  }
  return artifacts;
}

function linesOf(progress: WorkflowProgress): string[] {
  const done = progress.steps_completed.join(', ');
  return [
    `step: ${progress.current_step}`,
    `completed: ${done === '' ? 'none' : done}`,
    ...Object.entries(progress.artifacts).map(([name, path]) => `${name}: ${path}`),
    ...(progress.last_updated === null ? [] : [`updated: ${progress.last_updated}`]),
  ];
}
