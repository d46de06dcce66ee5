import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where code that was compiled is kept. In the user's own folder and not in the system's temporary one, where others could put code for us to run. */
export function cacheFolder({ env, platform }: NodeJS.Process): string {
  const own = env['WORKTREE_STACKS_HOME'];
  if (own) return join(own, 'cache');
  const places = { win32: env['LOCALAPPDATA'], darwin: join(homedir(), 'Library', 'Caches') } as Record<
    string,
    string | undefined
  >;
  return join(places[platform] ?? env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'worktree-stacks');
}
