import type { ExtensionContext } from 'vscode';
import type { ViewMode } from './rows.ts';

const key = 'worktreesView.mode';

/** How a person wanted the worktrees of this folder to be shown; `undefined` as long as they have not said. */
export function savedMode({ workspaceState }: ExtensionContext): ViewMode | undefined {
  const saved = workspaceState.get(key);
  return saved === 'stack' || saved === 'list' ? saved : undefined;
}

/** Keeps how the worktrees are shown for the next time. */
export async function saveMode({ workspaceState }: ExtensionContext, mode: ViewMode): Promise<void> {
  await workspaceState.update(key, mode);
}
