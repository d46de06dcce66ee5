import { relative } from 'node:path';
import { quoted, shellWord } from '../base/quoted.ts';
import type { UnassignedTask } from '../tasks/unassign.ts';
import type { Backup } from '../operations/backups.ts';
import type { Finished } from './commit.ts';
import type { RemoveData } from './removeData.ts';
import type { IgnoredEntry } from './ignoredFiles.ts';
import { sessionOfLock } from './liveSessions.ts';
import { wherePlaceIs } from './outOfSight.ts';
import type { PutAside } from './stageDeletion.ts';
import type { Removal, Inspected } from './inspect.ts';
import { sizeWords } from '../trash/treeSize.ts';

/** What a removal did. */
export interface Removed {
  readonly name: string;
  readonly path: string;
  readonly branchDeleted: boolean;
  /** The branch that stays, and why. */
  readonly branchKept?: { readonly name: string; readonly why: string };
  readonly backups: readonly Backup[];
  /** The operation in the log that brings it back when it is undone; `undefined` when none was written. */
  readonly operation: string | undefined;
  /** What git ignored in it: what is kept for a while, and in which folder; and what is gone for good. */
  readonly ignored: {
    readonly kept: { readonly folder: string | undefined; readonly entries: readonly IgnoredEntry[] } | undefined;
    readonly gone: readonly IgnoredEntry[];
    readonly stuck: readonly IgnoredEntry[];
  };
  /** Worktrees that are based on another branch now. */
  readonly dependents: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  /** The state file named this worktree and was removed. */
  readonly clearedActive: boolean;
  /** The tasks that left the worktree tasks of the session file, and where they went. */
  readonly tasks: readonly UnassignedTask[];
  /** Sentences for the person: what was kept, what needs a look. */
  readonly notes: readonly string[];
}

/** Says what a removal did. */
export function describeRemoved(
  removal: Removal,
  seen: Inspected,
  was: { readonly aside: PutAside; readonly done: Finished },
): Removed {
  const { name, path } = removal.worktree;
  const { aside, done } = was;
  const { decided, backups, logged, ignored, folder } = aside;
  const stays = removal.branch && (removal.branch.fate === 'keep' ? removal.branch.why : done.branchKept);
  return {
    name,
    path,
    branchDeleted: done.branchDeleted,
    ...(removal.branch && stays !== undefined ? { branchKept: { name: removal.branch.name, why: stays } } : {}),
    operation: done.operation?.id,
    backups: [...backups.backups, ...(logged ? [logged] : []), ...branchBackup(decided, done.branchDeleted)],
    ignored: {
      kept: ignored.kept.length === 0 ? undefined : { folder: folder?.files, entries: ignored.kept },
      gone: ignored.gone.filter(({ size }) => size.closed === undefined),
      stuck: ignored.gone.filter(({ size }) => size.closed !== undefined),
    },
    dependents: done.dependents,
    clearedActive: done.clearedActive,
    tasks: done.tasks,
    notes: [
      ...noteOnPlace(removal, seen),
      ...noteOnLock(seen),
      ...aside.unread.map((each) => `${each} could not be read, and was not kept.`),
      ...noteOnClosed(seen, decided),
      ...done.notes,
    ],
  };
}

function branchBackup({ branch }: RemoveData, deleted: boolean): Backup[] {
  if (!deleted || branch?.backup === undefined) return [];
  return [
    {
      ref: branch.backup,
      what: `the branch ${branch.name}`,
      restore: `git branch ${quoted(branch.name)} ${branch.backup}`,
    },
  ];
}

function noteOnPlace({ worktree, recordOnly }: Removal, { place }: Inspected): string[] {
  if (!recordOnly) return [];
  return [`Only git's record of it was dropped (${wherePlaceIs(worktree, place)}); ${worktree.path} was left alone.`];
}

function noteOnLock({ record }: Inspected): string[] {
  const session = record.lockReason === undefined ? undefined : sessionOfLock(record.lockReason);
  return session && !session.alive ? [`Its lock was left behind by process ${session.pid}, which has ended.`] : [];
}

/** What belongs to another user cannot be deleted, and is not said to be gone. */
function noteOnClosed({ ignored }: Inspected, { path, aside, inPlace }: RemoveData): string[] {
  const place = inPlace ? path : aside;
  if (place === undefined) return [];
  return [...ignored.kept, ...ignored.gone].flatMap(({ size }) => {
    if (size.closed === undefined) return [];
    const what = `${relative(path, size.closed)} (${sizeWords(size)})`;
    return [
      `${what} belongs to another user and cannot be deleted: it stays in ${place}; \`sudo rm -rf ${shellWord(place)}\` deletes it.`,
    ];
  });
}
