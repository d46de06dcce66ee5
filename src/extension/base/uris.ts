import { Uri, workspace } from 'vscode';

/**
 * A path of the machine that the repository is on as a Uri that the workbench can open: on a remote, in a container or in a
 * server build that is not `file:`, but what the open folder has.
 */
export function uriOf(path: string): Uri {
  const file = Uri.file(path);
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return folder && folder.scheme !== 'file' ? folder.with({ path: file.path, query: '', fragment: '' }) : file;
}

/** The folders of this window that are on a disk that git can see. */
export function openFolders(): string[] {
  return (workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file')
    .map((folder) => folder.uri.fsPath);
}
