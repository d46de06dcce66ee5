import { extensions, workspace } from 'vscode';
import type { Log } from '../../core/base/log.ts';
import { messageOf } from '../../core/base/problem.ts';

/** The little that we use of VS Code's own git extension; it may be disabled, and its API may be without git. */
interface GitExtension {
  getAPI(version: 1): { readonly git: { readonly path: string } };
}

/**
 * The git program that VS Code itself uses, so that it is configured once; otherwise `git` from the PATH.
 */
export async function findGitBinary(log: Log): Promise<string> {
  const extension = extensions.getExtension<GitExtension>('vscode.git');
  try {
    const git = extension && (extension.isActive ? extension.exports : await extension.activate());
    if (git) return git.getAPI(1).git.path;
  } catch (thrown) {
    // It throws when git is switched off in VS Code, or was not found there.
    log.debug(`VS Code's own git extension gives no git: ${messageOf(thrown)}`);
  }
  // Only the user's own setting: one of the workspace could name any program.
  const setting = workspace.getConfiguration('git').inspect<string | string[]>('path')?.globalValue;
  return [setting].flat().find((path) => typeof path === 'string' && path !== '') ?? 'git';
}
