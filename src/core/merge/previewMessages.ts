import type { Argument, Message } from '../messages/message.ts';
import { counts } from '../messages/counts.ts';
import { previewMessages as texts } from '../messages/mergePreview.ts';
import { reasonMessage, type SideNames } from '../session/reasonMessage.ts';
import type { MergedEntry, MergedSessionFile } from './model.ts';
import type { MergePreview, PlannedConflict } from './preview.ts';
import type { PlannedSubmodule } from './previewSubmodules.ts';

/** So many of each kind are named; of more, only their number is told. */
const mostNamed = 10;
/** So many entries to review, or subjects of commits, are named in one row. */
const mostInRow = 3;

/** One line of a preview. */
export interface PreviewRow {
  readonly kind: 'obstacle' | 'commits' | 'conflict' | 'submodule' | 'notes' | 'review' | 'checks' | 'note';
  readonly label: Message;
  readonly detail?: Message | undefined;
}

/** How a merge would go, in a line: "Merging checkout into main: 1 conflict". */
export function previewHeadline({ name, into, state, conflicts, submodules }: MergePreview): Message {
  if (state === 'already') return texts.nothing({ name, into });
  const count = conflicts.length + submodules.reduce((sum, each) => sum + each.conflicts.length, 0);
  if (count > 0) return texts.conflicts({ name, into, count });
  return state === 'underWay' ? texts.underWay({ name, into }) : texts.clean({ name, into });
}

/** What a merge would do, the most pressing first; the terminal and VS Code show the same. */
export function previewRows(preview: MergePreview): PreviewRow[] {
  const { name, into, branch, obstacle, conflicts, submodules, sessionFiles, checks, notes, state } = preview;
  const names = { ours: into, theirs: branch };
  const row = (kind: PreviewRow['kind'], label: Message, detail?: Message): PreviewRow => ({ kind, label, detail });
  if (state === 'already') return [row('commits', texts.nothing({ name, into }))];
  const more = conflicts.length - mostNamed;
  return [
    ...(obstacle ? [row('obstacle', obstacle.what, itemsOf(obstacle.lines))] : []),
    commitsRow(preview),
    ...conflicts.slice(0, mostNamed).map((each) => conflictRow(each, names, state)),
    ...(more > 0 ? [row('conflict', texts.moreConflicts({ count: more }))] : []),
    ...(conflicts.length > 0 && preview.resolvesByChecks && checks ? [row('conflict', texts.triesChecks(names))] : []),
    ...submodules.flatMap((each) => submoduleRow(each, names)),
    ...sessionFiles
      .filter(({ state, entries }) => state !== 'merged' || entries.length > 0)
      .map((each) => sessionRow(each, names)),
    ...(checks
      ? [row('checks', texts.checks({ command: checks.command }), checks.approved ? undefined : texts.checksAsk())]
      : []),
    ...notes.map((note) => row('note', note)),
  ];
}

function commitsRow({ into, state, commits, files }: MergePreview): PreviewRow {
  const { count, latest } = commits;
  const shown = latest.slice(0, mostInRow).map(({ subject }) => subject);
  const rest = count - shown.length;
  const subjects: Argument = rest > 0 ? texts.subjects({ subjects: shown, count: rest }) : shown;
  const detail =
    files === 0 ? texts.subjectsOnly({ subjects }) : texts.latest({ files: texts.files({ count: files }), subjects });
  return {
    kind: 'commits',
    label: state === 'underWay' ? texts.merging({ count, into }) : texts.merges({ count, into }),
    ...(count === 0 ? {} : { detail }),
  };
}

function conflictRow({ path, kind }: PlannedConflict, names: SideNames, state: MergePreview['state']): PreviewRow {
  const label = state === 'underWay' ? texts.inConflict({ path }) : texts.willConflict({ path });
  const { ours, theirs } = names;
  const details: Readonly<Record<PlannedConflict['kind'], Message>> = {
    'both-changed': texts.bothChanged({ ours, theirs }),
    'both-added': texts.bothAdded({ ours, theirs }),
    'deleted-by-ours': texts.deletedByOurs({ ours, theirs }),
    'deleted-by-theirs': texts.deletedByTheirs({ ours, theirs }),
    'both-deleted': texts.bothDeleted({ ours, theirs }),
  };
  return { kind: 'conflict', label, detail: details[kind] };
}

function submoduleRow({ path, fate, conflicts }: PlannedSubmodule, { ours, theirs }: SideNames): PreviewRow[] {
  const row = (label: Message, kind: PreviewRow['kind'] = 'submodule'): PreviewRow[] => [{ kind, label }];
  const count = conflicts.length;
  if (count > 0) return row(texts.submoduleConflicts({ path, count, files: few(conflicts) }), 'conflict');
  switch (fate) {
    case 'contained':
      return [];
    case 'merged':
      return row(texts.submoduleMerged({ path }));
    case 'forwarded':
      return row(texts.submoduleForwarded({ path }));
    case 'taken':
      return row(texts.submoduleTaken({ path }));
    case 'fetched':
      return row(texts.submoduleFetched({ path }));
    case 'missing':
      return row(texts.submoduleMissing({ path, ours, theirs }), 'obstacle');
  }
}

function sessionRow({ path, state, entries }: MergedSessionFile, names: SideNames): PreviewRow {
  switch (state) {
    case 'unknown':
      return { kind: 'notes', label: texts.notesUnknown({ path }) };
    case 'kept':
      return { kind: 'notes', label: texts.notesKept({ path, theirs: names.theirs }) };
    case 'deleted':
      return { kind: 'notes', label: texts.notesDeleted({ path }) };
    case 'merged':
      break;
  }
  const review = entries.filter(({ needsLook }) => needsLook);
  const left = entries.filter(({ reason }) => reason === 'leftBehind').map((entry) => entry.name);
  const leftBehind = left.length > 0 ? texts.leftBehind({ names: few(left) }) : undefined;
  const count = review.length;
  if (count === 0)
    return { kind: 'notes', label: texts.notes({ path, count: entries.length - left.length }), detail: leftBehind };
  return { kind: 'review', label: texts.notesToReview({ path, count }), detail: reviewText(review, names) };
}

function reviewText(entries: readonly MergedEntry[], names: SideNames): Message {
  const named = entries.map(({ name, reason }) => texts.review({ name, why: reasonMessage(reason, names) }));
  return texts.reviewed({ entries: few(named) });
}

const itemsOf = (items: readonly (string | Message)[]): Message | undefined =>
  items.length === 0 ? undefined : texts.items({ items: few(items) });

/** The first few, and how many more there are. */
function few(names: readonly (string | Message)[]): Argument {
  const rest = names.length - mostInRow;
  const shown = names.slice(0, mostInRow);
  return rest > 0 ? counts.more({ names: shown, count: rest }) : shown;
}
