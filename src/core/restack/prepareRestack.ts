import type { Progress, Snapshot } from '../worktree/model.ts';
import type { Branches } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { readOperations } from '../operations/store.ts';
import { branchesToFetch } from '../stack/branchesToFetch.ts';
import { readPushRemotes } from '../git/pushRemotes.ts';
import { fetchBases } from '../stack/fetchBases.ts';
import type { PullRequestLookup } from '../stack/pullRequestLookup.ts';
import type { RestackPlan } from './plan.ts';
import { planRestack } from './planRestack.ts';
import { readStack, type StackState } from '../stack/readStack.ts';
import { refuseCycle, refuseStopped, selectBranches, stackedBranch } from '../stack/selection.ts';
import type { Message } from '../messages/message.ts';
import { restackMessages } from '../messages/restack.ts';

/** What a person asks for. */
export interface RestackRequest {
  /** The worktree whose branch it is about. */
  readonly worktree: { readonly name: string; readonly branch: string | undefined; readonly main: boolean };
  /** Everything in its stack too, not only itself. */
  readonly wholeStack?: boolean | undefined;
  /** Its base from now on. */
  readonly onto?: string | undefined;
  /** The commit after which its own commits begin. */
  readonly since?: string | undefined;
  /** The change of the base is what it is about: for the title in the log. */
  readonly move?: boolean | undefined;
}

/** How it is done. */
export interface RestackOptions {
  /** Ask neither the remote nor the host. */
  readonly offline?: boolean | undefined;
  readonly host?: PullRequestLookup | undefined;
  /** The remote was fetched just now. */
  readonly fetched?: boolean | undefined;
  /** A fresh snapshot, if there is one. */
  readonly snapshot?: Snapshot | undefined;
  /** Likewise. */
  readonly allBranches?: Branches | undefined;
  /** For {@link prepareRestack}: also try whether each worktree could follow, for a preview. Default false. */
  readonly tryTrees?: boolean | undefined;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Plans a restack; touches nothing but remote-tracking branches.
 *
 * @throws Problem `usage`, `in-use` for a branch of an operation that has stopped, and whatever {@link planRestack} throws.
 */
export async function prepareRestack(
  workspace: Workspace,
  request: RestackRequest,
  options: RestackOptions = {},
): Promise<RestackPlan> {
  const { signal, progress } = options;
  const { since, wholeStack = false } = request;
  let state = await readStack(workspace, { signal, snapshot: options.snapshot, branches: options.allBranches });
  const branch = stackedBranch(state.stack, request.worktree);
  const operations = await readOperations(workspace);
  const onto = request.onto === undefined ? undefined : branchNamed(state, request.onto);
  if (onto !== undefined) refuseCycle(state.stack, branch, onto);
  let fetched: readonly Message[] = [];
  if (!options.offline && !options.fetched) {
    progress?.(restackMessages.fetching());
    const names = selectBranches(state.stack, branch.branch, { wholeStack, onto });
    const { git, repository, configuration } = workspace;
    const from = { configured: configuration.stack.remote, tracked: state.branches.remote.oids.keys() };
    const remotes = await readPushRemotes(git, repository.commonDir, names, from, signal);
    const wanted = branchesToFetch(workspace, state, names, onto, remotes);
    fetched = (await fetchBases(workspace, state, signal, wanted)).notes;
    // A changed name of the trunk, for example, makes the snapshot stale.
    state = await readStack(workspace, { signal, snapshot: fetched === undefined ? state.snapshot : undefined });
  }
  const branches = selectBranches(state.stack, branch.branch, { wholeStack, onto });
  refuseStopped(operations, branches);
  progress?.(restackMessages.rebasingInMemory());
  const host = options.offline ? undefined : options.host;
  const plan = await planRestack(
    workspace,
    state,
    { branches, onto, since, subject: branch.branch },
    {
      ...{ host, operations, progress, signal, takeOver: true },
      tryTrees: options.tryTrees ?? false,
      fetch: !options.offline,
    },
  );
  return { ...plan, notes: [...fetched, ...plan.notes] };
}

/** A base may also be named by its worktree. */
function branchNamed({ stack, branches }: StackState, word: string): string {
  if (branches.local.has(word)) return word;
  return (
    [...stack.branches.values()].find(({ name, entryName }) => name === word || entryName === word)?.branch ?? word
  );
}
