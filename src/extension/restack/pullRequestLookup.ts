import { hostLookup } from '../../core/github/hostLookup.ts';
import type { PullRequestLookup } from '../../core/stack/pullRequestLookup.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';

/** Looks up merged pull requests for a restack, if that needs no sign-in; `undefined` offline. */
export async function hostFor(
  { pullRequests }: Services,
  { state }: RepositoryModel,
  workspace: Workspace,
  { offline = false, signal }: { readonly offline?: boolean; readonly signal: AbortSignal },
): Promise<PullRequestLookup | undefined> {
  if (!state || offline) return undefined;
  const accounts = await pullRequests.accounts();
  return hostLookup(workspace, state.snapshot, { signal, token: (at) => accounts.silent(workspace, at, signal) });
}
