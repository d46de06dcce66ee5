import { reasonMessage, type SideNames } from '../core/session/reasonMessage.ts';
import type { MergeEntry, MergeReason } from '../core/session/model.ts';
import { textOf } from '../core/messages/message.ts';
import { oneLine } from './factLabels.ts';

/** Entries that stay in ours because theirs has nothing to say about them. */
const quiet: ReadonlySet<MergeReason> = new Set(['onlyInOurs', 'onlyOursChanged', 'renamedByOurs']);

/** Whether an entry is worth a line to a person. */
export function isWorthTelling({ reason, needsLook }: MergeEntry): boolean {
  return needsLook || !quiet.has(reason);
}

/** What became of an entry of a session file, in a line. */
export function entryText(entry: MergeEntry, names: SideNames): string {
  const { name, section, reason, needsLook } = entry;
  const why = oneLine(textOf(reasonMessage(reason, names)));
  if (reason === 'leftBehind') return `${section === '' ? '' : `${section}: `}${name}: left behind (${why})`;
  return `${name}: ${fateOf(entry, names)} (${why})${needsLook ? '; to review' : ''}`;
}

function fateOf({ ours, theirs, result, reason }: MergeEntry, names: SideNames): string {
  if (result === undefined) return ours === undefined ? 'not taken' : 'taken out';
  if (ours === undefined) return 'added';
  if (result === ours) return 'kept';
  return result === theirs && reason === 'bothChangedHere' ? `as in ${oneLine(names.theirs)}` : 'merged';
}
