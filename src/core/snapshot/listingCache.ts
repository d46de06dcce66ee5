import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workspace } from '../worktree/workspace.ts';
import { readAdministration } from '../worktree/adminDir.ts';
import { lookAt, lookAtMain } from '../worktree/condition.ts';
import { readSparse } from '../worktree/sparse.ts';
import { readGitFiles, writtenSince, type GitFiles } from './gitFiles.ts';
import type { Listing } from '../worktree/worktreeList.ts';
import type { Records } from './registryState.ts';
import type { CachedListing } from './cachedListing.ts';
import type { SnapshotCache } from './snapshotCache.ts';
import type { Branches } from './trunk.ts';

/** What is read before everything else, so that a change meanwhile is not missed. */
export type ListingStart = Pick<CachedListing, 'configuration' | 'versions'> & {
  readonly gitFiles: GitFiles | undefined;
};

/** Reads the state of git's files before a snapshot is read from them. */
export async function readListingStart(workspace: Workspace, cache: SnapshotCache): Promise<ListingStart> {
  const versions = cache.versions();
  const configuration = JSON.stringify(workspace.configuration);
  return { configuration, versions, gitFiles: await readGitFiles(workspace) };
}

/** A cached list that still holds, with current fingerprints, and the git directories in which an index may have been written. */
export interface Holding {
  readonly listing: CachedListing;
  readonly written: ReadonlySet<string>;
}

/**
 * Whether git would list the same worktrees and branches again, and the disk would have them in the same condition.
 *
 * @param only of the git directories of linked worktrees just these are looked at.
 * @returns `undefined` when something is different, or may be.
 */
export async function stillHolds(
  workspace: Workspace,
  cached: CachedListing,
  cache: SnapshotCache,
  only?: ReadonlySet<string>,
): Promise<Holding | undefined> {
  if (JSON.stringify(workspace.configuration) !== cached.configuration) return undefined;
  const { commonDir } = workspace.repository;
  const versions = cache.versions();
  const places = cached.places.filter(({ path, main }) => main || !isUntouched(path, cached.versions, versions));
  const [gitFiles, ...looks] = await Promise.all([
    readGitFiles(workspace, cached.gitFiles, only),
    isAsListed(commonDir, cached.places[0], cached.branches),
    ...places.map((place) => isInSameCondition(workspace, place)),
  ]);
  if (!gitFiles || looks.includes(false)) return undefined;
  const written = writtenSince(cached.gitFiles, gitFiles);
  if (!written) return undefined;
  const isSparse = await readSparse(commonDir);
  const listed = await Promise.all(
    written.map(async (gitDir) => {
      const place = cached.places.find((each) => each.gitDir === gitDir);
      return (await isAsListed(gitDir, place, cached.branches)) && (await isSparse(gitDir)) === place?.sparse;
    }),
  );
  if (listed.includes(false)) return undefined;
  return { listing: { ...cached, gitFiles, versions }, written: new Set(written) };
}

function isUntouched(path: string, before: CachedListing['versions'], now: CachedListing['versions']): boolean {
  const version = now.get(path);
  return version !== undefined && version === before.get(path);
}

async function isInSameCondition({ repository }: Workspace, place: Listing): Promise<boolean> {
  const { commonDir, mainRoot } = repository;
  const now = await (place.main ? lookAtMain(mainRoot, commonDir) : lookAt(place.path, place.gitDir, commonDir));
  return now.condition === place.condition && now.gitDir === place.gitDir && now.trouble === place.trouble;
}

/** Whether a git directory still says what git listed of its working tree, given that the branches are the same. */
async function isAsListed(gitDir: string, place: Listing | undefined, { local }: Branches): Promise<boolean> {
  if (!place) return false;
  const [own, written, lock] = await Promise.all([
    readAdministration(gitDir),
    readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => ''),
    place.main ? undefined : readFile(join(gitDir, 'locked'), 'utf8').catch(() => undefined),
  ]);
  const [, named] = /^ref: refs\/heads\/(.*)\s*$/.exec(written) ?? [];
  const head = named === undefined ? written.trim() : local.get(named)?.oid;
  return (
    own.operation === place.operation &&
    own.modules === place.modules &&
    lock?.trim() === place.lockReason?.trim() &&
    (place.bare || (head === place.head && (named ?? own.heldBranch) === place.branch))
  );
}

/** Whether the product's own files have the same content. A file that cannot be read is reported again. */
export function isSameState(one: Records, other: Records): boolean {
  const text = ({ registry, active }: Records): string =>
    JSON.stringify([registry?.revision, [...(registry?.worktrees ?? [])], [...(registry?.ports ?? [])], active]);
  return one.problems.length + other.problems.length === 0 && text(one) === text(other);
}
