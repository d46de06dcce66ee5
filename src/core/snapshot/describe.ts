import { readSummaries } from '../git/commits.ts';
import type { Branch } from '../git/refs.ts';
import { slugOf } from '../repository/slug.ts';
import { Distances, type DistanceCache } from './distances.ts';
import { edgeOf, pairsOf, renamedBranches, toBase, toUpstream } from './branchRelations.ts';
import type { Listing } from '../worktree/worktreeList.ts';
import { matchRecords } from '../worktree/matching.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { nameWorktrees, type Naming } from '../worktree/naming.ts';
import type { Records } from './registryState.ts';
import { findTrunk, type Branches } from './trunk.ts';
import { recordedPorts } from '../worktree/ports.ts';
import { urlsOf } from '../worktree/urls.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** What was read of a repository, each part by itself. */
export interface Parts extends Records {
  readonly places: readonly Listing[];
  readonly branches: Branches;
}

/** Puts the parts together to a snapshot without changes, and reads how far the branches are apart. */
export async function describe(
  workspace: Workspace,
  { places, branches, registry, active, problems }: Parts,
  options: {
    readonly distances: DistanceCache | undefined;
    readonly signal: AbortSignal;
    /** Read of each head what its branch does not tell of its commit. Default true. */
    readonly withCommits?: boolean;
  },
): Promise<Snapshot> {
  const { environment, git, repository, configuration } = workspace;
  const { signal, withCommits = true } = options;
  const [matches, trunk] = await Promise.all([
    matchRecords(repository.mainRoot, places, registry, active),
    findTrunk(workspace, branches, places[0]?.branch, signal),
  ]);
  const recorded = new Map([...(registry?.worktrees.values() ?? [])].map((entry) => [entry.branch, entry]));
  const renamed = renamedBranches(
    places.map(({ branch }, index) => ({ branch, entry: matches.entries.get(index)?.entry })),
    branches,
  );
  const sources = { branches, recorded, renamed, trunk, remote: configuration.stack.remote };
  const edges = places.map((place, index) => edgeOf(place, matches.entries.get(index)?.entry, sources));
  const [distances, summaries] = await Promise.all([
    Distances.read(git, repository.commonDir, edges.flatMap(pairsOf), { cache: options.distances, signal }),
    readSummaries(git, repository.commonDir, withCommits ? headsToAskFor(places, branches) : new Set(), signal),
  ]);

  const linked = nameWorktrees(
    places.slice(1).map(({ path, branch }, index) => ({
      path,
      branch,
      registered: matches.entries.get(index + 1)?.name,
    })),
    environment.platform,
  );
  const namings = [...places.slice(0, 1).map((main) => nameOfMain(main, repository.name)), ...linked];
  const holders = new Map<string, string[]>();
  for (const [index, { branch }] of places.entries()) {
    if (branch !== undefined) holders.set(branch, [...(holders.get(branch) ?? []), namings[index]?.name ?? '']);
  }

  const worktrees = places.flatMap((place, index): Worktree[] => {
    const edge = edges[index];
    const naming = namings[index];
    if (!edge || !naming) return [];
    const { branch, head } = place;
    const tip = tipOf(place, branches);
    const ofBranch = tip && tip.committed > 0 ? { time: tip.committed, subject: tip.subject } : undefined;
    const ports = recordedPorts(configuration, place.id === undefined ? undefined : registry?.ports.get(place.id));
    const lastCommit = ofBranch ?? (head === undefined ? undefined : summaries.get(head));
    return [
      {
        ...place,
        ...naming,
        base: toBase(edge, distances),
        upstream: toUpstream(edge, distances),
        changes: undefined,
        active: matches.active === index,
        sharesBranchWith:
          branch === undefined ? [] : (holders.get(branch) ?? []).filter((name) => name !== naming.name),
        lastCommit,
        entry: matches.entries.get(index)?.entry,
        ports,
        urls: urlsOf(configuration, { ...place, ...naming, ports }),
      },
    ];
  });
  return { repository, trunk, worktrees, active, problems };
}

/** Commits that are checked out and that the list of branches does not tell about, or not in UTF-8. */
function headsToAskFor(places: readonly Listing[], branches: Branches): Set<string> {
  return new Set(places.flatMap((place) => (place.head === undefined || tipOf(place, branches) ? [] : [place.head])));
}

/** What the list of branches says of a head. Git gives the subjects in it as they were written, which need not be in UTF-8. */
function tipOf({ branch, head }: Listing, { local }: Branches): Branch | undefined {
  const tip = branch === undefined ? undefined : local.get(branch);
  return tip?.oid === head && !tip?.subject.includes('\uFFFD') ? tip : undefined;
}

function nameOfMain({ bare, branch }: Listing, repository: string): Naming {
  const name = bare ? repository : (branch ?? 'HEAD');
  return { name, slug: slugOf(name) };
}
