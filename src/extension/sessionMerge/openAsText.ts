import { commands, window, workspace, type Uri } from 'vscode';
import type { SessionMergeHost } from './host.ts';
import { showBackup } from './showBackup.ts';
import { sessionMergeTabs } from './viewType.ts';

/**
 * Opens a file that is open in the session merge editor as an ordinary text, in its place. Choices that were not saved are written to the file
 * first, so that the text is the result that the editor showed; they come back when the editor is opened again.
 */
export async function openAsText({ sessionMerge }: SessionMergeHost, uri: Uri): Promise<void> {
  const document = sessionMerge.find(uri);
  if (document?.unsaved || sessionMergeTabs(uri).some((tab) => tab.isDirty)) {
    showBackup(await document?.save());
    // The file is written already; this only clears the unsaved mark.
    await workspace.save(uri);
  }
  if (document?.conflict) await sessionMerge.savedChoices.setText(uri, document.conflict.key);
  const column = sessionMergeTabs(uri).find((tab) => tab.isActive)?.group.viewColumn;
  await commands.executeCommand('vscode.openWith', uri, 'default', column);
  // ConflictedFile for anew: what VS Code gave before may be out of date after another tab was opened.
  await window.tabGroups.close(sessionMergeTabs(uri));
}
