import { lstat } from 'node:fs/promises';

/** Whether there is anything at a path, be it a broken link. */
export async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
