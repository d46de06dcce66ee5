import type { RegistryEntry } from '../repository/registry.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { renamedBranches } from '../snapshot/branchRelations.ts';
import { tipsOf, type Branches } from '../snapshot/trunk.ts';

/** Why what a branch stands on cannot be followed: its base exists nowhere, or is, over others, the branch itself. */
export type BrokenEdge = 'gone' | 'cycle';

/** A branch in a stack. */
export interface StackBranch {
  /** The short name. */
  readonly branch: string;
  /** What people call it: the worktree's name, or the registry's when the worktree is gone. */
  readonly name: string;
  readonly tip: string;
  /** The working trees that have it checked out: one, none when it was removed by hand, rarely several. */
  readonly worktrees: readonly Worktree[];
  /** The registry's entry and the name it has there. */
  readonly entry: RegistryEntry | undefined;
  readonly entryName: string | undefined;
  /** The branch that it stands on: as recorded, or under its new name when it was renamed since; else the trunk. */
  readonly base: string | undefined;
  /** The base as the registry spells it; `undefined` when trunk is assumed. */
  readonly recordedBase: string | undefined;
  /** The commit after which its own commits begin, as recorded; it may be stale. */
  readonly baseCommit: string | undefined;
  /** The stacked branch that it stands on; `undefined` on the trunk, on a branch that is in no stack, and on a broken edge. */
  readonly parent: string | undefined;
  readonly broken: BrokenEdge | undefined;
}

/** All stacks of a repository: the tree of branches that the base edges make. */
export interface Stack {
  readonly trunk: string | undefined;
  /** Each branch after the one that it stands on. */
  readonly branches: ReadonlyMap<string, StackBranch>;
  readonly children: ReadonlyMap<string, readonly string[]>;
}

/** Puts the stacks together from what was read of the repository. Linear in the number of branches. */
export function buildStack(
  snapshot: Snapshot,
  branches: Branches,
  entries: ReadonlyMap<string, RegistryEntry>,
  remote: string,
): Stack {
  const { trunk } = snapshot;
  const members = membersOf(snapshot, branches, entries);
  const renamed = renamedBranches(snapshot.worktrees, branches);
  const found = new Map<string, StackBranch>();
  for (const [branch, member] of members) {
    const recorded =
      member.entry && member.entry.base !== branch && member.entry.base !== '' ? member.entry.base : undefined;
    const base = recorded === undefined ? trunk : followed(recorded, branches, renamed);
    const tips = base === undefined ? undefined : tipsOf(branches, base, remote);
    const exists = tips?.local !== undefined || tips?.remote !== undefined;
    found.set(branch, {
      ...member,
      branch,
      base,
      recordedBase: recorded,
      baseCommit: member.entry?.baseCommit,
      parent: base !== undefined && base !== trunk && members.has(base) ? base : undefined,
      broken: base === undefined || exists ? undefined : 'gone',
    });
  }
  return inOrder(trunk, found);
}

/** A branch and everything that stands on it, directly or not; each after the one it stands on. */
export function withDescendants(stack: Stack, branch: string): string[] {
  const all = [branch];
  for (let at = 0; at < all.length; at++) all.push(...(stack.children.get(all[at] ?? '') ?? []));
  return all;
}

/** The branches that one stands on, from the one next to the trunk up to itself. */
export function chainOf(stack: Stack, branch: string): string[] {
  const chain: string[] = [];
  for (let at: string | undefined = branch; at !== undefined; at = stack.branches.get(at)?.parent) chain.unshift(at);
  return chain;
}

type Member = Pick<StackBranch, 'name' | 'tip' | 'worktrees' | 'entry' | 'entryName'>;

/** Every branch that has a linked worktree or an entry, but the trunk. */
function membersOf(
  { worktrees, trunk }: Snapshot,
  { local }: Branches,
  entries: ReadonlyMap<string, RegistryEntry>,
): Map<string, Member> {
  const members = new Map<string, Member>();
  const byBranch = new Map([...entries].map(([name, entry]) => [entry.branch, { name, entry }]));
  const holders = new Map<string, Worktree[]>();
  for (const each of worktrees) {
    if (each.branch !== undefined && !each.bare) holders.set(each.branch, [...(holders.get(each.branch) ?? []), each]);
  }
  for (const { branch, main, name, entry } of worktrees) {
    const tip = branch === undefined ? undefined : local.get(branch)?.oid;
    if (main || branch === undefined || branch === trunk || tip === undefined) continue;
    // An entry holds for the branch that it was made for, also under a new name.
    const own = entry && (entry.branch === branch || !local.has(entry.branch)) ? { name, entry } : byBranch.get(branch);
    const before = members.get(branch);
    if (before?.entry && own?.entry !== entry) continue;
    members.set(branch, { name, tip, worktrees: holders.get(branch) ?? [], entry: own?.entry, entryName: own?.name });
  }
  for (const [name, entry] of entries) {
    const tip = local.get(entry.branch)?.oid;
    if (tip === undefined || entry.branch === trunk || members.has(entry.branch)) continue;
    members.set(entry.branch, { name, tip, worktrees: holders.get(entry.branch) ?? [], entry, entryName: name });
  }
  return members;
}

function followed(base: string, { local }: Branches, renamed: ReadonlyMap<string, string>): string {
  return local.has(base) ? base : (renamed.get(base) ?? base);
}

/** Parents before children; a ring is cut open at each of its edges. */
function inOrder(trunk: string | undefined, found: ReadonlyMap<string, StackBranch>): Stack {
  const children = new Map<string, string[]>();
  for (const { branch, parent } of found.values()) {
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), branch]);
  }
  const ordered = [...found.values()].filter(({ parent }) => parent === undefined).map(({ branch }) => branch);
  for (let at = 0; at < ordered.length; at++) ordered.push(...(children.get(ordered[at] ?? '') ?? []));
  const reached = new Set(ordered);
  const branches = new Map<string, StackBranch>();
  const add = (branch: string): void => {
    const each = found.get(branch);
    if (each) branches.set(branch, reached.has(branch) ? each : { ...each, parent: undefined, broken: 'cycle' });
  };
  for (const branch of [...ordered, ...[...found.keys()].filter((branch) => !reached.has(branch))]) add(branch);
  const kept = new Map<string, string[]>();
  for (const { branch, parent } of branches.values()) {
    if (parent !== undefined) kept.set(parent, [...(kept.get(parent) ?? []), branch]);
  }
  return { trunk, branches, children: kept };
}
