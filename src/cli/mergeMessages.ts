import type { MergeEntry, MergeReason } from '../core/session/model.ts';

/** Why the rules for session files decide as they do, in words. */
export const reasonText: Readonly<Record<MergeReason, string>> = {
  newInTheirs: 'new in theirs',
  newButFinished: 'new in theirs and finished there',
  deletedByOurs: 'deleted by ours, unchanged in theirs',
  deletedByOursButChanged: 'deleted by ours, but changed by theirs',
  deletedByOursAndFinished: 'deleted by ours, finished by theirs',
  deletedByTheirs: 'deleted by theirs, unchanged in ours',
  onlyInOurs: 'only in ours',
  onlyTheirsChanged: 'changed by theirs',
  onlyOursChanged: 'changed by ours',
  bothChanged: 'changed by both',
  bothChangedAlike: 'changed by both alike',
  bothChangedHere: 'changed by both, and a line has no parts to merge',
  leftBehind: 'this part of the file stays as ours has it',
  bothAdded: 'added by both',
  renamedByOurs: 'renamed by ours',
  renamedByTheirs: 'renamed by theirs',
  worktreeFinished: 'its worktree is done with it',
  worktreeStillOpen: 'its worktree has left it open',
  statusAdvanced: 'theirs is further',
  statusKept: 'ours is further',
  statusUnknown: 'a status that has no place in the order',
  archived: 'archived',
};

/** Entries that stay in ours because theirs has nothing to say about them. */
const quiet: ReadonlySet<MergeReason> = new Set(['onlyInOurs', 'onlyOursChanged', 'renamedByOurs']);

/** Whether an entry is worth a line to a person. */
export function isWorthTelling({ reason, needsLook }: MergeEntry): boolean {
  return needsLook || !quiet.has(reason);
}

/** What became of an entry of a session file, in a line. */
export function entryText(entry: MergeEntry): string {
  const { name, section, ours, theirs, result, reason, needsLook } = entry;
  if (reason === 'leftBehind')
    return `${section === '' ? '' : `${section}: `}${name}: left behind (${reasonText[reason]})`;
  const fate =
    result === undefined
      ? ours === undefined
        ? 'not taken'
        : 'taken out'
      : ours === undefined
        ? 'added'
        : result === ours
          ? 'kept'
          : result === theirs && reason === 'bothChangedHere'
            ? 'as in theirs'
            : 'merged';
  return `${name}: ${fate} (${reasonText[reason]})${needsLook ? '; have a look' : ''}`;
}
