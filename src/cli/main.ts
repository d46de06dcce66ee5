import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/*
 * What is started as `wt`: it switches on the cache of compiled code, which Node can only use for files that are loaded afterwards, and
 * then loads the program beside it. That halves the time until the program runs; runtimes without the cache just load it.
 */
// In the user's own folder and not in the system's temporary one, where others could put code for us to run.
nodeModule.enableCompileCache?.(join(cacheFolder(process), 'compiled'));
nodeModule.createRequire(__filename)('./wtProgram.js');

function cacheFolder({ env, platform }: NodeJS.Process): string {
  const own = env['WORKTREE_STACKS_HOME'];
  if (own) return join(own, 'cache');
  const places = { win32: env['LOCALAPPDATA'], darwin: join(homedir(), 'Library', 'Caches') } as Record<
    string,
    string | undefined
  >;
  return join(places[platform] ?? env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'worktree-stacks');
}
