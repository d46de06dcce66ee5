import { l10n, window } from 'vscode';

/**
 * Shows how to get a text back that was overwritten, if one was.
 *
 * @param ref the blob that holds it.
 */
export function showBackup(ref: string | undefined): void {
  if (ref === undefined) return;
  const words = l10n.t('The text that you edited is saved as Git object {0}.', ref);
  void window.showInformationMessage(words);
}
