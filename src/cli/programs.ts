import { dirname, join } from 'node:path';
import type { Environment } from '../core/base/environment.ts';
import { startInBackground } from '../core/base/process.ts';
import type { Programs } from '../core/repository/launchers.ts';

/**
 * The bundled programs: they are beside the one that runs now, wherever a link to it may be. Only the bundle knows this; the sources
 * are no programs.
 */
export function bundledPrograms(): Programs {
  return { wt: join(__dirname, 'wt.js'), hook: join(__dirname, 'hook.js') };
}

/**
 * Deletes the folder of a removed worktree in a process of its own: a folder of many files takes long to delete. Where that cannot be
 * started the next `wt` deletes it.
 */
export function deleteInBackground({ runtime }: Environment, { wt }: Programs, folder: string): void {
  // Not in the current folder: that may be the one that goes, and on Windows it could not.
  startInBackground(runtime, [wt, 'delete-trash', folder], dirname(wt));
}
