import { TabInputCustom, window, type Tab, type Uri } from 'vscode';

/** The editor's id in the manifest. */
export const sessionMergeType = 'worktreeStacks.sessionMerge';

/** The tabs that show a file in the session merge editor, or all tabs of that editor. */
export function sessionMergeTabs(uri?: Uri): Tab[] {
  return window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const shown = sessionMergeUri(tab);
      return shown !== undefined && (uri === undefined || shown.toString() === uri.toString());
    });
}

/** The file that a tab shows in the session merge editor; `undefined` for a tab of another kind. */
export function sessionMergeUri({ input }: Tab): Uri | undefined {
  return input instanceof TabInputCustom && input.viewType === sessionMergeType ? input.uri : undefined;
}
