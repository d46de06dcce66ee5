import { commands, window, workspace, type Uri } from 'vscode';
import type { Services } from '../services.ts';
import { sessionMergeTabs } from './viewType.ts';

/**
 * Opens a file that is open in the session merge editor as an ordinary text, in its place. Choices that were not saved are written to the file
 * first, so that the text is the result that the editor showed; they come back when the editor is opened again.
 */
export async function openAsText({ sessionMerge }: Services, uri: Uri): Promise<void> {
  const tabs = sessionMergeTabs(uri);
  // What cannot be saved was told by the editor, and stays there.
  if (tabs.some((tab) => tab.isDirty) && !(await workspace.save(uri))) return;
  const key = sessionMerge.find(uri)?.conflict?.key;
  if (key !== undefined) await sessionMerge.kept.setText(uri, key);
  const column = tabs.find((tab) => tab.isActive)?.group.viewColumn;
  await commands.executeCommand('vscode.openWith', uri, 'default', column);
  await window.tabGroups.close(sessionMergeTabs(uri).filter((tab) => !tab.isDirty));
}
