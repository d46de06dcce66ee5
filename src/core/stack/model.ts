import type { RegistryEntry } from '../repository/registry.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { recordedBase, renamedBranches } from '../snapshot/branchRelations.ts';
import { tipsOf, type Branches } from '../snapshot/trunk.ts';
import { byBranch, StackGraph, type BasedBranch } from './graph.ts';

/** Why the base of a branch cannot be followed: it exists nowhere, or the bases form a cycle. */
export type BrokenEdge = 'gone' | 'cycle';

/** A branch in a stack. */
export interface StackBranch extends BasedBranch {
  /** What people call it: the worktree's name, or the registry's when the worktree is gone. */
  readonly name: string;
  readonly tip: string;
  /** The worktrees that have it checked out: one, none when it was removed by hand, rarely several. */
  readonly worktrees: readonly Worktree[];
  /** The registry's entry and the name it has there. */
  readonly entry: RegistryEntry | undefined;
  readonly entryName: string | undefined;
  /** As recorded, or under its new name when it was renamed since; else the trunk. */
  readonly base: string | undefined;
  /** The base as the registry spells it; `undefined` when trunk is assumed. */
  readonly recordedBase: string | undefined;
  /** The commit after which its own commits begin, as recorded; it may be stale. */
  readonly baseCommit: string | undefined;
  readonly baseExists: boolean;
}

/** All stacks of a repository. */
export class Stack extends StackGraph<StackBranch> {
  /** The branch that stacks are based on at the bottom. */
  readonly trunk: string | undefined;

  constructor(trunk: string | undefined, branches: Iterable<StackBranch>) {
    super(branches);
    this.trunk = trunk;
  }

  /** Why the base of a branch cannot be followed; `undefined` when it can. */
  broken({ branch, base, baseExists }: StackBranch): BrokenEdge | undefined {
    if (this.isCyclic(branch)) return 'cycle';
    return base === undefined || baseExists ? undefined : 'gone';
  }
}

/**
 * Puts the stacks together from what was read of the repository: the branches with a linked worktree, and those with an entry whose
 * worktree is gone. The trunk is no branch of a stack.
 */
export function buildStack(
  snapshot: Snapshot,
  branches: Branches,
  entries: ReadonlyMap<string, RegistryEntry>,
  remote: string,
): Stack {
  const { trunk, worktrees } = snapshot;
  const renamed = renamedBranches(worktrees, branches);
  const holders = byBranch(worktrees.filter(({ bare }) => !bare));
  const entryOf = new Map([...entries].map(([name, entry]) => [entry.branch, { name, entry }]));
  const found = new Map<string, StackBranch>();
  for (const [branch, [{ name, entry }]] of holders) {
    // An entry counts for the branch that it was made for, also under a new name.
    const own = entry && !branches.local.has(entry.branch) ? { name, entry } : entryOf.get(branch);
    if (holders.get(branch)?.some(({ main }) => !main)) add(branch, name, own);
  }
  for (const [name, entry] of entries) if (!found.has(entry.branch)) add(entry.branch, name, { name, entry });
  return new Stack(trunk, found.values());

  function add(branch: string, name: string, own: { name: string; entry: RegistryEntry } | undefined): void {
    const tip = branches.local.get(branch)?.oid;
    if (tip === undefined || branch === trunk) return;
    const recorded = recordedBase(branch, own?.entry, { branches, renamed });
    const base = recorded ?? trunk;
    const tips = base === undefined ? undefined : tipsOf(branches, base, remote);
    found.set(branch, {
      ...{ branch, name, tip, base },
      worktrees: holders.get(branch) ?? [],
      entry: own?.entry,
      entryName: own?.name,
      recordedBase: recorded === undefined ? undefined : own?.entry.base,
      baseCommit: own?.entry.baseCommit,
      baseExists: tips?.local !== undefined || tips?.remote !== undefined,
    });
  }
}
