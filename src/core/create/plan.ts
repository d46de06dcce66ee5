import type { Workspace } from '../worktree/workspace.ts';
import type { ResolvedRequest } from './resolveRequest.ts';
import type { SessionSource } from './sessionCommit.ts';
import { maySetUp, type SetupOptions, type SetupOutcome } from './setup.ts';

/** A resolved request with every decision made that its creation needs. */
export interface CreatePlan extends ResolvedRequest {
  /** Whether the setup commands run. */
  readonly setupState: SetupOutcome['state'];
  /** What is committed as the session file; `undefined` when nothing is. */
  readonly session: SessionSource | undefined;
}

/** Makes the decisions, and asks the person about setup before anything is created, so that nobody waits half-way for an answer. */
export async function planCreate(
  workspace: Workspace,
  resolved: ResolvedRequest,
  options: SetupOptions,
): Promise<CreatePlan> {
  return { ...resolved, setupState: await decideSetup(workspace, resolved, options), session: sessionOf(resolved) };
}

async function decideSetup(
  workspace: Workspace,
  { setup, request }: ResolvedRequest,
  options: SetupOptions,
): Promise<SetupOutcome['state']> {
  if (setup.commands.length === 0) return 'none';
  if (request.runSetup === 'never') return 'skipped';
  return (await maySetUp(workspace, setup, options)) ? 'done' : 'unapproved';
}

/** A branch that exists, here or on the remote, has a session file of its own. */
function sessionOf({ request, assigned, newBranch, fromRemote }: ResolvedRequest): SessionSource | undefined {
  if (request.sessionFile !== undefined) return { file: request.sessionFile };
  return assigned && newBranch && fromRemote === undefined ? { text: assigned.focused } : undefined;
}
