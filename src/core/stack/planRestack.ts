import { Problem } from '../base/problem.ts';
import { readRegistry, type RegistryEntry } from '../repository/registry.ts';
import type { Progress } from '../worktree/model.ts';
import { readAllBranches, tipsOf } from '../snapshot/trunk.ts';
import { fetchMerged } from '../integration/fetchMerged.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { pushedCommit, type BaseSources } from './baseCommits.ts';
import { BranchPlanner } from './branchPlanner.ts';
import { placesOf } from './blockers.ts';
import { readCommitSettings } from './commitSettings.ts';
import { withCommitWriter } from './commitWriter.ts';
import { followTrees } from './checkCheckouts.ts';
import { History } from './history.ts';
import { mergedOf, type PullRequests, type PullRequestState } from './pullRequestLookup.ts';
import { keepContent } from './keepContent.ts';
import { findMerged, type MergedBranches } from './mergedBranches.ts';
import { chainOf, type Stack } from './model.ts';
import { formerTips, type Operation } from '../operations/operation.ts';
import type { ParentSources } from './parents.ts';
import type { RestackPlan } from './plan.ts';
import type { StackState } from './readStack.ts';
import { findRemoteWork, type RemoteWork } from './takeOver.ts';
import { commitOf, targetNamed, targetOf, type Target } from './trunkTarget.ts';

/** What is to be restacked. */
export interface RestackRequest {
  /** The branches, each after the one that it stands on. */
  readonly branches: readonly string[];
  /** The one of them that `onto` and `since` are about. */
  readonly subject?: string | undefined;
  /** It is to stand on this, whatever is recorded: a branch of the stack, any other branch, or a remote's. */
  readonly onto?: string | undefined;
  /** The commit after which its own commits begin, whatever is recorded. */
  readonly since?: string | undefined;
}

/** What planning may ask and use. */
export interface PlanOptions {
  readonly host?: PullRequests | undefined;
  /** Operations that are remembered: what branches were at before is a base that can be trusted. */
  readonly operations?: readonly Operation[] | undefined;
  /**
   * Also try whether each working tree could follow its branch. Without it only what is quickly seen is looked at, and carrying the plan
   * out tells the rest. Default true.
   */
  readonly tryTrees?: boolean | undefined;
  /** The remote may be asked for what the host says was merged and is not here. */
  readonly fetch?: boolean | undefined;
  /** What somebody else has committed on the remote's branches is put on top of those here. Default false. */
  readonly takeOver?: boolean | undefined;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Works out what restacking some branches would do, in memory: no branch and no working tree is touched.
 *
 * @throws Problem `not-found` for an `onto` or a `since` that does not exist, `ambiguous` when trunk and its remote have diverged, `usage` for
 *   a branch that would stand on itself, `git-failed` when git knows no identity to commit with; what stops single branches is in their plans.
 */
export async function planRestack(
  workspace: Workspace,
  state: StackState,
  request: RestackRequest,
  options: PlanOptions = {},
): Promise<RestackPlan> {
  const { progress, signal } = options;
  const places = new Map(
    request.branches.flatMap((name) => {
      const [place] = placesOf(state.stack.branches.get(name)?.worktrees ?? []);
      return place ? [[name, place] as const] : [];
    }),
  );
  const [around, settingsOf] = await Promise.all([
    lookAround(workspace, state, request, options),
    readCommitSettings(workspace, places, signal),
  ]);
  const planned = await withCommitWriter(workspace, { progress, signal }, async (writer) => {
    const how = { writer, settingsOf, progress, signal };
    const planner = new BranchPlanner(workspace, { ...around, ...how });
    return planner.planAll(request.branches);
  });
  const kept = await keepContent(workspace, planned, around.merged.takenBack, signal);
  return {
    state,
    branches: await followTrees(workspace, kept, {
      tryTrees: options.tryTrees ?? true,
      worktreesOf: (name) => state.stack.branches.get(name)?.worktrees ?? [],
      signal,
    }),
    notes: around.notes,
  };
}

/** What is known before the first branch is looked at. */
export interface PlanSurroundings {
  readonly sources: BaseSources & ParentSources;
  readonly history: History;
  /** What trunk stands for; `undefined` without one. */
  readonly trunk: Target | undefined;
  /** What the subject is to stand on, where that was asked for. */
  readonly onto: Target | undefined;
  readonly since: string | undefined;
  readonly subject: string | undefined;
  readonly pullRequests: ReadonlyMap<string, PullRequestState>;
  readonly merged: MergedBranches;
  /** What somebody else has committed on the remote, by branch. */
  readonly remoteWork: ReadonlyMap<string, RemoteWork>;
  /** Entries of the registry by branch, also of branches that are gone. */
  readonly entries: ReadonlyMap<string, RegistryEntry>;
  readonly notes: readonly string[];
}

async function lookAround(
  workspace: Workspace,
  state: StackState,
  request: RestackRequest,
  options: PlanOptions,
): Promise<PlanSurroundings> {
  const { configuration, git, repository } = workspace;
  const { stack } = state;
  const { remote } = configuration.stack;
  const { signal } = options;
  const notes: string[] = [];
  const involved = [...new Set(request.branches.flatMap((branch) => chainOf(stack, branch)))];
  const registry = await readRegistry(repository);
  const entries = new Map([...registry.worktrees.values()].map((entry) => [entry.branch, entry]));
  const gone = entriesBelow(involved, stack, entries);
  const asked = [...involved, ...gone.flatMap(({ branch, pr }) => (pr ? [branch] : []))];
  const [pullRequests, named] = await Promise.all([
    ask(options.host, asked, notes),
    Promise.all([request.onto, request.since].map((word) => commitOf(workspace, word, signal))),
  ]);
  const said = mergedOf(pullRequests.values());
  if (options.fetch === true) await fetchMerged(workspace, said, signal);
  // Whoever asked the host may have fetched what it told of as well.
  const branches = said.length > 0 ? await readAllBranches(workspace, signal) : state.branches;
  const recorded = new Map([...entries].map(([branch, { base }]) => [branch, base]));
  const known = {
    ...{ stack, branches, remote, recorded, pullRequests },
    formerTips: formerTips(options.operations ?? []),
    landedHeads: new Map<string, string>(),
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
    ...gone.map(({ baseCommit }) => baseCommit),
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
    sources: { ...known, landed: merged.landed, landedHeads: merged.landedHeads },
    ...{ history, trunk, onto, pullRequests, merged, entries },
    notes: [...notes, ...merged.notes],
    since: named[1],
    subject: request.subject,
  };
}

/** The entries of bases that are no branches any more, and of what those stood on. */
function entriesBelow(
  involved: readonly string[],
  stack: Stack,
  byBranch: ReadonlyMap<string, RegistryEntry>,
): RegistryEntry[] {
  const found = new Set<RegistryEntry>();
  for (const name of involved) {
    let base = stack.branches.get(name)?.base;
    for (let entry = byBranch.get(base ?? ''); entry && !stack.branches.has(entry.branch) && !found.has(entry);) {
      found.add(entry);
      base = entry.base;
      entry = byBranch.get(base);
    }
  }
  return [...found];
}

/** Without an answer of the host local data decides. */
async function ask(
  host: PullRequests | undefined,
  branches: readonly string[],
  notes: string[],
): Promise<ReadonlyMap<string, PullRequestState>> {
  try {
    return (await host?.pullRequestsOf(branches)) ?? new Map<string, PullRequestState>();
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    notes.push(`What was merged is judged from what is here: ${thrown.message}`);
    return new Map();
  }
}
