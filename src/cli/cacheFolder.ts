import type * as os from 'node:os';
import { join } from 'node:path';

/**
 * Where code that was compiled is kept. In the user's own folder and not in the system's temporary one, where others could put code for
 * us to run.
 *
 * @param load Node's `require`: what is rarely needed is not loaded at every start.
 */
export function cacheFolder({ env, platform }: NodeJS.Process, load: NodeJS.Require): string {
  // What node:os would say too, where it is set.
  const home = platform === 'win32' ? env['USERPROFILE'] : env['HOME'];
  const homedir = (): string => home || (load('node:os') as typeof os).homedir();
  const own = env['WORKTREE_STACKS_HOME'];
  if (own) return join(own, 'cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'worktree-stacks');
  const place = platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME'];
  return place ? join(place, 'worktree-stacks') : join(homedir(), '.cache', 'worktree-stacks');
}
