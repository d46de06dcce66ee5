import type { ExtensionContext } from 'vscode';
import type { ContextKeys } from '../base/contextKeys.ts';
import type { ViewMode } from './rows.ts';

const key = 'worktreesView.mode';

/** How the worktrees of this folder were shown last; a list at first. Tells the manifest's menus too. */
export function savedMode({ workspaceState }: ExtensionContext, keys: ContextKeys): ViewMode {
  const mode: ViewMode = workspaceState.get(key) === 'stack' ? 'stack' : 'list';
  keys.set('worktreeStacks.viewMode', mode);
  return mode;
}

/** Keeps how the worktrees are shown for the next time. */
export async function saveMode({ workspaceState }: ExtensionContext, keys: ContextKeys, mode: ViewMode): Promise<void> {
  keys.set('worktreeStacks.viewMode', mode);
  await workspaceState.update(key, mode);
}
