import type { Snapshot, Worktree } from '../../worktree/model.ts';
import { mergedInto } from '../../integration/mergedInto.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { isInRepository, type HostSession } from '../connect.ts';
import { branchTip, getPullRequest, pullRequestsFrom, forkedFrom } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';
import { askPulls, isIn } from '../pullsQuery.ts';
import { worktreeGraph, type StackedWorktree } from '../../stack/graph.ts';
import { authorsOf } from './authorOf.ts';
import { HostedStack } from './hostedStack.ts';
import { homesOf, repositoriesOf, type PullRepositories } from './repositories.ts';

/** What GitHub has of some branches right now. */
export interface PullsState {
  readonly place: PullRepositories;
  /** The stacks, with bases as they are called in that place. */
  readonly stack: HostedStack;
  /** The pull request of each branch, in whatever state; branches without one are left out. */
  readonly found: Map<string, PullRequest>;
  /** Who opened the open ones that are somebody else's, by branch. */
  readonly authors: ReadonlyMap<string, string>;
  /** Open ones of the same branches that are into something else, such as a release: they are not ours. */
  readonly others: ReadonlyMap<string, readonly PullRequest[]>;
  /** Ones that were merged into something else than the branch's base, which does not have its work. */
  readonly strayed: ReadonlyMap<string, PullRequest>;
  /** Open ones of branches that have another name here by now, where that was looked for. */
  readonly renamed?: ReadonlyMap<string, PullRequest>;
  /** Open ones of other worktrees that are into the branches. */
  readonly dependents: readonly PullRequest[];
}

/** What is asked. */
export interface PullsQuestion {
  /** A stack, each after its base. */
  readonly members: readonly StackedWorktree[];
  /** The branches of those that are to be pushed or to get a pull request. */
  readonly wanted: ReadonlySet<string>;
  /** Those of which it is asked what is into them; default: the wanted ones. */
  readonly into?: ReadonlySet<string> | undefined;
  /** The last commits here, by branch. */
  readonly tips: ReadonlyMap<string, string>;
}

/**
 * Reads which pull requests there are. Of those of a branch the recorded one is ours, and one that is into the branch's base: the
 * latest open one, else an open one into the trunk, else one that was merged or closed with exactly the commit that is here.
 *
 * @throws HostProblem as every request; Problem `not-found` when a wanted branch is pushed to no repository on GitHub.
 */
export async function readPulls(
  workspace: Workspace,
  snapshot: Snapshot,
  session: HostSession,
  { members, wanted, into: below = wanted, tips }: PullsQuestion,
  signal?: AbortSignal,
): Promise<PullsState> {
  const all = worktreeGraph(snapshot).branches;
  const names = members.map(({ branch }) => branch);
  const homes = homesOf(workspace, session, names, wanted);
  const parent = await parentOf(
    session,
    [...homes.keys()].map((branch) => all.get(branch)?.worktree),
    signal,
  );
  const place = repositoriesOf(session, homes, parent);
  const stack = new HostedStack(snapshot, [workspace.configuration.stack.remote, ...place.remotes]);
  // Nothing is based on a branch of a fork.
  const bases = new Set(names.filter((branch) => below.has(branch) && place.heads.get(branch)?.fork === false));
  // What is based on these may be any other branch here, whatever is recorded of it.
  const others = [...all.keys()].filter((branch) => !names.includes(branch));
  const otherHomes = homesOf(workspace, session, bases.size === 0 ? [] : others, new Set());
  const asked = [...homes.values(), ...otherHomes.values()].map(({ branch }) => branch);
  const answer = await askPulls(place.github, [...new Set(asked)], signal);
  const found = new Map<string, PullRequest>();
  const strayed = new Map<string, PullRequest>();
  const ofSameBranch = new Map<string, PullRequest[]>();
  // From below: a branch's base depends on what became of those below it.
  for (const member of members) {
    const { branch } = member;
    const home = homes.get(branch);
    const pulls = (answer.from.get(home?.branch ?? branch) ?? []).filter((each) => isIn(each, home));
    const about: OwnQuestion = {
      bases: stack.basesOf(member, found),
      trunk: snapshot.trunk,
      tip: tips.get(branch),
      named: home?.branch ?? branch,
      home: answer.whole || !wasPushed(member) ? undefined : home,
      signal,
    };
    const own = await ownOf(place, member, pulls, about);
    if (own && (await isStray(workspace, member, own, about))) strayed.set(branch, own);
    else if (own) found.set(branch, await withBase(place, own, signal));
    ofSameBranch.set(
      branch,
      pulls.filter((each) => each.state === 'open' && each.number !== own?.number),
    );
  }
  const dependents = [...otherHomes.values()].flatMap((home) =>
    (answer.from.get(home.branch) ?? []).filter(
      (each) => each.state === 'open' && bases.has(each.base.branch) && isIn(each, home),
    ),
  );
  const authors = await authorsOf(place.github, members, found, signal);
  return { place, stack, found, authors, others: ofSameBranch, strayed, dependents };
}

/**
 * What the repository was forked from, `owner/repo`; `undefined` where pull requests go into the repository itself. Where all that are
 * recorded are in it, that is known.
 */
async function parentOf(
  { github, chosen }: HostSession,
  worktrees: readonly (Worktree | undefined)[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (chosen) return undefined;
  const isHere = (worktree: Worktree | undefined): boolean =>
    worktree?.entry?.branch === worktree?.branch && isInRepository(github, worktree?.entry?.pr?.url);
  if (worktrees.length > 0 && worktrees.every(isHere)) return undefined;
  return forkedFrom(github, signal);
}

/** What tells which of its pull requests is a branch's own. */
interface OwnQuestion {
  readonly bases: readonly string[];
  /** What the branch is called in its repository on GitHub. */
  readonly named: string;
  readonly trunk: string | undefined;
  readonly tip: string | undefined;
  /** Where to ask for those that were merged or closed; `undefined` where they are known, or there can be none. */
  readonly home: { readonly owner: string; readonly repo: string } | undefined;
  readonly signal: AbortSignal | undefined;
}

async function ownOf(
  { github }: PullRepositories,
  { branch, worktree: { entry } }: StackedWorktree,
  pulls: readonly PullRequest[],
  { bases, named, trunk, tip, home, signal }: OwnQuestion,
): Promise<PullRequest | undefined> {
  const number = entry?.branch === branch ? entry.pr?.number : undefined;
  const listed = pulls.find((each) => each.number === number);
  const recorded = number === undefined ? undefined : (listed ?? (await getPullRequest(github, number, signal)));
  const isOwn = recorded?.head.branch === named;
  if (isOwn && recorded.state === 'open') return recorded;
  const isOnBase = ({ base }: PullRequest): boolean => bases.includes(base.branch);
  // GitHub offers the default branch: what somebody has opened by hand is into that.
  const byHand = ({ base }: PullRequest): boolean => base.branch === trunk && !(isOwn && recorded.state === 'merged');
  const opened = pulls.filter(({ state }) => state === 'open');
  const open = opened.find(isOnBase) ?? opened.find(byHand);
  if (open || isOwn) return open ?? recorded;
  const all = home
    ? await pullRequestsFrom(github, { owner: home.owner, repo: home.repo, branch: named }, signal)
    : pulls;
  return all.find((each) => isOnBase(each) && each.head.oid === tip);
}

/** GitHub counts a branch as merged that is contained in another one, too. Only what its own base has is merged. */
async function isStray(
  workspace: Workspace,
  { branch, worktree: { entry } }: StackedWorktree,
  { state, base }: PullRequest,
  { bases, signal }: OwnQuestion,
): Promise<boolean> {
  if (state !== 'merged' || bases.includes(base.branch)) return false;
  const own = entry?.branch === branch ? entry : undefined;
  return (await mergedInto(workspace, { branch, entry: own, bases, signal })).state === 'not-merged';
}

/** A branch that was never pushed has no pull request. */
function wasPushed({ branch, worktree: { entry, upstream } }: StackedWorktree): boolean {
  return upstream?.name.endsWith(`/${branch}`) === true || (entry?.branch === branch && entry.lastPushed !== undefined);
}

/** Of a closed one with whether what it was into is still there. */
async function withBase(
  { github }: PullRepositories,
  pull: PullRequest,
  signal: AbortSignal | undefined,
): Promise<PullRequest> {
  if (pull.state !== 'closed' || pull.baseGone !== undefined) return pull;
  return { ...pull, baseGone: (await branchTip(github, pull.base.branch, signal)) === undefined };
}
