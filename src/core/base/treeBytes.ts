import { lstat } from 'node:fs/promises';
import { workThrough } from './concurrency.ts';
import { stopIfCancelled } from './problem.ts';
import { inFolder, readRawFolder, type RawPath } from './rawPaths.ts';

/** How many files there are at a path, and how long they are together; one with several names counts once. Links are not followed. */
export async function treeBytes(
  path: string,
  signal?: AbortSignal,
): Promise<{ readonly files: number; readonly bytes: number }> {
  let files = 0;
  let bytes = 0;
  const seen = new Set<string>();
  await workThrough<RawPath>([path], 16, async (entry) => {
    stopIfCancelled(signal);
    const found = await lstat(entry).catch(() => undefined);
    if (!found) return [];
    if (found.isDirectory()) {
      const inside = await readRawFolder(entry).catch(() => []);
      return inside.map(({ name }) => inFolder(entry, name));
    }
    files++;
    const key = `${found.dev}:${found.ino}:${found.size}`;
    if (found.nlink === 1 || !seen.has(key)) bytes += found.size;
    if (found.nlink > 1) seen.add(key);
    return [];
  });
  return { files, bytes };
}
