import { join } from 'node:path';
import envPaths from 'env-paths';
import type { Environment } from './environment.ts';

/** The folders of this product that belong to the user, not to a repository. */
export interface UserFolders {
  /** Decisions of the user that outlive a repository: approvals. */
  readonly config: string;
  /** What can be had again: an engine that was installed. */
  readonly data: string;
  /** Logs and other things that may be thrown away. */
  readonly log: string;
}

/**
 * Where this user's files live: the platform's own places (XDG on Linux), or below `WORKTREE_STACKS_HOME` where that is set.
 */
export function userFolders(environment: Environment): UserFolders {
  const home = environment.variables['WORKTREE_STACKS_HOME'];
  if (home) return { config: join(home, 'config'), data: join(home, 'data'), log: join(home, 'log') };
  const { config, data, log } = envPaths('worktree-stacks', { suffix: '' });
  return { config, data, log };
}
