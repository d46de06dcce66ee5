import { relativeTo } from '../base/paths.ts';
import { quoted, shellWord } from '../base/quoted.ts';
import type { UnassignedTask } from '../tasks/unassign.ts';
import type { Backup } from '../operations/backups.ts';
import type { Finished } from './commit.ts';
import type { RemoveData } from './removeData.ts';
import type { IgnoredEntry } from './ignoredFiles.ts';
import { sessionOfLock } from './liveSessions.ts';
import { whereFolderIs } from './outOfSight.ts';
import type { StagedRemoval } from './stageDeletion.ts';
import type { Removal, Inspected } from './inspect.ts';
import { sizeLabel } from '../trash/treeSize.ts';
import { gitMessages } from '../messages/git.ts';
import { type Message } from '../messages/message.ts';
import { removeMessages } from '../messages/remove.ts';

/** What a removal did. */
export interface Removed {
  readonly name: string;
  readonly path: string;
  readonly branchDeleted: boolean;
  /** The branch that stays, and why. */
  readonly branchKept?: { readonly name: string; readonly why: Message };
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
  /** For the person: what was kept, what to check. */
  readonly notes: readonly Message[];
}

/** Says what a removal did. */
export function describeRemoved(
  removal: Removal,
  inspected: Inspected,
  staged: StagedRemoval,
  done: Finished,
): Removed {
  const { name, path } = removal.worktree;
  const { decided, backups, logged, ignored, folder } = staged;
  const stays = removal.branch && (removal.branch.decision === 'keep' ? removal.branch.why : done.branchKept);
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
      ...noteOnFolder(removal, inspected),
      ...noteOnLock(inspected),
      ...staged.unread.map((path) => removeMessages.notReadNotKept({ path })),
      ...noteOnClosed(inspected, decided),
      ...(decided.left ? [removeMessages.folderLeft({ path })] : []),
      ...done.notes,
    ],
  };
}

function branchBackup({ branch }: RemoveData, deleted: boolean): Backup[] {
  if (!deleted || branch?.backup === undefined) return [];
  return [
    {
      ref: branch.backup,
      what: gitMessages.theBranch({ branch: branch.name }),
      restore: `git branch ${quoted(branch.name)} ${branch.backup}`,
    },
  ];
}

function noteOnFolder({ worktree, adminDirOnly }: Removal, { pathState }: Inspected): Message[] {
  if (!adminDirOnly) return [];
  return [removeMessages.onlyAdminDir({ why: whereFolderIs(worktree, pathState), path: worktree.path })];
}

function noteOnLock({ adminDir }: Inspected): Message[] {
  const session = adminDir.lockReason === undefined ? undefined : sessionOfLock(adminDir.lockReason);
  return session && !session.alive ? [removeMessages.lockLeftBehind({ pid: session.pid })] : [];
}

/** What belongs to another user cannot be deleted, and is not said to be gone. */
function noteOnClosed({ ignored }: Inspected, { path, aside, inPlace }: RemoveData): Message[] {
  const folder = inPlace ? path : aside;
  if (folder === undefined) return [];
  return [...ignored.kept, ...ignored.gone].flatMap(({ size }) => {
    if (size.closed === undefined) return [];
    const what = relativeTo(path, size.closed);
    return [removeMessages.ofAnotherUser({ what, size: sizeLabel(size), folder, word: shellWord(folder) })];
  });
}
