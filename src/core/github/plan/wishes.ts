import type { Snapshot, Worktree } from '../../worktree/model.ts';
import { quoted } from '../../base/quoted.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { PullsState } from '../pulls/readPulls.ts';
import type { PullRequest } from '../pullRequest.ts';
import type { Decided, Group } from '../push/decideAll.ts';
import type { PushOptions } from '../push/model.ts';
import type { CarriedOut } from './carryOut.ts';
import type { MadePlan } from './makePlan.ts';
import { findUnpushed, goingBack, skipUnpushed } from './unpushed.ts';
import { githubMessages } from '../../messages/github.ts';
import type { Message } from '../../messages/message.ts';

/** What pull requests are to be into, by branch, and why where that is not the base of the branch. */
export interface Wishes {
  readonly wishes: ReadonlyMap<string, string>;
  /** The closed pull requests that stand in the way, by the branch whose pull request skips theirs. */
  readonly past: ReadonlyMap<string, readonly PullRequest[]>;
}

/**
 * What the pull requests of branches that are pushed are to be into: the base of each, or the nearest branch below that is on the remote
 * as it is here. One that somebody has put into a branch that no stack here knows stays there, and so does one that nobody has taken over
 * yet; both are said.
 */
export async function wishesOf(
  workspace: Workspace,
  worktrees: readonly Worktree[],
  { groups, local, sight }: Pick<Decided, 'groups' | 'local'> & { readonly sight: PullsState },
  { onNote, signal }: Pick<PushOptions, 'onNote' | 'signal'>,
): Promise<Wishes> {
  const { found, stack, authors } = sight;
  const known = new Set([stack.trunk, ...[...stack.branches.values()].flatMap(({ branch, base }) => [branch, base])]);
  const unpushed = await findUnpushed(workspace, { groups, local }, sight, signal);
  const baseOf = (branch: string): string | undefined => stack.baseFor(branch, found);
  const wishes = new Map<string, string>();
  const past = new Map<string, readonly PullRequest[]>();
  for (const { branch = '', name, entry } of worktrees) {
    const base = baseOf(branch);
    const pull = found.get(branch);
    if (base === undefined || !pull || pull.state === 'merged') continue;
    const wish = skipUnpushed(base, unpushed, baseOf);
    const into = pull.base.branch;
    const isOurs = entry?.pr?.number === pull.number || into !== stack.trunk;
    const author = authors.get(branch);
    const moves = known.has(into) && isOurs && author === undefined;
    if (into === wish.base || moves || pull.baseGone) {
      wishes.set(branch, wish.base);
      if (wish.past.length > 0) past.set(branch, wish.past);
    } else if (pull.state === 'open') {
      const about = { number: pull.number, name, into, base: wish.base, word: quoted(name) };
      onNote?.(
        author === undefined
          ? githubMessages.leftElsewhere({ ...about, onto: quoted(into) })
          : githubMessages.basePullOfAnother({ ...about, author }),
      );
    }
  }
  for (const [branch, base] of await goingBack(workspace, { groups, wishes, sight }, signal)) wishes.set(branch, base);
  return { wishes, past };
}

/** Why the pull request of a branch is not into its base, and what ends that. */
export function whySkipped(name: string, past: readonly PullRequest[]): Message {
  const closed = past.map(({ number, head }) => `#${number} of ${head.branch}`).join(' and ');
  return githubMessages.skippedClosed({ count: past.length, closed, word: quoted(name) });
}

/** A plan, and what it was made from. */
export interface PlanAbout {
  readonly plan: MadePlan;
  readonly sight: PullsState;
  readonly groups: readonly Group[];
  readonly past?: Wishes['past'] | undefined;
}

/** Says what a push has done to pull requests, and what it has not done. */
export function tellPlan(
  snapshot: Snapshot,
  { plan, sight, groups, past }: PlanAbout,
  { changed, left }: CarriedOut,
  { onNote, onLeft }: Pick<PushOptions, 'onNote' | 'onLeft'>,
): void {
  const ended = new Map(plan.steps.flatMap((step) => (step.kind === 'base' ? [[step.number, step] as const] : [])));
  for (const [number, { to }] of ended) {
    const from = plan.pulls.get(number)?.base.branch;
    if (!changed.has(number) || from === to || left.has(number)) continue;
    const stays = plan.stays.some((each) => each.number === number);
    const head = plan.pulls.get(number)?.head.branch ?? '';
    const skipped = past?.get(head);
    const name = snapshot.worktrees.find(({ branch }) => branch === head)?.name ?? head;
    const change = { number, base: to, before: from ?? '' };
    onNote?.(
      stays
        ? githubMessages.baseChangedContained(change)
        : skipped
          ? githubMessages.baseChangedBecause({ ...change, why: whySkipped(name, skipped) })
          : githubMessages.baseChanged(change),
    );
  }
  const names = new Map(snapshot.worktrees.map((worktree) => [worktree.branch, worktree.name]));
  for (const ref of plan.held) {
    const name = names.get(ref) ?? ref;
    const pull = sight.found.get(ref);
    onNote?.(pull ? githubMessages.heldEmptyPull({ name, number: pull.number }) : githubMessages.heldEmpty({ name }));
  }
  for (const [number, problem] of left) {
    const pull = plan.pulls.get(number);
    const worktree = snapshot.worktrees.find(({ branch }) => branch === pull?.head.branch);
    if (worktree) onLeft?.(worktree, problem);
    else onNote?.(problem.what);
  }
  for (const { steps } of groups) {
    for (const { member, way } of steps) {
      const pull = sight.found.get(member.branch);
      const revived = plan.steps.some((step) => step.kind === 'reopen' && step.number === pull?.number);
      if (pull?.state !== 'closed' || revived || pull.number !== member.worktree.entry?.pr?.number) continue;
      const { name } = member.worktree;
      if (pull.baseGone) onNote?.(githubMessages.lostWithBase({ number: pull.number, name }));
      else if (way.kind !== 'unchanged')
        onNote?.(githubMessages.isClosed({ number: pull.number, name, url: pull.url }));
    }
  }
}
