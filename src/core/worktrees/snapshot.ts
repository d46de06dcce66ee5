import { limitTo } from '../base/limit.ts';
import { stopIfCancelled } from '../base/problem.ts';
import { readChanges, sharedStamp, type ChangesAnswer } from './changes.ts';
import { describe } from './describe.ts';
import { readListing, type Listing } from './listing.ts';
import type { Snapshot } from './model.ts';
import { readRecords } from './records.ts';
import type { SnapshotCache } from './snapshotCache.ts';
import { readAllBranches } from './trunk.ts';
import type { Workspace } from './workspace.ts';

/** What a snapshot is to hold and how it is to be read. */
export interface SnapshotOptions {
  readonly signal?: AbortSignal | undefined;
  /** Read the uncommitted changes of each worktree, by far the most expensive part. Default true. */
  readonly withChanges?: boolean;
  /** Kept by somebody who watches the files; see {@link SnapshotCache}. */
  readonly cache?: SnapshotCache | undefined;
  /** Called once with everything but the changes, as soon as that is known. */
  readonly onListed?: (snapshot: Snapshot) => void;
}

/**
 * Status processes at a time. They keep processors busy and wait little; what is left of the git door's places is for the few
 * other commands, so that the list is there long before the changes.
 */
const statusesAtOnce = 4;

/**
 * Reads what there is to know of a repository's worktrees: git's list is the truth about what exists, the disk tells in what
 * condition it is, the registry and the state file add to it. A worktree that cannot be read has its `trouble`, a file that
 * cannot be read is among the `problems`; everything else is there all the same.
 *
 * @throws Problem when git cannot list the worktrees, or `cancelled`.
 */
export async function readSnapshot(workspace: Workspace, options: SnapshotOptions = {}): Promise<Snapshot> {
  const { git, repository } = workspace;
  const { withChanges = true, cache, onListed } = options;
  const end = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, end.signal]) : end.signal;
  try {
    const listing = readListing(workspace, signal);
    const changes = withChanges
      ? listing.then((places) => readAllChanges(workspace, places, cache, signal))
      : undefined;
    // It is awaited last; when something else fails before, its own failure is nobody's concern.
    changes?.catch(() => undefined);
    const [places, branches, records] = await Promise.all([
      listing,
      readAllBranches(git, repository.commonDir, signal),
      readRecords(repository),
    ]);
    const listed = await describe(workspace, { places, branches, ...records }, { cache, signal });
    onListed?.(listed);
    const snapshot = changes ? withAnswers(listed, await changes) : listed;
    stopIfCancelled(options.signal);
    return snapshot;
  } finally {
    end.abort();
  }
}

/** The answers by path; a place without a working tree to look at has none. */
async function readAllChanges(
  { git, repository }: Workspace,
  places: readonly Listing[],
  cache: SnapshotCache | undefined,
  signal: AbortSignal,
): Promise<Map<string, ChangesAnswer>> {
  const limit = limitTo(statusesAtOnce);
  const shared = cache ? await sharedStamp(repository.commonDir) : '';
  const answers = new Map<string, ChangesAnswer>();
  await Promise.all(
    places.map(async ({ path, gitDir, head, modules, bare, condition }) => {
      if (bare || condition !== 'fine' || gitDir === undefined) return;
      const tree = { path, gitDir, head, modules };
      answers.set(path, await limit(() => readChanges(git, tree, shared, { cache, signal })));
    }),
  );
  return answers;
}

function withAnswers(listed: Snapshot, answers: ReadonlyMap<string, ChangesAnswer>): Snapshot {
  const worktrees = listed.worktrees.map((worktree) => {
    const answer = answers.get(worktree.path);
    return answer ? { ...worktree, ...answer } : worktree;
  });
  return { ...listed, worktrees };
}
