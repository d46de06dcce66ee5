import { Problem } from '../base/problem.ts';
import { createMessages } from '../messages/create.ts';
import { textOf } from '../messages/message.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { CreateRequest } from './request.ts';
import { resolveRequest } from './resolveRequest.ts';

/** Branches that are called like a new worktree: one that is here and not checked out, or different ones of several remotes. */
export interface BranchesOfName {
  /** With the remote's name where they are there: `origin/x`. */
  readonly branches: readonly [string, ...string[]];
  readonly areRemote: boolean;
}

/**
 * The branches of which a person has to say whether one is meant, because the new worktree has their name: giving one as the request's
 * branch uses it. A request that is wrong in another way has none; creating the worktree says what is wrong.
 */
export async function branchesOfName(
  workspace: Workspace,
  request: CreateRequest,
  signal?: AbortSignal,
): Promise<BranchesOfName | undefined> {
  try {
    await resolveRequest(workspace, request, signal);
    return undefined;
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return branchesIn(thrown);
  }
}

/** The branches that a refused request names, one of which may be meant. */
export function branchesIn(problem: Problem): BranchesOfName | undefined {
  const { id, what, items } = problem;
  const local = id === createMessages.branchAlready.id ? what.args['branch'] : undefined;
  if (typeof local === 'string') return { branches: [local], areRemote: false };
  if (id !== createMessages.severalRemotesHave.id) return undefined;
  const [first, ...others] = items.map((item) => textOf(item));
  return first === undefined ? undefined : { branches: [first, ...others], areRemote: true };
}
