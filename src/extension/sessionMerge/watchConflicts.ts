import { TabInputText, commands, window, workspace } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { messageOf } from '../../core/base/problem.ts';
import { throttle } from '../../core/base/throttle.ts';
import type { SessionMergeHost } from './host.ts';
import { textTabs } from './openSessionMerge.ts';
import { findSessionConflicts, type SessionConflict } from './sessionConflicts.ts';
import { sessionMergeType } from './viewType.ts';

/** The setting that makes the editor open automatically. */
const setting = 'worktreeStacks.sessionMerge.openByItself';

/**
 * Keeps the context keys of conflicted session files, and opens the session merge editor in the place of a text editor that shows one,
 * unless the person asked to see this conflict as text, or has typed something there.
 */
export function watchConflicts({ repositories, keys, log, sessionMerge }: SessionMergeHost): Disposable {
  const store = new DisposableStore();
  const opening = new Set<string>();
  let conflicts: readonly SessionConflict[] = [];

  const replaceTexts = async (): Promise<void> => {
    if (conflicts.length === 0 || !workspace.getConfiguration().get<boolean>(setting, true)) return;
    for (const { activeTab, viewColumn } of window.tabGroups.all) {
      if (!(activeTab?.input instanceof TabInputText) || activeTab.isDirty) continue;
      const { uri } = activeTab.input;
      const conflict = conflicts.find((each) => each.uri.toString() === uri.toString());
      if (!conflict || sessionMerge.savedChoices.isText(uri, conflict.key) || opening.has(uri.toString())) continue;
      opening.add(uri.toString());
      try {
        await commands.executeCommand('vscode.openWith', uri, sessionMergeType, viewColumn);
        // ConflictedFile for anew: what VS Code gave before may be out of date after another tab was opened.
        const shown = textTabs(uri).filter((tab) => tab.group.viewColumn === viewColumn && !tab.isDirty);
        await window.tabGroups.close(shown);
      } finally {
        opening.delete(uri.toString());
      }
    }
  };
  const tryToReplace = (): void =>
    void replaceTexts().catch((thrown: unknown) =>
      log.warn(`The session merge editor did not open: ${messageOf(thrown)}`),
    );

  const look = throttle(async () => {
    try {
      conflicts = await findSessionConflicts(repositories);
      keys.setSessionConflicts(conflicts.map(({ uri }) => uri));
      tryToReplace();
    } catch (thrown) {
      log.warn(`Session files in conflict could not be looked for: ${messageOf(thrown)}`);
    }
  });
  store.add(repositories.onDidChange(() => void look()));
  store.add(window.tabGroups.onDidChangeTabs(tryToReplace));
  void look();
  return store;
}
