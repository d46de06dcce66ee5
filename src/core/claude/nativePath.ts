import { sep } from 'node:path';

/**
 * A path of Git Bash (`/c/repo`), Cygwin (`/cygdrive/c/repo`) or WSL (`/mnt/c/repo`) as Windows writes it: `C:\repo`. Every other path, and
 * every path on another system, is given back as it is.
 */
export function nativePath(path: string, windows = sep === '\\'): string {
  const [, drive, rest] = (windows && /^\/(?:cygdrive\/|mnt\/)?([a-z])(?:\/(.*))?$/is.exec(path)) || [];
  return drive === undefined ? path : `${drive.toUpperCase()}:\\${(rest ?? '').replaceAll('/', '\\')}`;
}
