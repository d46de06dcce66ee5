import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import { locate, type Location } from './identity.ts';
import { repositoryMessages } from '../messages/repository.ts';

/** Seed 004's WorktreeContext, field by field, as `wt state context --json` prints it. */
export interface WorktreeContext {
  readonly worktree_root: string;
  readonly git_common_dir: string;
  /** True in a linked worktree; false in the main working tree, and in the one of a submodule. */
  readonly is_worktree: boolean;
  readonly worktree_id: string;
  /** The branch; `HEAD` when detached, as git itself calls it. */
  readonly branch_name: string;
  readonly state_dir: string;
}

/** The stable id of a worktree: the first 12 hex digits of sha256 of its absolute root. */
export function worktreeId(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 12);
}

/** The folder of a worktree's own state. */
export function stateDir(root: string): string {
  return join(root, '.claude-state');
}

/**
 * The context of the worktree that holds a folder.
 *
 * @throws Problem `no-repository` outside a working tree.
 */
export async function readContext(git: Git, folder: string): Promise<WorktreeContext> {
  const [location, branch] = await Promise.all([
    locate(git, folder),
    git.line(['symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd: folder }),
  ]);
  return toContext(location, branch);
}

function toContext(location: Location, branch: string | undefined): WorktreeContext {
  const root = location.worktreeRoot;
  if (root === undefined) {
    throw new Problem('no-repository', repositoryMessages.insideGitDirectory(), {
      next: repositoryMessages.changeToWorktree(),
    });
  }
  return {
    worktree_root: root,
    git_common_dir: location.repository.commonDir,
    is_worktree: location.gitDir !== location.repository.commonDir,
    worktree_id: worktreeId(root),
    branch_name: branch ?? 'HEAD',
    state_dir: stateDir(root),
  };
}
