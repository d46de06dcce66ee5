import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { fileProblem, obstacleProblem } from './fileProblem.ts';
import { obstacleOn } from './obstacle.ts';
import { readPlainFile } from './plainFile.ts';
import { Problem, errorCode } from './problem.ts';
import { makeFolders, modeOfNewFile } from './sharing.ts';

/**
 * Writes a file so that a reader sees the old text or the new one and nothing between: temporary file beside it, fsync,
 * rename; through a symbolic link to where it points. Missing folders above it are made. In a repository that users share it gets the
 * mode that git would give it.
 *
 * @throws Problem `not-writable` naming the file, and what is in the way.
 */
export async function writeAtomically(
  file: string,
  text: string,
  options: { readonly mode?: number; readonly encoding?: 'utf8' | 'latin1' } = {},
): Promise<void> {
  try {
    await makeFolders(dirname(file));
    await refuseOther(file);
    const mode = modeOfNewFile(file, options.mode);
    await writeFileAtomic(file, text, {
      encoding: options.encoding ?? 'utf8',
      fsync: true,
      ...(mode === undefined ? {} : { mode }),
    });
  } catch (thrown) {
    if (Problem.is(thrown)) throw thrown;
    throw fileProblem({ doing: 'Cannot write', file }, thrown);
  }
}

/** A rename would put the new file in the place of a pipe or of a link to nothing, and whoever has put that there had a reason. */
async function refuseOther(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (!found || found.isFile()) return;
  const obstacle = obstacleOn(file, 'file');
  if (obstacle) throw obstacleProblem(`Cannot write ${file}`, obstacle);
}

/**
 * The text of a file; `undefined` where there is none.
 *
 * @param options.keepBom leaves a byte order mark in the text, for files that are written back byte for byte. Default: without it.
 * @throws Problem `unreadable-file` when it is there but cannot be read (no permission, a folder, a pipe, not UTF-8), or when nobody can
 *   know whether it is there: a link on the way to it leads to nothing.
 */
export async function readTextIfThere(
  file: string,
  options: { readonly keepBom?: boolean } = {},
): Promise<string | undefined> {
  const reason = 'unreadable-file';
  let bytes: Buffer;
  try {
    bytes = await readPlainFile(file);
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'ENOTDIR') return undefined;
    if (code !== 'ENOENT') throw fileProblem({ doing: 'Cannot read', file, reason }, thrown);
    const obstacle = obstacleOn(file, 'file');
    if (obstacle) throw obstacleProblem(`Cannot read ${file}`, obstacle, reason);
    return undefined;
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
