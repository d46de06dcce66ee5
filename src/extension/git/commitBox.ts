import { Uri, extensions } from 'vscode';

/** The box for the commit message of a worktree in the Source Control view. */
export interface CommitBox {
  value: string;
}

/** The little that we use of VS Code's own git extension; it may be disabled, and its API may be without git. */
interface GitExtension {
  getAPI(version: 1): GitApi;
}
interface GitApi {
  getRepository(uri: Uri): GitRepository | null;
  openRepository?(root: Uri): Promise<GitRepository | null>;
}
interface GitRepository {
  readonly rootUri: Uri;
  readonly inputBox: CommitBox;
}

/**
 * The box of a worktree, which VS Code opens as a repository where it has not yet.
 *
 * @param path the root of the worktree.
 * @returns nothing where VS Code's git is off, or does not take the worktree for a repository.
 */
export async function commitBoxOf(path: string): Promise<CommitBox | undefined> {
  const extension = extensions.getExtension<GitExtension>('vscode.git');
  try {
    const git = extension && (extension.isActive ? extension.exports : await extension.activate());
    const api = git?.getAPI(1);
    const root = Uri.file(path);
    const isRoot = (found: GitRepository | null | undefined): boolean => found?.rootUri.fsPath === root.fsPath;
    const open = api?.getRepository(root);
    // A worktree below the main working tree is found as a part of that while it has not been opened.
    const repository = isRoot(open) ? open : await api?.openRepository?.(root);
    return isRoot(repository) ? repository?.inputBox : undefined;
  } catch {
    // It throws when git is switched off in VS Code, or was not found there.
    return undefined;
  }
}
