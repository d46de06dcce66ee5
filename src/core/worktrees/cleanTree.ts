import { Problem } from '../base/problem.ts';
import type { Workspace } from './workspace.ts';

/**
 * What is not committed in a worktree and its initialised submodules, the session files apart (seed 001): lines as `git status
 * --porcelain` writes them, paths from the worktree's root. Empty when the tree is clean.
 */
export async function cleanTree(
  _workspace: Workspace,
  _worktreeRoot: string,
  _options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<string[]> {
  throw new Problem('unsupported', 'The tree cannot be looked at yet.');
}
