import { join } from 'node:path';
import type { Programs } from '../core/repository/launchers.ts';

/**
 * The bundled programs: they are beside the one that runs now, wherever a link to it may be. Only the bundle knows this; the sources
 * are no programs.
 */
export function bundledPrograms(): Programs {
  return { wt: join(__dirname, 'wt.js'), hook: join(__dirname, 'hook.js') };
}
