import { Problem } from '../base/problem.ts';
import type { Workspace } from './workspace.ts';

/**
 * Stages files and commits what is staged then (seed 001). Running it again changes nothing.
 *
 * @param files as a person typed them: relative to the environment's folder when that is in the worktree, else to its root.
 * @returns the commit's id; `undefined` when nothing was staged.
 * @throws Problem `usage` for an empty message, `not-found` for a file that git has never seen, `outside-repository`;
 * `git-failed` (outcome incomplete) with the words of a hook that refused.
 */
export async function addCommit(
  _workspace: Workspace,
  _worktreeRoot: string,
  _files: readonly string[],
  _message: string,
  _options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<string | undefined> {
  throw new Problem('unsupported', 'Nothing can be committed yet.');
}
