import type * as os from 'node:os';
import { join } from 'node:path';

/**
 * The folder for V8's code cache: the user's own, because in the system's temporary folder others could put code for us to run.
 *
 * @param load Node's `require`, for modules that are rarely needed.
 */
export function cacheFolder({ env, platform }: NodeJS.Process, load: NodeJS.Require): string {
  // What node:os would say too, where it is set.
  const home = platform === 'win32' ? env['USERPROFILE'] : env['HOME'];
  const homedir = (): string => home || (load('node:os') as typeof os).homedir();
  const own = env['WORKTREE_STACKS_HOME'];
  if (own) return join(own, 'cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'worktree-stacks');
  const caches = platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME'];
  return caches ? join(caches, 'worktree-stacks') : join(homedir(), '.cache', 'worktree-stacks');
}
