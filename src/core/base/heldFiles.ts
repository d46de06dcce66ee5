import type { RmOptions } from 'node:fs';
import {
  chmod,
  lstat,
  rename as renameOnce,
  rm as rmOnce,
  rmdir as rmdirOnce,
  unlink as unlinkOnce,
} from 'node:fs/promises';
import { sep } from 'node:path';
import { errorCode } from './problem.ts';

/*
 * `rename`, `rm`, `rmdir` and `unlink` of Node for Windows as well, where nothing can be renamed, replaced or deleted while another
 * program has it open: a virus scanner, an indexer, an editor, a reader of ours. All but the editor let go within moments.
 */

/** A path; as bytes where its name is no UTF-8. */
type Path = string | Buffer;

/** With these Windows refuses a change of what another program has open; read-only files and missing permissions look alike. */
const heldCodes: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** How long and on which system a change is tried again. */
export interface Retry {
  /** Whether files that others have open cannot be changed. Default: on Windows. */
  readonly windows?: boolean | undefined;
  /** Milliseconds after which the last refusal is thrown. Default 10,000. */
  readonly patience?: number | undefined;
  /** Also tries again while a folder is said not to be empty: what was deleted in it stays until its last reader has closed it. */
  readonly emptied?: boolean | undefined;
}

/** Whether a refusal can mean that another program has the file or the folder open. */
export function isHeld(thrown: unknown, windows = sep === '\\'): boolean {
  return windows && heldCodes.has(errorCode(thrown) ?? '');
}

/**
 * Changes files, again and again as long as Windows refuses it because another program has one of them open. Other systems do not
 * refuse anything for that reason: there it is done once.
 *
 * @param task does all of it or nothing, and may be called several times.
 * @throws what the task threw last.
 */
export async function whileHeld<T>(
  task: () => T | Promise<T>,
  { windows = sep === '\\', patience = 10_000, emptied = false }: Retry = {},
): Promise<T> {
  const deadline = performance.now() + patience;
  for (let pause = 5; ; pause = Math.min(pause * 2, 200)) {
    try {
      return await task();
    } catch (thrown) {
      const passes = isHeld(thrown, windows) || (windows && emptied && errorCode(thrown) === 'ENOTEMPTY');
      if (!passes || performance.now() > deadline) throw thrown;
    }
    // Waiting in step would make all that wait collide again and again.
    const wait = pause * (0.5 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/**
 * Puts a file or a folder into the place of another one, as {@link whileHeld}.
 *
 * @param to what is replaced: other systems replace a file whatever its mode, Windows only one that may be written; a folder is replaced by
 *   none of them, and Windows refuses that with the same code.
 * @throws what the task threw last; an error with the code `EEXIST` where a folder is in the way.
 */
export async function whileReplacing<T>(to: Path, task: () => Promise<T>, retry: Retry = {}): Promise<T> {
  return whileHeld(async () => {
    try {
      return await task();
    } catch (thrown) {
      if (isHeld(thrown, retry.windows)) await makeWay(to);
      throw thrown;
    }
  }, retry);
}

async function makeWay(to: Path): Promise<void> {
  const found = await lstat(to).catch(() => undefined);
  if (found?.isDirectory())
    throw Object.assign(new Error(`EEXIST: file already exists, rename '${to.toString()}'`), { code: 'EEXIST' });
  if (found?.isFile() && (found.mode & 0o200) === 0) await chmod(to, found.mode | 0o200).catch(() => undefined);
}

/** As Node's, with patience for programs that have either path open. */
export function rename(from: Path, to: Path, retry?: Retry): Promise<void> {
  return whileReplacing(to, () => renameOnce(from, to), retry);
}

/** As Node's, with patience for programs that have it, or what is in it, open. */
export function rm(path: string, options: RmOptions = {}, retry?: Retry): Promise<void> {
  return whileHeld(() => rmOnce(path, options), { emptied: options.recursive ?? false, ...retry });
}

/** As Node's, with patience for programs that have the file open. */
export function unlink(path: Path, retry?: Retry): Promise<void> {
  return whileHeld(() => unlinkOnce(path), retry);
}

/** As Node's, with a little patience for programs that have the folder open: a shell stands in it for hours. */
export function rmdir(folder: Path, retry?: Retry): Promise<void> {
  return whileHeld(() => rmdirOnce(folder), { patience: 500, ...retry });
}
