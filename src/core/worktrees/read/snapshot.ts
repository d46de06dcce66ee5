import { stopIfCancelled } from '../../base/problem.ts';
import { readChanges, type ChangesAnswer, type WorkingTree } from './changes.ts';
import { describe } from './describe.ts';
import { readListing, type Listing } from './listing.ts';
import type { Registry } from '../../repository/registry.ts';
import type { Snapshot } from '../model.ts';
import { readRecords } from './records.ts';
import type { SnapshotCache } from './snapshotCache.ts';
import { readAllBranches, type Branches } from './trunk.ts';
import type { Workspace } from '../workspace.ts';

/** What a snapshot was put together from, for those who would otherwise read it again. */
export interface SnapshotSources {
  readonly branches: Branches;
  /** `undefined` when it cannot be read; that is among the snapshot's problems. */
  readonly registry: Registry | undefined;
}

/** What a snapshot is to hold and how it is to be read. */
export interface SnapshotOptions {
  readonly signal?: AbortSignal | undefined;
  /** Read the uncommitted changes of each worktree, by far the most expensive part. Default true. */
  readonly withChanges?: boolean;
  /** Kept by somebody who watches the files; see {@link SnapshotCache}. */
  readonly cache?: SnapshotCache | undefined;
  /** Called once with everything but the changes, as soon as that is known. */
  readonly onListed?: (snapshot: Snapshot) => void;
  /** Called once, before {@link onListed}. */
  readonly onSources?: (sources: SnapshotSources) => void;
}

/**
 * Reads what there is to know of a repository's worktrees: git's list is the truth about what exists, the disk tells in what
 * condition it is, the registry and the state file add to it. A worktree that cannot be read has its `trouble`, a file that
 * cannot be read is among the `problems`; everything else is there all the same.
 *
 * @throws Problem when git cannot list the worktrees, or `cancelled`.
 */
export async function readSnapshot(workspace: Workspace, options: SnapshotOptions = {}): Promise<Snapshot> {
  const { git, repository } = workspace;
  const { commonDir } = repository;
  const { withChanges = true, cache, onListed, onSources } = options;
  const end = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, end.signal]) : end.signal;
  try {
    const listing = readListing(workspace, signal);
    const changes = withChanges
      ? listing.then((places) => readChanges(git, commonDir, workingTrees(places), { cache, signal }))
      : undefined;
    // It is awaited last; when something else fails before, its own failure is nobody's concern.
    changes?.catch(() => undefined);
    const [places, branches, records] = await Promise.all([
      listing,
      readAllBranches(workspace, signal),
      readRecords(repository),
    ]);
    onSources?.({ branches, registry: records.registry });
    const listed = await describe(workspace, { places, branches, ...records }, { cache, signal });
    onListed?.(listed);
    const snapshot = changes ? withAnswers(listed, await changes) : listed;
    stopIfCancelled(options.signal);
    return snapshot;
  } finally {
    end.abort();
  }
}

/** The trees that there is something to look at in. */
function workingTrees(places: readonly Listing[]): WorkingTree[] {
  return places.flatMap(({ gitDir, ...place }) =>
    place.bare || place.condition !== 'fine' || gitDir === undefined ? [] : [{ ...place, gitDir }],
  );
}

function withAnswers(listed: Snapshot, answers: ReadonlyMap<string, ChangesAnswer>): Snapshot {
  const worktrees = listed.worktrees.map((worktree) => {
    const answer = answers.get(worktree.path);
    return answer ? { ...worktree, ...answer } : worktree;
  });
  return { ...listed, worktrees };
}
