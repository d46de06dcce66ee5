import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { writeAtomically } from '../base/atomicFile.ts';
import { withFileLock } from '../base/fileLock.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { samePlace } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { pendingFile, readPendingFile, takeOver, type Reservation } from '../operations/store.ts';
import type { Repository } from '../repository/identity.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { savedFilesFolder } from './savedFiles.ts';
import type { IndexEntry } from '../git/indexEntries.ts';
import type { MergedSessionFile, MergedSubmodule } from './model.ts';
import { mergeMessages } from '../messages/merge.ts';

/** A submodule that the merge moves, written down before it does. */
export interface MovedSubmodule {
  /** What was checked out before. */
  readonly before: string;
  /** What is merged into it. */
  readonly theirs: string;
  /** What is checked out since; `undefined` while that is not certain. */
  readonly after?: string;
  /** Its index was seen to hold the merge of `theirs`: what is staged there is the person's from then on. */
  readonly seen?: boolean;
}

/** A file whose conflict is to be resolved by the checks. */
export interface FileInConflict {
  readonly path: string;
  /** Its entries in the index while it was in conflict. */
  readonly stages: readonly IndexEntry[];
  /** The object with the working file's bytes while it was in conflict. */
  readonly conflicted: string;
  /** The objects with the conflicting hunks taken from one side. */
  readonly sides: { readonly ours: string; readonly theirs: string };
}

/** The attempt to resolve conflicts by the checks. */
export interface ChecksAttempt {
  /** `trying`: the working tree holds one side; `settled`: the checks passed with `side`; `failed`: the conflict is as it was. */
  readonly state: 'trying' | 'settled' | 'failed';
  readonly files: readonly FileInConflict[];
  /** The side whose hunks were taken. */
  readonly side?: 'ours' | 'theirs';
  /** The tree that the checks have passed with. */
  readonly tree?: string;
  /** The ref that keeps what was dropped. */
  readonly ref?: string;
  /** What was dropped, a line for each hunk. */
  readonly dropped?: readonly string[];
}

/** What git cannot tell about a merge that is under way, or whose checks have not passed yet. */
export interface MergeData {
  /** Also written in the target's git directory: a later worktree with a git directory of the same name does not have it. */
  readonly id: string;
  /** The git directory of the target. */
  readonly gitDir: string;
  readonly name: string;
  readonly slug: string;
  /** The branch that is merged. */
  readonly branch: string;
  /** The commit that is merged. */
  readonly theirs: string;
  /** The commit that it is merged into. */
  readonly ours: string;
  /** The message of the merge commit. */
  readonly message: string;
  /** Files that git did not know before the merge. */
  readonly untracked: readonly string[];
  /** Session files with uncommitted notes, which the merge has no need to touch. */
  readonly notes: readonly string[];
  /** By their paths from the root. */
  readonly moved: Readonly<Record<string, MovedSubmodule>>;
  readonly submodules: readonly MergedSubmodule[];
  readonly sessionFiles: readonly MergedSessionFile[];
  /** The submodules and the session files are staged as they are to be; from then on the index is the person's. */
  readonly staged: boolean;
  readonly attempt?: ChecksAttempt | undefined;
  /** The tree that was about to be committed; `undefined` before that. */
  readonly tree?: string;
  /** The merge commit. */
  readonly commit?: string;
  /** The person has asked to roll it back. */
  readonly aborting?: boolean;
}

/** A merge into a working tree that is under way, or waits for a person. */
export interface PendingMerge {
  readonly data: MergeData;
  /** A person was asked to do something. */
  readonly waits: boolean;
}

/** The kind of a merge in the store of operations. */
export const mergeKindName = 'merge';

/** The key of the merges into a working tree: several working trees can each have one under way. No slug begins like that. */
async function mergeKey({ commonDir }: Repository, gitDir: string): Promise<string> {
  if (await samePlace(gitDir, commonDir)) return '_merge';
  const id = basename(gitDir);
  // A name may take 255 bytes, and the store adds to it.
  return `_merge-${Buffer.byteLength(id) > 100 ? createHash('sha256').update(id).digest('hex') : id}`;
}

const idFile = (gitDir: string): string => join(gitDir, 'wt-merge');
/** Where earlier versions kept it. */
const earlierFile = (gitDir: string): string => join(gitDir, 'wt-merge.json');

/** Whether a git directory is still the one into which the merge was begun, and the merge is not over. */
export async function isInto({ id, gitDir }: MergeData): Promise<boolean> {
  return (await readFile(idFile(gitDir), 'utf8').catch(() => undefined)) === id;
}

/**
 * The merge into a working tree that is under way, or waits for a person; `undefined` where there is none.
 *
 * @param gitDir the git directory of the working tree.
 * @throws Problem `unreadable-file` for what an earlier version left.
 */
export async function readMerge(repository: Repository, gitDir: string): Promise<PendingMerge | undefined> {
  const pending = await readPendingFile(repository, pendingFile(repository, await mergeKey(repository, gitDir)));
  if (pending !== undefined && pending !== 'empty' && pending.kind === mergeKindName) {
    const data = { ...(pending.data as MergeData), gitDir };
    if (await isInto(data)) return { data, waits: pending.waits === true };
  }
  return readEarlierMerge(gitDir);
}

/** What an earlier version wrote down: it did not tell whether it was interrupted or waits, so it waits. */
async function readEarlierMerge(gitDir: string): Promise<PendingMerge | undefined> {
  const file = earlierFile(gitDir);
  const value = await readJsonObject(file);
  if (value === undefined) return undefined;
  const texts = ['theirs', 'branch'].every((key) => typeof value[key] === 'string');
  const lists = ['notes', 'submodules', 'sessionFiles'].every((key) => Array.isArray(value[key]));
  if (value['version'] !== 1 || !texts || !lists || !isObject(value['moved'])) {
    throw new Problem('unreadable-file', mergeMessages.line1No({ file }), {
      file,
      line: 1,
      next: mergeMessages.moveFileAway(),
    });
  }
  const { trial, ...rest } = value as unknown as MergeData & { readonly trial?: ChecksAttempt };
  return { data: { ...rest, id: 'earlier-version', gitDir, attempt: trial }, waits: true };
}

/** Runs a task while no other process works on the merges into a working tree. */
export async function withMergeLock<T>(
  { environment, repository }: Workspace,
  gitDir: string,
  signal: AbortSignal | undefined,
  task: () => Promise<T>,
): Promise<T> {
  return withFileLock(environment, pendingFile(repository, await mergeKey(repository, gitDir)), task, signal);
}

/**
 * Makes a merge this process's, one that begins or one that goes on. What an earlier version left is carried over. Needs {@link withMergeLock}.
 *
 * @param waits a person was asked to do something before.
 */
export async function takeOverMerge(
  workspace: Workspace,
  data: MergeData,
  waits: boolean,
): Promise<Reservation<MergeData>> {
  const key = await mergeKey(workspace.repository, data.gitDir);
  const pending = await takeOver(workspace, mergeKindName, key, data, waits);
  try {
    if (!(await isInto(data))) await writeAtomically(idFile(data.gitDir), data.id);
    await rm(earlierFile(data.gitDir), { force: true });
    return pending;
  } catch (thrown) {
    await pending.close();
    throw thrown;
  }
}

/** The merge is over: everything was done, or everything was rolled back. Its pending operation goes after that. */
export async function forgetMerge(gitDir: string): Promise<void> {
  await rm(idFile(gitDir), { force: true });
  // What was saved is of no use now, and where it cannot be deleted it is in nobody's way.
  await rm(savedFilesFolder(gitDir), { recursive: true, force: true }).catch(() => undefined);
}
