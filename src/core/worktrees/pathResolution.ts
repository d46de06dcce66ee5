import { Problem } from '../base/problem.ts';
import type { Workspace } from './workspace.ts';

/**
 * A project path as it is in a worktree (seed 003): a relative one starts at the worktree's root; an absolute one inside any
 * working tree of the repository becomes the same file of this worktree; any other absolute one stays as it is.
 *
 * @returns an absolute path; it need not exist.
 * @throws Problem `usage` for an empty path, `outside-repository` for one that leads out of the worktree, by `..` or by a link.
 */
export async function resolveProjectPath(_workspace: Workspace, _worktreeRoot: string, _file: string): Promise<string> {
  throw new Problem('unsupported', 'Paths cannot be resolved yet.');
}
