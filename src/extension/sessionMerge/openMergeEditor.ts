import { commands, extensions, type Uri } from 'vscode';

/** The part of the API of VS Code's own git extension that is used here. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): {
    getRepository(uri: Uri): unknown;
    openRepository(root: Uri): Promise<unknown>;
  };
}

/**
 * Opens a file in conflict in VS Code's own merge editor, or as text with its markers where git is switched off in VS Code.
 *
 * @param root the top of its working tree, which VS Code's git need not know yet: it does not look for worktrees by itself.
 */
export async function openMergeEditor(uri: Uri, root?: Uri): Promise<void> {
  const extension = extensions.getExtension<GitExtension>('vscode.git');
  const git = extension && (extension.isActive ? extension.exports : await extension.activate());
  if (!git?.enabled) return void (await commands.executeCommand('vscode.open', uri));
  const api = git.getAPI(1);
  if (!api.getRepository(uri) && root) await api.openRepository(root);
  if (api.getRepository(uri)) await commands.executeCommand('git.openMergeEditor', uri);
  else await commands.executeCommand('vscode.open', uri);
}
