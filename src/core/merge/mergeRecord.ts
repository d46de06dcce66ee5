import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import { isObject, readJsonObject } from '../base/jsonText.ts';
import { Problem } from '../base/problem.ts';
import { savedFilesFolder } from './savedFiles.ts';
import type { IndexEntry } from '../git/indexEntries.ts';
import type { MergedSessionFile, MergedSubmodule } from './model.ts';

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

/** A file whose conflict the checks are to settle. */
export interface TrialFile {
  readonly path: string;
  /** Its entries in the index while it was in conflict. */
  readonly stages: readonly IndexEntry[];
  /** The object with the working file's bytes while it was in conflict. */
  readonly conflicted: string;
  /** The objects with the conflicting hunks taken from one side. */
  readonly sides: { readonly ours: string; readonly theirs: string };
}

/** The attempt to settle conflicts by the checks. */
export interface Trial {
  /** `trying`: the working tree holds one side; `settled`: the checks passed with `side`; `failed`: the conflict is as it was. */
  readonly state: 'trying' | 'settled' | 'failed';
  readonly files: readonly TrialFile[];
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
export interface MergeRecord {
  readonly version: 1;
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
  readonly trial?: Trial | undefined;
  /** The tree that was about to be committed; `undefined` before that. */
  readonly tree?: string;
  /** The merge commit. */
  readonly commit?: string;
}

/** Where the record of a merge into a working tree is kept: with git's own records of that working tree. */
export function mergeRecordFile(gitDir: string): string {
  return join(gitDir, 'wt-merge.json');
}

/**
 * The record of the merge into a working tree; `undefined` where there is none.
 *
 * @throws Problem `unreadable-file`.
 */
export async function readMergeRecord(gitDir: string): Promise<MergeRecord | undefined> {
  const file = mergeRecordFile(gitDir);
  const value = await readJsonObject(file, 'the record of a merge');
  if (value === undefined) return undefined;
  const texts = ['theirs', 'branch'].every((key) => typeof value[key] === 'string');
  const lists = ['notes', 'submodules', 'sessionFiles'].every((key) => Array.isArray(value[key]));
  if (value['version'] !== 1 || !texts || !lists || !isObject(value['moved'])) {
    throw new Problem('unreadable-file', `${file}, line 1: this is no record of a merge. It was left as it is.`, {
      file,
      line: 1,
      next: 'move the file away; `git merge --abort` takes back a merge that is under way',
    });
  }
  return value as unknown as MergeRecord;
}

/** The record of a running merge: what it says is on disk before the next step begins. */
export class RecordKeeper {
  readonly #gitDir: string;
  #record: MergeRecord;

  constructor(gitDir: string, record: MergeRecord) {
    this.#gitDir = gitDir;
    this.#record = record;
  }

  get now(): MergeRecord {
    return this.#record;
  }

  /** Changes what is recorded; on disk before this resolves. */
  async note(change: Partial<MergeRecord> = {}): Promise<void> {
    this.#record = { ...this.#record, ...change };
    await writeAtomically(mergeRecordFile(this.#gitDir), `${JSON.stringify(this.#record, null, 2)}\n`);
  }

  /** Notes what is known of one submodule. */
  noteMoved(path: string, moved: MovedSubmodule): Promise<void> {
    return this.note({ moved: { ...this.#record.moved, [path]: moved } });
  }

  /** Nothing is under way any more: everything was done, or everything was rolled back. */
  async close(): Promise<void> {
    await rm(mergeRecordFile(this.#gitDir), { force: true });
    // What was saved is of no use now, and where it cannot be deleted it is in nobody's way.
    await rm(savedFilesFolder(this.#gitDir), { recursive: true, force: true }).catch(() => undefined);
  }
}
