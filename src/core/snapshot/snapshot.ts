import { stopIfCancelled } from '../base/problem.ts';
import { readChanges, type ChangesAnswer, type OnStatus, type WorkingTree } from './changes.ts';
import { describe } from './describe.ts';
import type { DistanceCache } from './distances.ts';
import { readListing, type Listing } from '../worktree/worktreeList.ts';
import type { Registry } from '../repository/registry.ts';
import type { CachedListing } from './cachedListing.ts';
import { isSameState, readListingStart, stillHolds } from './listingCache.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { readRecords } from './registryState.ts';
import type { SnapshotCache } from './snapshotCache.ts';
import { readAllBranches, readBranchesAndCommits, type Branches } from './trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';

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
  /** Read when the last commit of each worktree was made, and its subject. Default true; without a cache only. */
  readonly withCommits?: boolean;
  /** CachedListing by somebody who watches the files; see {@link SnapshotCache}. */
  readonly cache?: SnapshotCache | undefined;
  /** Read the list of worktrees and branches again, whatever the cache knows of it. Default false. */
  readonly afresh?: boolean;
  /**
   * Where there are many worktrees and a cached list, look only at those in which something was reported to have changed; what git did elsewhere
   * and nobody has reported is seen by the next reading without this. Default false.
   */
  readonly near?: boolean;
  /**
   * Called once with everything but the changes, as soon as that is known. Where there are many worktrees, their changes are read once it
   * is over: else a thousand processes would keep a list from the screen that is there already.
   */
  readonly onListed?: (snapshot: Snapshot) => void | Promise<void>;
  /** Called once, before {@link onListed}. */
  readonly onSources?: (sources: SnapshotSources) => void;
  /** Awaited before each git process that reads statuses, where they are of many trees: there may be something that is more urgent. */
  readonly beforeStatuses?: () => Promise<void>;
  /** Called for each working tree whose status was not in the cache. */
  readonly onStatus?: OnStatus;
  /** Without a cache: gets the distances that were read, for who asks for more of them. */
  readonly distances?: DistanceCache | undefined;
}

/**
 * Reads what there is to know of a repository's worktrees: git's list is the truth about what exists, the disk tells in what
 * condition it is, the registry and the state file add to it. A worktree that cannot be read has its `trouble`, a file that
 * cannot be read is among the `problems`; everything else is there all the same.
 *
 * @throws Problem when git cannot list the worktrees, or `cancelled`.
 */
export async function readSnapshot(workspace: Workspace, options: SnapshotOptions = {}): Promise<Snapshot> {
  const { cache, afresh = false } = options;
  const end = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, end.signal]) : end.signal;
  try {
    const cached = cache && !afresh ? cache.cachedListing : undefined;
    const reading: Reading = { ...options, signal };
    const snapshot =
      cache && cached ? await readOnto(workspace, cached, { ...reading, cache }) : await readWhole(workspace, reading);
    stopIfCancelled(options.signal);
    return snapshot;
  } finally {
    end.abort();
  }
}

/** With more working trees than this the list is shown before their changes are read, and a {@link SnapshotOptions.near} reading is one. */
export const manyTrees = 32;

/** What a reading goes by once it has begun. */
type Reading = SnapshotOptions & { readonly signal: AbortSignal };

/** Working trees whose status has been asked for, and the answers, both by path. */
interface Asked {
  readonly trees: ReadonlyMap<string, WorkingTree>;
  readonly answers: Promise<ReadonlyMap<string, ChangesAnswer>>;
}

async function readWhole(workspace: Workspace, options: Reading, asked?: Asked): Promise<Snapshot> {
  const { environment, git, repository } = workspace;
  const { withChanges = true, cache, signal, onListed, onSources, onStatus, beforeStatuses } = options;
  const withCommits = (options.withCommits ?? true) || cache !== undefined;
  const keep = cache?.listing();
  const start = cache && (await readListingStart(workspace, cache));
  const listing = readListing(workspace, signal);
  let listedIsShown = (): void => undefined;
  const shown = onListed && new Promise<void>((resolve) => (listedIsShown = resolve));
  const changes = withChanges
    ? listing.then(async (places) => {
        const trees = workingTrees(places);
        const open = trees.filter((tree) => !isSameTree(tree, asked?.trees.get(tree.path)));
        if (open.length > manyTrees) await shown;
        const answers = await readChanges(git, repository.commonDir, open, {
          ...{ environment, cache, signal, onStatus },
          beforeEach: open.length > manyTrees ? beforeStatuses : undefined,
        });
        const early = await asked?.answers;
        return new Map(
          trees.flatMap(({ path }) => {
            const answer = answers.get(path) ?? early?.get(path);
            return answer ? [[path, answer] as const] : [];
          }),
        );
      })
    : undefined;
  // It is awaited last; when something else fails before, its own failure is nobody's concern.
  changes?.catch(() => undefined);
  const [places, branches, records] = await Promise.all([
    listing,
    (withCommits ? readBranchesAndCommits : readAllBranches)(workspace, signal),
    readRecords(repository),
  ]);
  onSources?.({ branches, registry: records.registry });
  const distances = cache ?? options.distances;
  const listed = await describe(workspace, { places, branches, ...records }, { distances, signal, withCommits });
  void Promise.resolve(onListed?.(listed)).then(listedIsShown, listedIsShown);
  if (!changes) return listed;
  const snapshot = withAnswers(listed, await changes);
  // Not before, since from now on the look at git's files stands for the indexes that the statuses were read with.
  if (start?.gitFiles) {
    const unsure = new Set(asked?.trees.keys());
    keep?.({
      ...start,
      gitFiles: start.gitFiles,
      unsure,
      places,
      branches,
      records,
      listed,
      worktrees: snapshot.worktrees,
    });
  }
  return snapshot;
}

/**
 * Reads only what may have changed since a list was read: the trees that were touched at once, and while git works on them it is
 * proved from outside that the list still holds. Where it does not, everything is read, without asking for those trees again.
 */
async function readOnto(
  workspace: Workspace,
  cached: CachedListing,
  options: Reading & { readonly cache: SnapshotCache },
): Promise<Snapshot> {
  const { environment, git, repository } = workspace;
  const { withChanges = true, cache, signal, onListed, onSources, onStatus, beforeStatuses } = options;
  const ask = (trees: readonly WorkingTree[]): Promise<ReadonlyMap<string, ChangesAnswer>> =>
    readChanges(git, repository.commonDir, trees, {
      ...{ environment, cache, signal, onStatus },
      beforeEach: trees.length > manyTrees ? beforeStatuses : undefined,
    });
  const all = withChanges ? workingTrees(cached.places) : [];
  const touched = all.filter(({ path }) => !cache.latest(path));
  const asked: Asked = { trees: new Map(touched.map((tree) => [tree.path, tree])), answers: ask(touched) };
  // It is awaited last, here as in reading everything.
  asked.answers.catch(() => undefined);
  const keep = cache.listing();
  const near = options.near && all.length > manyTrees ? new Set(touched.map(({ gitDir }) => gitDir)) : undefined;
  const [holding, records] = await Promise.all([stillHolds(workspace, cached, cache, near), readRecords(repository)]);
  if (!holding) return readWhole(workspace, options, asked);
  const { branches, places } = cached;
  onSources?.({ branches, registry: records.registry });
  const listed = isSameState(records, cached.records)
    ? cached.listed
    : await describe(workspace, { places, branches, ...records }, { distances: cache, signal });
  void onListed?.(listed);
  if (!withChanges) return listed;
  const answers = new Map<string, ChangesAnswer>();
  const written: WorkingTree[] = [];
  for (const tree of all) {
    if (asked.trees.has(tree.path)) continue;
    const changes = cache.latest(tree.path);
    // The folder that holds the main working tree's index is written all the time.
    const same =
      tree.gitDir !== repository.commonDir && !holding.written.has(tree.gitDir) && !cached.unsure.has(tree.path);
    if (changes && same) answers.set(tree.path, { changes });
    else written.push(tree);
  }
  for (const given of [await ask(written), await asked.answers]) {
    for (const [path, answer] of given) answers.set(path, answer);
  }
  const snapshot = withAnswers(listed, answers, listed === cached.listed ? cached.worktrees : undefined);
  const { worktrees } = snapshot;
  keep({ ...holding.listing, unsure: new Set(asked.trees.keys()), records, listed, worktrees });
  return snapshot;
}

function isSameTree({ gitDir, head, branch }: WorkingTree, asked: WorkingTree | undefined): boolean {
  return asked !== undefined && gitDir === asked.gitDir && head === asked.head && branch === asked.branch;
}

/** The trees that there is something to look at in. */
function workingTrees(places: readonly Listing[]): WorkingTree[] {
  return places.filter(
    (place): place is Listing & { readonly gitDir: string } =>
      !place.bare && place.condition === 'fine' && place.gitDir !== undefined,
  );
}

/** @param before worktrees that were made from the same list: one whose changes are the same is taken over. */
function withAnswers(
  listed: Snapshot,
  answers: ReadonlyMap<string, ChangesAnswer>,
  before?: readonly Worktree[],
): Snapshot {
  const worktrees = listed.worktrees.map((worktree, index) => {
    // Another worktree may lie where this one should.
    const answer = worktree.condition === 'fine' ? answers.get(worktree.path) : undefined;
    if (!answer) return worktree;
    const same = before?.[index];
    return same && 'changes' in answer && same.changes === answer.changes ? same : { ...worktree, ...answer };
  });
  return { ...listed, worktrees };
}
