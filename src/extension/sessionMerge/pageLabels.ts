import { l10n } from 'vscode';
import type { SideNames } from '../../core/session/reasonMessage.ts';
import type { PageLabels } from '../../webview/protocol.ts';

/** The texts of the page that do not depend on the entries. */
export function pageText({ ours, theirs }: SideNames): PageLabels {
  return {
    choices: {
      merged: l10n.t('auto'),
      ours,
      theirs,
      both: l10n.t('both'),
      neither: l10n.t('neither'),
    },
    choiceHints: {
      merged: l10n.t('The automatic result'),
      ours: l10n.t('As it is in {0}', ours),
      theirs: l10n.t('As it is in {0}', theirs),
      both: l10n.t('As it is in {0}, and as it is in {1} after it', ours, theirs),
      neither: l10n.t('Leave it out'),
    },
    accept: l10n.t('Accept and Stage'),
    acceptHint: l10n.t('Write the result, and tell Git that this file is resolved'),
    entries: l10n.t('Entries that differ'),
    keys: l10n.t(
      'Arrow keys go from entry to entry, F7 and Shift+F7 to those to review. Space changes the choice, R marks an entry as reviewed, F2 edits its result, Enter shows the three versions. Undo and redo are those of the editor.',
    ),
    show: l10n.t('Show'),
    previous: l10n.t('Previous Entry to Review (Shift+F7)'),
    next: l10n.t('Next Entry to Review (F7)'),
    position: l10n.t('{0}/{1}'),
    toReviewSection: l10n.t('To Review'),
    nothingToReview: l10n.t('Nothing to review'),
    base: l10n.t('Base'),
    ours,
    theirs,
    absent: l10n.t('not there'),
    result: l10n.t('Result'),
    resultHint: l10n.t('as it will be written'),
    resultOf: l10n.t('Result of {0}'),
    edit: l10n.t('Edit Result (F2)'),
    editHint: l10n.t('Ctrl+Enter is done, Escape leaves it as it was'),
    leftOut: l10n.t('left out'),
    dropped: l10n.t('Dropped'),
    reviewed: l10n.t('reviewed'),
    markReviewed: l10n.t('Mark as Reviewed (R)'),
    markOpen: l10n.t('Review Again (R)'),
    choiceFor: l10n.t('Result for {0}'),
    chosen: l10n.t('{0}: {1}'),
    edited: l10n.t('edited'),
    toReview: l10n.t('to review'),
    decided: l10n.t('decided'),
    leftBehind: l10n.t('left behind'),
    topSection: l10n.t('Before the first heading'),
  };
}
