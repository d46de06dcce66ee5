import type { Message } from '../messages/message.ts';
import { Problem } from '../base/problem.ts';
import { readRegistry } from '../repository/registry.ts';
import type { Progress } from '../worktree/model.ts';
import { readAllBranches, tipsOf } from '../snapshot/trunk.ts';
import { fetchMerged } from '../integration/fetchMerged.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { registryGraph, type RegisteredBranch, type StackGraph } from '../stack/graph.ts';
import { pushedCommit, type BaseSources } from '../stack/baseCommits.ts';
import { History } from '../stack/history.ts';
import { mergedOf, type PullRequestLookup, type PullRequestState } from '../stack/pullRequestLookup.ts';
import { findMerged, type MergedBranches } from '../stack/mergedBranches.ts';
import type { Stack } from '../stack/model.ts';
import { formerTips, type Operation } from '../operations/operation.ts';
import type { BaseResolution } from './resolveBase.ts';
import type { StackState } from '../stack/readStack.ts';
import { findRemoteWork, type RemoteWork } from './takeOver.ts';
import { commitOf, targetNamed, targetOf, type RebaseTarget } from '../stack/trunkTarget.ts';
import { stackMessages } from '../messages/stack.ts';

/** The branches to restack. */
export interface PlanRequest {
  /** Each after its base. */
  readonly branches: readonly string[];
  /** The one of them that `onto` and `since` are about. */
  readonly subject?: string | undefined;
  /** Its new base, whatever is recorded: a branch of the stack, any other branch, or a remote's. */
  readonly onto?: string | undefined;
  /** The commit after which its own commits begin, whatever is recorded. */
  readonly since?: string | undefined;
}

/** How to plan. */
export interface PlanOptions {
  readonly host?: PullRequestLookup | undefined;
  /** Logged operations: the former tips of branches in them are trusted bases. */
  readonly operations?: readonly Operation[] | undefined;
  /**
   * Also try whether each worktree could follow its branch. Otherwise only cheap checks are made, and execution finds the rest. Default
   * true.
   */
  readonly tryTrees?: boolean | undefined;
  /** Fetch merge commits that the host reports and that are not here. */
  readonly fetch?: boolean | undefined;
  /** Apply commits of others on the remote's branches to the local ones. Default false. */
  readonly takeOver?: boolean | undefined;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What is known of a repository before its branches are planned. */
export interface PlanContext {
  readonly sources: BaseSources & BaseResolution;
  readonly history: History;
  /** The commit of the trunk to rebase onto; `undefined` without a trunk. */
  readonly trunk: RebaseTarget | undefined;
  /** The requested base of the subject. */
  readonly onto: RebaseTarget | undefined;
  readonly since: string | undefined;
  readonly subject: string | undefined;
  readonly pullRequests: ReadonlyMap<string, PullRequestState>;
  readonly merged: MergedBranches;
  /** Commits of others on the remote, by branch. */
  readonly remoteWork: ReadonlyMap<string, RemoteWork>;
  readonly notes: readonly Message[];
}

/** Reads the history, the registry and the pull requests that a plan for some branches needs; throws as `planRestack`. */
export async function readPlanContext(
  workspace: Workspace,
  state: StackState,
  request: PlanRequest,
  options: PlanOptions,
): Promise<PlanContext> {
  const { configuration, git, repository } = workspace;
  const { stack } = state;
  const { remote } = configuration.stack;
  const { signal } = options;
  const notes: Message[] = [];
  const involved = [...new Set(request.branches.flatMap((name) => stack.chain(name).map(({ branch }) => branch)))];
  const registry = await readRegistry(repository);
  const registered = registryGraph(registry.worktrees, remote);
  const gone = goneBases(involved, stack, registered);
  const asked = [...involved, ...gone.flatMap(({ branch, entry }) => (entry.pr ? [branch] : []))];
  const [pullRequests, named] = await Promise.all([
    ask(options.host, asked, notes),
    Promise.all([request.onto, request.since].map((word) => commitOf(workspace, word, signal))),
  ]);
  const said = mergedOf(pullRequests.values());
  if (options.fetch === true) await fetchMerged(workspace, said, signal);
  // The lookup may have fetched commits.
  const branches = said.length > 0 ? await readAllBranches(workspace, signal) : state.branches;
  const known = {
    ...{ stack, branches, remote, registered, pullRequests },
    formerTips: formerTips(options.operations ?? []),
    mergedHeads: new Map<string, string>(),
  };
  const bases = new Set([
    ...involved.map((branch) => stack.branches.get(branch)?.base),
    ...gone.map(({ base }) => base),
    stack.trunk,
  ]);
  const oids = [
    ...involved.flatMap((name) => {
      const branch = stack.branches.get(name);
      return [branch?.tip, branch?.baseCommit, pushedCommit(branch), pullRequests.get(name)?.headCommit];
    }),
    ...[...involved, ...bases].flatMap((name) => (name === undefined ? [] : (known.formerTips.get(name) ?? []))),
    ...[...bases].flatMap((base) => {
      const tips = base === undefined ? undefined : tipsOf(branches, base, remote);
      return [tips?.local, tips?.remote];
    }),
    ...gone.map(({ entry }) => entry.baseCommit),
    ...named,
  ];
  const history = await History.read(
    git,
    repository.commonDir,
    oids.filter((oid) => oid !== undefined),
    signal,
  );
  const onto = request.onto === undefined ? undefined : targetNamed(branches, request.onto, named[0], remote);
  const trunk =
    stack.trunk === undefined || (onto && onto.branch === stack.trunk)
      ? onto
      : targetOf(branches, stack.trunk, remote, history);
  const merged = await findMerged(workspace, { sources: known, history, trunk, involved, signal });
  const own = request.branches.flatMap((name) => stack.branches.get(name) ?? []);
  const trunks = [trunk?.oid, onto?.oid].filter((oid) => oid !== undefined);
  const remoteWork = options.takeOver
    ? await findRemoteWork(workspace, own, { branches, trunks }, signal)
    : new Map<string, RemoteWork>();
  return {
    remoteWork,
    sources: { ...known, merged: merged.merged, mergedHeads: merged.mergedHeads },
    ...{ history, trunk, onto, pullRequests, merged },
    notes: [...notes, ...merged.notes],
    since: named[1],
    subject: request.subject,
  };
}

/** Bases of the registry that do not exist any more, and the bases of those. */
function goneBases(
  involved: readonly string[],
  stack: Stack,
  registered: StackGraph<RegisteredBranch>,
): RegisteredBranch[] {
  const chains = involved.map((name) => registered.chain(stack.branches.get(name)?.base ?? ''));
  return [...new Set(chains.flat())].filter(({ branch }) => !stack.branches.has(branch));
}

/** Looks pull requests up; without an answer local data decides. */
async function ask(
  host: PullRequestLookup | undefined,
  branches: readonly string[],
  notes: Message[],
): Promise<ReadonlyMap<string, PullRequestState>> {
  try {
    return (await host?.pullRequestsOf(branches)) ?? new Map<string, PullRequestState>();
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    notes.push(stackMessages.mergesDetectedLocal({ reason: thrown.what }));
    return new Map();
  }
}
