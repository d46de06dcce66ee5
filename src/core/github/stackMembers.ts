import type { Snapshot, Worktree } from '../worktree/model.ts';

/** A worktree with a branch of its own that stands on another one. */
export interface Member {
  readonly worktree: Worktree;
  readonly branch: string;
  /** The branch that it stands on; the trunk where nothing else is recorded. */
  readonly base: string;
}

/** The worktrees that can be in a stack, by branch: those with a branch that stands on something. */
export function membersOf({ worktrees }: Snapshot): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const worktree of worktrees) {
    const { branch, base, bare } = worktree;
    if (bare || branch === undefined || base === undefined) continue;
    const before = members.get(branch);
    // Of two worktrees with one branch the one that was made for it counts.
    if (before && before.worktree.entry?.branch === branch) continue;
    members.set(branch, { worktree, branch, base: base.branch });
  }
  return members;
}

/**
 * The stack that a worktree is in: the branches below it down to the trunk, itself, and everything that stands on it; each after the
 * one that it stands on. A ring, which only a broken registry can hold, is cut open.
 */
export function stackAround(snapshot: Snapshot, worktree: Worktree): Member[] {
  const members = membersOf(snapshot);
  const own = worktree.branch === undefined ? undefined : members.get(worktree.branch);
  if (!own) return [];
  const chain: Member[] = [];
  for (let at: Member | undefined = own; at && !chain.includes(at); at = members.get(at.base)) chain.unshift(at);
  const children = new Map<string, Member[]>();
  for (const member of members.values()) children.set(member.base, [...(children.get(member.base) ?? []), member]);
  const all = [...chain];
  for (let at = chain.length - 1; at < all.length; at++) {
    for (const child of children.get(all[at]?.branch ?? '') ?? []) if (!all.includes(child)) all.push(child);
  }
  return all;
}
