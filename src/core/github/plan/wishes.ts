import type { Snapshot, Worktree } from '../../worktree/model.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { baseFor, withoutRemote } from '../pr/bases.ts';
import type { Sight } from '../pr/sight.ts';
import type { Group } from '../push/decideAll.ts';
import type { PushOptions } from '../push/push.ts';
import { membersOf } from '../stackMembers.ts';
import type { CarriedOut } from './carryOut.ts';
import type { MadePlan } from './makePlan.ts';

/**
 * What the pull requests of branches that are pushed are to be into: what each stands on. One that somebody has put into a branch that no
 * stack here knows stays there, which is said.
 */
export function wishesOf(
  workspace: Workspace,
  snapshot: Snapshot,
  worktrees: readonly Worktree[],
  { found, place }: Sight,
  onNote: (sentence: string) => void,
): Map<string, string> {
  const members = membersOf(snapshot);
  const known = new Set([snapshot.trunk, ...members.keys()]);
  for (const { base } of members.values()) known.add(withoutRemote(workspace, snapshot, base, place.remotes));
  const wishes = new Map<string, string>();
  for (const { branch, name } of worktrees) {
    const member = members.get(branch ?? '');
    const pull = found.get(branch ?? '');
    if (!member || !pull || pull.state === 'merged') continue;
    const wish = baseFor(workspace, snapshot, member, found, place.remotes);
    const into = pull.base.branch;
    if (into === wish || known.has(into) || pull.baseGone) wishes.set(member.branch, wish);
    else if (pull.state === 'open')
      onNote(
        `Pull request #${pull.number} of ${name} is into ${into} on GitHub, and was left there; \`wt pr ${name}\` gives it ${wish}, \`wt move ${name} --onto ${into}\` accepts it.`,
      );
  }
  return wishes;
}

/** Says what a push has done to pull requests, and what it has not done. */
export function tellPlan(
  snapshot: Snapshot,
  { plan, sight, groups }: { readonly plan: MadePlan; readonly sight: Sight; readonly groups: readonly Group[] },
  { changed, left }: CarriedOut,
  { onNote, onLeft }: Pick<PushOptions, 'onNote' | 'onLeft'>,
): void {
  const ended = new Map(plan.steps.flatMap((step) => (step.kind === 'base' ? [[step.number, step] as const] : [])));
  for (const [number, { to }] of ended) {
    const from = plan.pulls.get(number)?.base.branch;
    if (!changed.has(number) || from === to || left.has(number)) continue;
    const stays = plan.stays.some((each) => each.number === number);
    const why = stays
      ? `, since all of its commits are there: GitHub would count it as merged. Close it if it is not needed`
      : '';
    onNote?.(`Pull request #${number} is into ${to} now, instead of ${from}${why}.`);
  }
  const names = new Map(snapshot.worktrees.map((worktree) => [worktree.branch, worktree.name]));
  for (const ref of plan.held) {
    const name = names.get(ref) ?? ref;
    const pull = sight.found.get(ref);
    onNote?.(
      `${name} was not pushed: it has no commits of its own any more, and ${pull ? `its pull request #${pull.number}` : 'its pull request'} would count as merged; close that if it is not needed.`,
    );
  }
  for (const [number, problem] of left) {
    const pull = plan.pulls.get(number);
    const worktree = snapshot.worktrees.find(({ branch }) => branch === pull?.head.branch);
    if (worktree) onLeft?.(worktree, problem);
    else onNote?.(problem.message);
  }
  for (const { steps } of groups) {
    for (const { member, way } of steps) {
      const pull = sight.found.get(member.branch);
      const revived = plan.steps.some((step) => step.kind === 'reopen' && step.number === pull?.number);
      if (pull?.state !== 'closed' || revived || pull.number !== member.worktree.entry?.pr?.number) continue;
      const { name } = member.worktree;
      if (pull.baseGone)
        onNote?.(
          `Pull request #${pull.number} of ${name} was closed with its base and cannot be reopened any more: \`wt pr ${name}\` opens another one.`,
        );
      else if (way.kind !== 'unchanged')
        onNote?.(
          `Pull request #${pull.number} of ${name} is closed: reopen it at ${pull.url}, or open another one with \`wt pr ${name} --replace\`.`,
        );
    }
  }
}
