import { basename, join } from 'node:path';
import { l10n, window, workspace, type Uri } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { stageResult } from '../../core/merge/conflictedFile.ts';
import type { SessionMergeHost } from './host.ts';
import { listed } from '../base/messages.ts';
import { entriesToReview } from './pageState.ts';
import { uriOf } from '../base/uris.ts';
import type { SessionMergeDocument } from './document.ts';
import { openWhereResolved } from './openWhereResolved.ts';
import { showBackup } from './showBackup.ts';
import type { Conflict } from './readConflict.ts';
import { sessionMergeTabs } from './viewType.ts';
import { verbatim } from '../../core/messages/message.ts';

/**
 * Writes the result, stages it, closes the editor, and shows what is left to do. Asks first where entries are not reviewed.
 *
 * @throws Problem when something happened to the file or its conflict meanwhile, or when it is not decided what is to be written; then
 *   nothing was staged.
 */
export async function acceptSessionMerge(
  host: SessionMergeHost,
  document: SessionMergeDocument,
  asks = true,
): Promise<void> {
  const { uri } = document;
  requireNoUnsavedText(uri);
  await document.reload();
  const conflict = requireDecided(document);
  if (asks && !(await mayAccept(document))) return;
  showBackup(await document.save());
  // The file is written already; this only clears the unsaved mark.
  await workspace.save(uri);
  const { model, looked } = document.conflict ?? conflict;
  const left = await stageResult(await model.workspace(), looked);
  host.keys.set('worktreeStacks.hasAcceptedMerge', true);
  await host.sessionMerge.savedChoices.keep(uri, undefined);
  // Before anything can show that the conflict is gone.
  await window.tabGroups.close(sessionMergeTabs(uri));
  await model.refresh();
  void showRemaining(host, conflict, left);
}

/** Whether the person wants to accept although there is something to review; if not, the page goes there. */
async function mayAccept(document: SessionMergeDocument): Promise<boolean> {
  const open = document.mode === 'rules' ? entriesToReview(document) : [];
  if (open.length === 0) return true;
  const question =
    open.length === 1
      ? l10n.t('1 entry has not been reviewed. Accept anyway?')
      : l10n.t('{0} entries have not been reviewed. Accept anyway?', open.length);
  const detail = listed(open.map(({ name }) => name));
  const accept = l10n.t('Accept Anyway');
  const review = l10n.t('Review');
  const answer = await window.showWarningMessage(question, { modal: true, detail }, accept, review);
  if (answer === review) document.go('next');
  return answer === accept;
}

function requireNoUnsavedText(uri: Uri): void {
  const text = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (!text?.isDirty) return;
  throw new Problem(
    'would-lose-work',
    verbatim(l10n.t('{0} has unsaved changes in a text editor, so nothing was written.', basename(uri.fsPath))),
    { next: verbatim(l10n.t('save or discard them there')), outcome: 'incomplete' },
  );
}

function requireDecided({ conflict, mode, result, problem, uri }: SessionMergeDocument): Conflict {
  if (problem !== undefined) throw problem;
  const name = conflict?.path ?? basename(uri.fsPath);
  if (!conflict) {
    throw new Problem('not-found', verbatim(l10n.t('{0} is not in conflict any more, so nothing was written.', name)), {
      outcome: 'incomplete',
    });
  }
  if (result !== undefined) return conflict;
  throw new Problem(
    'would-lose-work',
    verbatim(
      mode === 'undecided'
        ? l10n.t('{0} was edited by hand, so nothing was written.', name)
        : l10n.t('There is no result for {0} to accept.', name),
    ),
    {
      next: verbatim(
        mode === 'undecided'
          ? l10n.t('say whether the file is used as it is, or start from the rules')
          : l10n.t('resolve it as text'),
      ),
      outcome: 'incomplete',
    },
  );
}

async function showRemaining(host: SessionMergeHost, conflict: Conflict, left: readonly string[]): Promise<void> {
  const { path, worktree, sides } = conflict;
  const [next] = left;
  if (next === undefined) {
    // What is under way tells itself that its conflicts are resolved, and how it goes on.
    if (sides.operation === undefined || sides.operation === 'bisect')
      void window.showInformationMessage(l10n.t('{0} is merged and staged. No conflicts are left.', path));
    return;
  }
  const words =
    left.length === 1
      ? l10n.t('{0} is merged and staged. Still in conflict: {1}.', path, next)
      : l10n.t('{0} is merged and staged. Still in conflict: {1} and {2} more.', path, next, left.length - 1);
  const open = l10n.t('Open {0}', basename(next));
  if ((await window.showInformationMessage(words, open)) === open) {
    await openWhereResolved(host, uriOf(join(worktree.path, next)));
  }
}
