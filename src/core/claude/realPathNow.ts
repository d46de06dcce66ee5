import { realpathSync } from 'node:fs';

/** The real path, asked for at once; the path itself where nothing is there. */
export function realPathNow(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
