import type { RegistryEntry } from '../repository/registry.ts';
import type { Distances } from './distances.ts';
import type { Pair } from './commitGraph.ts';
import type { Listing } from '../worktree/worktreeList.ts';
import type { Base, Worktree } from '../worktree/model.ts';
import { tipsOf, type Branches } from './trunk.ts';

/** What a worktree's branch is compared with. */
export interface Edge {
  /** The branch's last commit, also while a rebase of it is under way. */
  readonly tip: string | undefined;
  readonly base:
    | {
        readonly branch: string;
        readonly recorded: boolean;
        /** The commits that the base may stand for: one, or for trunk the one here and the one of the remote. */
        readonly tips: readonly string[];
      }
    | undefined;
  readonly upstream: { readonly name: string; readonly oid: string | undefined } | undefined;
}

/** What the edges of a repository are found from. */
export interface EdgeSources {
  readonly branches: Branches;
  /** The registry's entries by branch. */
  readonly recorded: ReadonlyMap<string, RegistryEntry>;
  /** As {@link renamedBranches} gives them. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly trunk: string | undefined;
  /** The name of the remote that trunk comes from. */
  readonly remote: string;
}

/** Branches that git does not know any more, and what the worktrees that they were recorded for have checked out now. */
export function renamedBranches(
  worktrees: Iterable<Pick<Worktree, 'branch' | 'entry'>>,
  { local }: Pick<Branches, 'local'>,
): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const { branch, entry } of worktrees) {
    if (entry && branch !== undefined && entry.branch !== branch && !local.has(entry.branch))
      renamed.set(entry.branch, branch);
  }
  return renamed;
}

/** The base that the registry has for a branch, under its new name when it was renamed since; `undefined` when it has none. */
export function recordedBase(
  branch: string,
  entry: RegistryEntry | undefined,
  { branches: { local }, renamed }: Pick<EdgeSources, 'branches' | 'renamed'>,
): string | undefined {
  if (!entry || entry.base === '' || entry.base === branch) return undefined;
  const base = local.has(entry.base) ? entry.base : (renamed.get(entry.base) ?? entry.base);
  return base === branch ? undefined : base;
}

/** Finds the base of a worktree's branch and what it is pushed to. */
export function edgeOf(place: Listing, entry: RegistryEntry | undefined, sources: EdgeSources): Edge {
  const { branches, trunk } = sources;
  const branch = place.branch === undefined ? undefined : branches.local.get(place.branch);
  const named = baseName(place, entry, sources);
  return {
    tip: branch?.oid ?? place.head,
    base: named && { ...named, tips: tipsFor(named.branch, named.branch === trunk, sources) },
    upstream: branch?.upstream === undefined ? undefined : toRef(branch.upstream, branches),
  };
}

/** The pairs of commits whose distances {@link toBase} and {@link toUpstream} need. */
export function pairsOf({ tip, base, upstream }: Edge): Pair[] {
  if (tip === undefined) return [];
  const [here, there] = base?.tips ?? [];
  const others = [here, there, upstream?.oid].filter((other) => other !== undefined);
  const pairs = others.map((other) => ({ one: tip, other }));
  return here !== undefined && there !== undefined ? [...pairs, { one: here, other: there }] : pairs;
}

/** The base as people see it. */
export function toBase({ tip, base }: Edge, distances: Distances): Base | undefined {
  if (!base) return undefined;
  const [here, there] = base.tips;
  // A trunk that was only fetched yet is what branches will be rebased onto; one with commits of its own is the local one.
  const fetched = here !== undefined && there !== undefined && distances.of({ one: here, other: there })?.ahead === 0;
  const other = fetched ? there : here;
  return {
    branch: base.branch,
    recorded: base.recorded,
    exists: other !== undefined,
    distance: tip === undefined || other === undefined ? undefined : distances.of({ one: tip, other }),
  };
}

/** The upstream as people see it. */
export function toUpstream({ tip, upstream }: Edge, distances: Distances): Worktree['upstream'] {
  if (!upstream) return undefined;
  const { name, oid } = upstream;
  return {
    name,
    gone: oid === undefined,
    distance: tip === undefined || oid === undefined ? undefined : distances.of({ one: tip, other: oid }),
  };
}

/**
 * The recorded base holds for the branch that it was recorded for, also under a new name; a worktree in which another branch
 * was checked out meanwhile has the base of that one.
 */
function baseName(
  { main, branch }: Listing,
  entry: RegistryEntry | undefined,
  { branches, recorded, renamed, trunk }: EdgeSources,
): { branch: string; recorded: boolean } | undefined {
  if (main || branch === undefined || branch === trunk) return undefined;
  const own = entry && (entry.branch === branch || !branches.local.has(entry.branch)) ? entry : recorded.get(branch);
  const base = recordedBase(branch, own, { branches, renamed });
  if (base !== undefined) return { branch: base, recorded: true };
  return trunk === undefined ? undefined : { branch: trunk, recorded: false };
}

function tipsFor(branch: string, trunk: boolean, { branches, remote }: EdgeSources): string[] {
  const tips = tipsOf(branches, branch, remote);
  const all = [tips.local, tips.remote].filter((oid) => oid !== undefined);
  return trunk ? all : all.slice(0, 1);
}

function toRef(fullName: string, { local, remote }: Branches): Edge['upstream'] {
  if (fullName.startsWith('refs/heads/')) {
    const name = fullName.slice('refs/heads/'.length);
    return { name, oid: local.get(name)?.oid };
  }
  const oid = remote.oids.get(fullName) ?? remote.oids.get(remote.defaults.get(fullName) ?? '');
  return { name: fullName.replace(/^refs\/(remotes\/)?/, ''), oid };
}
