import { TabInputText, commands, window, type Tab, type Uri } from 'vscode';
import type { SessionMergeHost } from './host.ts';
import { sessionMergeType } from './viewType.ts';

/** Opens a session file in the session merge editor, and closes its text editors that have no unsaved changes. */
export async function openSessionMerge({ sessionMerge }: SessionMergeHost, uri: Uri): Promise<void> {
  await sessionMerge.savedChoices.setText(uri, undefined);
  const { activeTab } = window.tabGroups.activeTabGroup;
  const [shown] = activeTab && showsText(activeTab, uri) ? [activeTab] : textTabs(uri);
  await commands.executeCommand('vscode.openWith', uri, sessionMergeType, shown?.group.viewColumn);
  await window.tabGroups.close(textTabs(uri).filter((tab) => !tab.isDirty));
}

/** The tabs that show a file as text. */
export function textTabs(uri: Uri): Tab[] {
  return window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => showsText(tab, uri));
}

function showsText({ input }: Tab, uri: Uri): boolean {
  return input instanceof TabInputText && input.uri.toString() === uri.toString();
}
