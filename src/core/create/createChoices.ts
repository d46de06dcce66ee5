import { hasName } from './createName.ts';
import type { CreatePlan, CreateRequest } from './createPlan.ts';
import type { commitSession } from './sessionCommit.ts';
import { maySetUp, type SetupOptions, type SetupOutcome } from './setup.ts';
import { chooseTask, type TaskChoice, type TaskToHandOut } from '../tasks/assign.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** What the request's task is: one of the session file, or a text. */
export function settleTask(
  workspace: Workspace,
  request: CreateRequest,
  signal: AbortSignal | undefined,
): Promise<TaskChoice> | TaskChoice {
  const asked = request.task?.trim();
  if (!asked) return { task: undefined, warnings: [] };
  return chooseTask(workspace, asked, hasName(request, workspace.configuration), signal);
}

/** What is committed as the session file. A branch that exists, here or on the remote, has one of its own. */
export function sessionOf(
  { sessionFile }: CreateRequest,
  { newBranch, fromRemote }: CreatePlan,
  task: TaskToHandOut | undefined,
): Parameters<typeof commitSession>[2] | undefined {
  if (sessionFile !== undefined) return { file: sessionFile };
  return task && newBranch && fromRemote === undefined ? { text: task.focused } : undefined;
}

/** Whether the setup commands run. */
export type SetupState = SetupOutcome['state'];

/** Settles whether setup will run before anything is touched, so that nobody waits half-way for an answer. */
export async function agreeOnSetup(
  workspace: Workspace,
  request: CreateRequest,
  { setup }: CreatePlan,
  options: SetupOptions,
): Promise<SetupState> {
  if (setup.commands.length === 0) return 'none';
  if (request.runSetup === 'never') return 'skipped';
  return (await maySetUp(workspace, setup, options)) ? 'done' : 'unapproved';
}
