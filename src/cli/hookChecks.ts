import process from 'node:process';
import type { Environment } from '../core/base/environment.ts';
import { messageOf } from '../core/base/problem.ts';
import type { TaskChecks } from '../core/claude/taskCompleted.ts';
import { checkWorktree, type WorktreeChecks } from '../core/merge/worktreeChecks.ts';
import { readConfiguration } from '../core/repository/configuration.ts';
import type { WorktreeScope } from './hookCall.ts';
import { openFor } from './hookWorktrees.ts';
import { textOf } from '../core/messages/message.ts';
import { endOf } from '../core/merge/checks.ts';

/** How long the checks of a task may take (ms): less than the plugin's timeout for the whole hook. */
export const taskLimit = 9 * 60_000;

/**
 * Runs the checks on a task that is otherwise done, if the team wants that (`check_tasks`). When they give no result (not
 * approved, too slow, a configuration that cannot be read), the person gets a message and the task counts as done.
 */
export async function checkTask(environment: Environment, { worktree, root }: WorktreeScope): Promise<TaskChecks> {
  try {
    const configuration = await readConfiguration(root.mainRoot);
    if (!configuration.checkTasks) return {};
    const workspace = await openFor(environment, root.mainRoot);
    // A signal to the hook does not reach the processes that the checks have started.
    const ended = new AbortController();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => ended.abort());
    return resultOf(
      await checkWorktree(workspace, worktree.path, { limit: taskLimit, signal: ended.signal }),
      worktree,
    );
  } catch (thrown) {
    return { notice: `The checks of a completed task could not be run: ${messageOf(thrown)}` };
  }
}

function resultOf(
  outcome: WorktreeChecks,
  { name, path }: { readonly name: string; readonly path: string },
): TaskChecks {
  switch (outcome.state) {
    case 'none':
    case 'passed':
      return {};
    case 'unapproved':
      return {
        notice:
          `A task of ${name} was completed without the team's checks (${outcome.command}), because you have not approved them. Run \`wt checks ${name} --approve\` once. ${outcome.trouble ?? ''}`.trim(),
      };
    case 'unfinished':
      return {
        notice: `A task of ${name} was completed although the team's checks (${outcome.command}) had not ended after ${taskLimit / 60_000} minutes.`,
      };
    case 'failed':
      return {
        reason: `The checks \`${outcome.command}\` ${textOf(endOf(outcome))} in ${path}.`,
        details: `${outcome.lastLines.length > 0 ? `They ended with:\n${outcome.lastLines.join('\n')}\n` : ''}Fix what they have found, commit it, and complete the task again.`,
      };
  }
}
