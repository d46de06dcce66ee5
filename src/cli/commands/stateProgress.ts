import { resolve } from 'node:path';
import { displayPath, realPathOf } from '../../core/base/paths.ts';
import { Problem } from '../../core/base/problem.ts';
import { advanceLifecycle } from '../../core/repository/lifecycle.ts';
import { idInStateOf, readStateDirectory } from '../../core/repository/stateDirectory.ts';
import { readWorkflow, updateWorkflow, type WorkflowProgress } from '../../core/repository/workflow.ts';
import { worktreeId } from '../../core/repository/context.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { textOption, textsOption, type CommandOptions, type CommandRun } from '../command.ts';
import { openWorktree, requireWorktree } from '../context.ts';
import { cliMessages } from '../cliMessages.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const { environment, output } = cli;
  const { workspace, location, snapshot, worktree } = await openWorktree(cli, undefined, { tolerant: true });
  const root = requireWorktree(location);
  await refuseForeignState(root, snapshot.worktrees);
  const owner = { root, branch: worktree.branch ?? 'HEAD' };
  const changes = ['step', 'complete', 'artifact', 'sessionId'].some((name) => options[name] !== undefined);
  if (!changes) {
    tell(await readWorkflow(owner));
    return 0;
  }
  const update = {
    step: stepOf(textOption(options, 'step')),
    complete: options['complete'] === true,
    artifacts: await artifactsOf(options, environment.cwd, root),
    sessionId: textOption(options, 'sessionId') ?? environment.variables['CLAUDE_CODE_SESSION_ID'],
  };
  const progress = await updateWorkflow(environment, owner, update);
  if (worktree.entry) await advanceLifecycle(environment, workspace.repository, worktree.name, 'active');
  tell(progress);
  return 0;

  function tell(progress: WorkflowProgress): void {
    if (output.json) output.answerJson(progress);
    else output.answer(linesOf(progress).join('\n'));
  }
};

/** A folder of state that was copied along with a worktree tells of the other one's work. */
async function refuseForeignState(root: string, worktrees: readonly Worktree[]): Promise<void> {
  const { madeFor, path } = await readStateDirectory(root);
  const other = madeFor === undefined ? undefined : worktrees.find((each) => worktreeId(each.path) === madeFor);
  // That one may have been moved to where this one was when the folder was made.
  if (!other || (await idInStateOf(other.path)) !== madeFor) return;
  throw new Problem('in-use', cliMessages.stateCopied({ path, otherName: other.name }), {
    file: path,
    next: 'remove that folder, then try again',
  });
}

function stepOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new Problem('usage', cliMessages.noStep({ text: JSON.stringify(text) }), {
    next: 'steps are whole numbers and count from 1',
  });
}

async function artifactsOf(options: CommandOptions, cwd: string, root: string): Promise<Record<string, string>> {
  const artifacts: Record<string, string> = {};
  for (const given of textsOption(options, 'artifact')) {
    const [, name, path] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
    if (name === undefined || path === undefined) {
      throw new Problem('usage', cliMessages.namesNoArtifact({ given: JSON.stringify(given) }), {
        next: 'write it as name=path',
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
