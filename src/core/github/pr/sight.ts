import type { Snapshot } from '../../worktrees/model.ts';
import type { Workspace } from '../../worktrees/workspace.ts';
import type { HostSession } from '../connect.ts';
import { getPullRequest } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';
import { askPulls, isIn, type PullsAnswer } from '../pullsQuery.ts';
import { membersOf, type Member } from '../stackMembers.ts';
import { basesOf } from './bases.ts';
import { homesOf, placeIn, type Place } from './place.ts';

/** What GitHub has of some branches right now. */
export interface Sight {
  readonly place: Place;
  /** The pull request of each branch, in whatever state; branches without one are left out. */
  readonly found: Map<string, PullRequest>;
  /** Open ones of the same branches that are into something else, such as a release: they are not ours. */
  readonly others: ReadonlyMap<string, readonly PullRequest[]>;
  /** Open ones of other worktrees that are into the branches. */
  readonly dependents: readonly PullRequest[];
}

/** What is asked. */
export interface SightQuestion {
  /** A stack, each after the one that it stands on. */
  readonly members: readonly Member[];
  /** The branches of those that are to be pushed or to get a pull request. */
  readonly wanted: ReadonlySet<string>;
  /** Those of which it is asked what is into them; default: the wanted ones. */
  readonly into?: ReadonlySet<string> | undefined;
  /** The last commits here, by branch. */
  readonly tips: ReadonlyMap<string, string>;
}

/**
 * Looks what pull requests there are. Of those of a branch the recorded one is ours, and one that is into what the branch stands on: the
 * latest open one, else one that was merged or closed with exactly the commit that is here.
 *
 * @throws HostProblem as every request; Problem `not-found` when a wanted branch is pushed to no repository on GitHub.
 */
export async function lookAtPulls(
  workspace: Workspace,
  snapshot: Snapshot,
  session: HostSession,
  { members, wanted, into: below = wanted, tips }: SightQuestion,
  signal?: AbortSignal,
): Promise<Sight> {
  const all = membersOf(snapshot);
  const names = members.map(({ branch }) => branch);
  const homes = homesOf(workspace, session, names, wanted);
  const into = names.filter((branch) => below.has(branch) && homes.has(branch));
  let answer = await askPulls(session.github, homes, into, signal);
  const place = placeIn(session, homes, answer.parent);
  if (place.github !== session.github) {
    // Nothing stands on a branch of a fork.
    const bases = into.filter((branch) => place.heads.get(branch)?.fork === false);
    answer = await askPulls(place.github, homes, bases, signal, true);
  }
  const found = new Map<string, PullRequest>();
  const others = new Map<string, PullRequest[]>();
  // From below: what a branch stands on depends on what became of those below it.
  for (const member of members) {
    const { branch } = member;
    const pulls = (answer.from.get(branch) ?? []).filter((each) => isIn(each, homes.get(branch)));
    const bases = basesOf(workspace, snapshot, member, found, place.remotes);
    const own = await ownOf(place, member, pulls, { bases, tip: tips.get(branch) }, signal);
    if (own) found.set(branch, own);
    others.set(
      branch,
      pulls.filter((each) => each.state === 'open' && each.number !== own?.number),
    );
  }
  return { place, found, others, dependents: dependentsIn(answer, all, names) };
}

async function ownOf(
  { github }: Place,
  { branch, worktree: { entry } }: Member,
  pulls: readonly PullRequest[],
  { bases, tip }: { readonly bases: readonly string[]; readonly tip: string | undefined },
  signal: AbortSignal | undefined,
): Promise<PullRequest | undefined> {
  const number = entry?.branch === branch ? entry.pr?.number : undefined;
  const listed = pulls.find((each) => each.number === number);
  const recorded = number === undefined ? undefined : (listed ?? (await getPullRequest(github, number, signal)));
  const isOwn = recorded?.head.branch === branch;
  if (isOwn && recorded.state === 'open') return recorded;
  const onBase = pulls.filter(({ base }) => bases.includes(base.branch));
  return (
    onBase.find(({ state }) => state === 'open') ?? (isOwn ? recorded : onBase.find(({ head }) => head.oid === tip))
  );
}

function dependentsIn(
  { into }: PullsAnswer,
  all: ReadonlyMap<string, Member>,
  names: readonly string[],
): PullRequest[] {
  return [...into.values()].flat().filter(({ head }) => all.has(head.branch) && !names.includes(head.branch));
}
