import { existsSync, readdirSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Resolves as soon as a file is there; its folder must exist. Fails after twenty seconds, with what is in the folder then. */
export async function appears(file: string): Promise<void> {
  const folder = dirname(file);
  const watching = watch(folder, { signal: AbortSignal.timeout(60_000) });
  try {
    const events = watching[Symbol.asyncIterator]();
    for (let next = events.next(); !existsSync(file); next = events.next()) await next;
  } catch (thrown) {
    throw new Error(`${file} did not appear. There are: ${readdirSync(folder).join(', ')}`, { cause: thrown });
  }
}
