import { commands, workspace } from 'vscode';
import { isWithin } from '../../core/base/paths.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import { uriOf } from '../base/uris.ts';

/** Removes a deleted worktree from this window; if it was the only folder, the main working tree is opened instead. */
export async function leaveWorktree({ repository }: RepositoryModel, path: string): Promise<void> {
  const folders = workspace.workspaceFolders ?? [];
  const gone = folders.filter((folder) => isWithin(path, folder.uri.fsPath));
  if (gone.length === folders.length) {
    await commands.executeCommand('vscode.openFolder', uriOf(repository.mainRoot), { forceReuseWindow: true });
    return;
  }
  for (const folder of gone.reverse()) workspace.updateWorkspaceFolders(folder.index, 1);
}
