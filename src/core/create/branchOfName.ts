import { Problem } from '../base/problem.ts';
import { createMessages } from '../messages/create.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { CreateRequest } from './request.ts';
import { resolveRequest } from './resolveRequest.ts';

/** A branch that is called like a new worktree, and is not checked out anywhere. */
export interface BranchOfName {
  /** With the remote's name where it is only there: `origin/x`. */
  readonly branch: string;
  readonly isRemote: boolean;
}

/**
 * Whether the name of a new worktree is that of a branch which may be what the person means: giving it as the request's branch uses it. A
 * request that is wrong in another way has none; creating the worktree says what is wrong.
 */
export async function branchOfName(
  workspace: Workspace,
  request: CreateRequest,
  signal?: AbortSignal,
): Promise<BranchOfName | undefined> {
  try {
    const { warnings } = await resolveRequest(workspace, request, signal);
    const remote = warnings.find(({ id }) => id === createMessages.remoteBranchUnused.id)?.args['branch'];
    return typeof remote === 'string' ? { branch: remote, isRemote: true } : undefined;
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    const branch = thrown.id === createMessages.branchAlready.id ? thrown.what.args['branch'] : undefined;
    return typeof branch === 'string' ? { branch, isRemote: false } : undefined;
  }
}
