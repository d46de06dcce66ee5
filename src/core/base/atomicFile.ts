import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { isDiskFull, writeFailure } from './diskSpace.ts';
import { Problem, errorCode, messageOf } from './problem.ts';

/**
 * Writes a file so that a reader sees the old text or the new one and nothing between: temporary file beside it, fsync,
 * rename; through a symbolic link to where it points. Missing folders above it are made.
 *
 * @throws Problem `not-writable` naming the file.
 */
export async function writeAtomically(
  file: string,
  text: string,
  options: { readonly mode?: number; readonly encoding?: 'utf8' | 'latin1' } = {},
): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, text, {
      encoding: options.encoding ?? 'utf8',
      fsync: true,
      ...(options.mode === undefined ? {} : { mode: options.mode }),
    });
  } catch (thrown) {
    throw new Problem('not-writable', `Cannot write ${file}: ${writeFailure(thrown)}`, {
      file,
      next: isDiskFull(thrown)
        ? 'free some space, then run the same again; the file is as it was'
        : 'check that the folder exists, is yours and has space left',
      outcome: 'incomplete',
      cause: thrown,
    });
  }
}

/**
 * The text of a file; `undefined` where there is none.
 *
 * @param options.keepBom leaves a byte order mark in the text, for files that are written back byte for byte. Default: without it.
 * @throws Problem `unreadable-file` when it is there but cannot be read (no permission, a folder, not UTF-8).
 */
export async function readTextIfThere(
  file: string,
  options: { readonly keepBom?: boolean } = {},
): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Problem('unreadable-file', `Cannot read ${file}: ${messageOf(thrown)}`, { file, cause: thrown });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: options.keepBom ?? false }).decode(bytes);
  } catch (thrown) {
    throw new Problem('unreadable-file', `${file} is not UTF-8 text.`, {
      file,
      next: 'save it as UTF-8, or move it away',
      cause: thrown,
    });
  }
}
