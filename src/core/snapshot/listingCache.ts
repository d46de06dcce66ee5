import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { readAdministration } from '../worktree/adminDir.ts';
import { lookAt, lookAtMain } from '../worktree/condition.ts';
import { readGitFiles, writtenSince, type GitFiles } from './gitFiles.ts';
import type { Listing } from '../worktree/worktreeList.ts';
import type { Records } from './registryState.ts';
import type { Mark, SnapshotCache } from './snapshotCache.ts';
import type { Branches } from './trunk.ts';

/** What an earlier snapshot was put together from. */
export interface Kept {
  /** The configuration that it was read with. */
  readonly configuration: string;
  readonly gitFiles: GitFiles;
  /** How often the watchers had spoken of each tree when it was looked at. */
  readonly marks: ReadonlyMap<string, Mark>;
  /** The paths of trees whose status was asked for before {@link gitFiles} were looked at: an index may have been written in between. */
  readonly unsure: ReadonlySet<string>;
  readonly places: readonly Listing[];
  readonly branches: Branches;
  readonly records: Records;
  /** Put together, without the changes. */
  readonly listed: Snapshot;
}

/** What has to be known before the rest is read, so that a change meanwhile is not missed. */
export type Start = Pick<Kept, 'configuration' | 'marks'> & { readonly gitFiles: GitFiles | undefined };

/** Looks at git's files before a snapshot is read from them. */
export async function startKeeping(workspace: Workspace, cache: SnapshotCache): Promise<Start> {
  const marks = cache.marks();
  const configuration = JSON.stringify(workspace.configuration);
  return { configuration, marks, gitFiles: await readGitFiles(workspace) };
}

/** What still holds, with the stamps that it has now, and the git directories in which an index may have been written. */
export interface Holding {
  readonly kept: Kept;
  readonly written: ReadonlySet<string>;
}

/**
 * Whether git would list the same worktrees and branches again, and the disk would have them in the same condition.
 *
 * @returns `undefined` when something is different, or may be.
 */
export async function stillHolds(workspace: Workspace, kept: Kept, cache: SnapshotCache): Promise<Holding | undefined> {
  if (JSON.stringify(workspace.configuration) !== kept.configuration) return undefined;
  const { commonDir } = workspace.repository;
  const marks = cache.marks();
  const places = kept.places.filter(({ path, main }) => main || !isUntouched(path, kept.marks, marks));
  const [gitFiles, ...looks] = await Promise.all([
    readGitFiles(workspace, kept.gitFiles),
    isAsListed(commonDir, kept.places[0], kept.branches),
    ...places.map((place) => isInSameCondition(workspace, place)),
  ]);
  if (!gitFiles || looks.includes(false)) return undefined;
  const written = writtenSince(kept.gitFiles, gitFiles);
  if (!written) return undefined;
  const listed = await Promise.all(
    written.map((gitDir) =>
      isAsListed(
        gitDir,
        kept.places.find((place) => place.gitDir === gitDir),
        kept.branches,
      ),
    ),
  );
  if (listed.includes(false)) return undefined;
  return { kept: { ...kept, gitFiles, marks }, written: new Set(written) };
}

function isUntouched(path: string, before: Kept['marks'], now: Kept['marks']): boolean {
  const mark = now.get(path);
  return mark !== undefined && mark === before.get(path);
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

/** Whether the product's own files say the same as before. One that cannot be read is to be told again. */
export function saySame(one: Records, other: Records): boolean {
  const text = ({ registry, active }: Records): string =>
    JSON.stringify([registry?.revision, [...(registry?.worktrees ?? [])], active]);
  return one.problems.length + other.problems.length === 0 && text(one) === text(other);
}
