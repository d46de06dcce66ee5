import { l10n, window } from 'vscode';

/**
 * Shows how to get a text back that was overwritten, if one was.
 *
 * @param ref the blob that holds it.
 */
export function showBackup(ref: string | undefined): void {
  if (ref === undefined) return;
  const words = l10n.t('What was edited by hand is kept: `git cat-file blob {0}` prints it.', ref);
  void window.showInformationMessage(words);
}
