import { l10n } from 'vscode';
import { Problem, messageOf } from '../../core/base/problem.ts';
import type { MergeEntry } from '../../core/session/model.ts';
import { groupBy } from '../../core/session/pairing.ts';
import type { EntryGroup, PageAction, EntryView, Frame, PageNotice } from '../../webview/protocol.ts';
import { problemText } from '../base/messages.ts';
import type { SessionMergeDocument } from './document.ts';
import type { Conflict } from './readConflict.ts';
import type { SideNames } from '../../core/session/reasonMessage.ts';
import { droppedLines } from './dropped.ts';
import { groupText, ruleOf, storyOf } from './labels.ts';

/** The names of the sides of a conflict, or "ours" and "theirs". */
export function namesOf(conflict: Conflict | undefined): SideNames {
  return { ours: conflict?.sides.ours ?? l10n.t('ours'), theirs: conflict?.sides.theirs ?? l10n.t('theirs') };
}

/** The rows of the page. */
export function entriesOf(document: SessionMergeDocument): EntryView[] {
  if (!document.outcome?.known) return [];
  const names = namesOf(document.conflict);
  return document.outcome.entries.map((entry) => ({
    id: entry.id,
    section: entry.section,
    name: entry.name,
    ...storyOf(entry, names),
    group: groupOf(entry, names),
    toReview: entry.needsLook,
    open: isOpen(document, entry),
    left: isLeft(entry),
    choice: entry.choice,
    edited: entry.edited,
    dropped: droppedLines(entry),
    base: entry.base ?? null,
    ours: entry.ours ?? null,
    theirs: entry.theirs ?? null,
    result: entry.result ?? null,
  }));
}

function isOpen({ choices }: SessionMergeDocument, { needsLook, id }: MergeEntry): boolean {
  return needsLook && !choices.has(id);
}

/** What of theirs is not in the result because its part of the file is ours; a choice takes it along. */
const isLeft = ({ reason, choice, edited }: MergeEntry): boolean =>
  reason === 'leftBehind' && choice === 'merged' && !edited;

/** The entries that a person should look at and has not decided yet. */
export function entriesToReview(document: SessionMergeDocument): MergeEntry[] {
  if (!document.outcome?.known) return [];
  return document.outcome.entries.filter((entry) => isOpen(document, entry));
}

/** What is decided, by its reason; what is left behind first, and then the largest. */
function groupsOf(entries: readonly MergeEntry[], names: SideNames): EntryGroup[] {
  const decided = entries.filter(({ needsLook }) => !needsLook);
  const groups = [...groupBy(decided, (entry) => groupOf(entry, names))];
  const isLeftBehind = ([first]: readonly MergeEntry[]): number => Number(first?.reason === 'leftBehind');
  return groups
    .sort(([, one], [, other]) => isLeftBehind(other) - isLeftBehind(one) || other.length - one.length)
    .map(([key, those]) => ({ key, ...groupText(those, ruleOf(those[0] as MergeEntry, names)) }));
}

/** Entries of the same story are one group, whatever a person chose for them. */
function groupOf(entry: MergeEntry, names: SideNames): string {
  if (entry.needsLook) return '';
  const { what, why } = ruleOf(entry, names);
  return JSON.stringify([entry.reason, what, why]);
}

/** Everything but the rows. */
export function frameOf(document: SessionMergeDocument): Frame {
  const { conflict, outcome, mode } = document;
  const entries = outcome?.known ? outcome.entries : [];
  const open = entriesToReview(document).length;
  const result = mode === 'undecided' ? conflict?.looked.text : document.result;
  return {
    key: conflict?.key ?? '',
    title: conflict?.path ?? document.uri.path.split('/').at(-1) ?? '',
    subtitle: conflict ? subtitleOf(conflict) : '',
    toReview: l10n.t('To review {0}', open),
    all: l10n.t('All {0}', entries.length),
    groups: groupsOf(entries, namesOf(conflict)),
    notice: noticeOf(document),
    canAccept: conflict !== undefined && document.problem === undefined && document.result !== undefined,
    canChoose: mode === 'rules',
    result: result ?? null,
  };
}

function subtitleOf(conflict: Conflict): string {
  const { ours, theirs } = namesOf(conflict);
  switch (conflict.sides.operation) {
    case 'merge':
      return l10n.t('merging {0} into {1}', theirs, ours);
    case 'rebase':
      return l10n.t('rebasing {0} onto {1}', ours, theirs);
    case 'cherry-pick':
      return l10n.t('picking {0} onto {1}', theirs, ours);
    case 'revert':
      return l10n.t('reverting {0} on {1}', theirs, ours);
    case 'am':
    case 'bisect':
    case undefined:
      return l10n.t('in conflict on {0}', ours);
  }
}

const asText = (): { action: PageAction; label: string } => ({ action: 'openAsText', label: l10n.t('Open as Text') });

function noticeOf(document: SessionMergeDocument): PageNotice | null {
  const { conflict, outcome, problem, mode } = document;
  if (problem !== undefined) {
    const text = Problem.is(problem) ? problemText(problem) : messageOf(problem);
    return { text, warning: true, actions: [asText()] };
  }
  if (!conflict) {
    const text = l10n.t('This file has no conflicts. They may have been resolved elsewhere.');
    return { text, warning: false, actions: [asText(), { action: 'close', label: l10n.t('Close') }] };
  }
  const { versions, looked } = conflict;
  if (versions.ours === undefined || versions.theirs === undefined) return oneSided(conflict);
  if (!outcome?.known) {
    const where = outcome?.unknown ?? l10n.t('it has another shape');
    return {
      text: l10n.t('The merge rules do not apply to this file ({0}). Resolve its conflicts as text.', where),
      warning: true,
      actions: [{ action: 'openMergeEditor', label: l10n.t('Open in Merge Editor') }, asText()],
    };
  }
  if (mode === 'undecided') {
    return {
      text: l10n.t('The file was edited after the conflict arose. Which text should be saved?'),
      warning: true,
      actions: [
        { action: 'useFile', label: l10n.t('Use the File as It Is') },
        { action: 'useRules', label: l10n.t('Start from the Rules') },
        asText(),
      ],
    };
  }
  if (mode === 'file') {
    return {
      text: l10n.t('The file on disk is used as it is. The entries below are ignored.'),
      warning: false,
      actions: [{ action: 'useRules', label: l10n.t('Start from the Rules') }, asText()],
    };
  }
  if (looked.text === undefined) {
    return { text: l10n.t('The file was deleted. Accepting writes it again.'), warning: false, actions: [] };
  }
  const { ours, theirs } = namesOf(conflict);
  return outcome.entries.length > 0
    ? null
    : {
        text: l10n.t('{0} and {1} have the same entries. Accepting takes them as in {0}.', ours, theirs),
        warning: false,
        actions: [],
      };
}

/** One side deleted the file: there is nothing to choose entry by entry, only whether it stays. */
function oneSided(conflict: Conflict): PageNotice {
  const { ours, theirs } = namesOf(conflict);
  const [gone, changed] = conflict.versions.ours === undefined ? [ours, theirs] : [theirs, ours];
  const text =
    conflict.looked.text === undefined
      ? l10n.t('{0} deleted this file, {1} changed it, and it is not on disk. Stage its deletion.', gone, changed)
      : l10n.t(
          '{0} deleted this file, {1} changed it. Accepting keeps the file on disk. To delete it, delete the file and stage the deletion.',
          gone,
          changed,
        );
  return { text, warning: true, actions: [asText()] };
}
