import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The user that has no rights. */
export const nobodyId = 65534;

/**
 * The words before a command that run it as a user without rights; for tests that run as root, whom the file system refuses nothing. Where such
 * a user may not enter the project's folder (a clone in the home folder of root) it may read everything, and still write nothing that is not
 * its own.
 */
export function withoutRights(): readonly string[] {
  const own = [process.execPath, fileURLToPath(new URL('.', import.meta.url))];
  const reading = own.every(isEntered) ? [] : ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
  return ['setpriv', `--reuid=${nobodyId}`, `--regid=${nobodyId}`, '--clear-groups', ...reading];
}

/** Whether everybody may enter all folders above a path. */
function isEntered(path: string): boolean {
  const above = dirname(path);
  return (statSync(above).mode & 0o001) !== 0 && (above === path || isEntered(above));
}
