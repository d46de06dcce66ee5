import { renameSync } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { rm, whileHeld, whileReplacing } from './heldFiles.ts';
import { fileProblem, obstacleProblem } from './fileProblem.ts';
import { obstacleOn } from './obstacle.ts';
import { readPlainFile, readTextAtOnce } from './plainFile.ts';
import { Problem, errorCode } from './problem.ts';
import { writtenLike } from './lineEnds.ts';
import { makeFolders, modeOfNewFile } from './sharing.ts';
import { baseMessages } from '../messages/base.ts';

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
    await whileReplacing(file, () =>
      writeFileAtomic(file, text, {
        encoding: options.encoding ?? 'utf8',
        fsync: true,
        ...(mode === undefined ? {} : { mode }),
      }),
    );
  } catch (thrown) {
    if (Problem.is(thrown)) throw thrown;
    throw fileProblem({ doing: baseMessages.cannotWrite(), file }, thrown);
  }
}

/** How often a change is tried again on a file that other programs keep writing. */
const attempts = 10;

/**
 * Changes a file on the basis of what it holds; line ends of Windows and a byte order mark stay as they are. Editors and other tools write
 * without taking our lock; if one of them writes the file while the change is being made, the change is made again from their text, which
 * would otherwise be lost.
 *
 * @param change reads the file, and calls `write` with the new text, or does not to leave it as it is. It may be called several times.
 * @throws Problem `not-writable` as {@link writeAtomically}, or when the file never stays the same long enough; what `change` throws.
 */
export async function updateText<T>(file: string, change: (write: (text: string) => void) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = await readTextIfThere(file, { keepBom: true });
    let next: string | undefined;
    const result = await change((text) => (next = text));
    if (next === undefined || (await replaceText(file, before, writtenLike(before, next)))) return result;
  }
  throw new Problem('not-writable', baseMessages.changedAgainAndAgain({ file }), {
    file,
    next: baseMessages.saveAndClose(),
    outcome: 'incomplete',
  });
}

/** Replaces a file unless it holds another text than `before`: everything that takes time is done before that is checked. */
async function replaceText(file: string, before: string | undefined, text: string): Promise<boolean> {
  if (before === undefined) {
    await writeAtomically(file, text);
    return true;
  }
  try {
    const target = await realpath(file);
    const { mode, uid, gid } = await stat(target);
    const staged = `${target}.new`;
    await writeFileAtomic(staged, text, {
      fsync: true,
      mode: modeOfNewFile(target, undefined) ?? mode & 0o7777,
      chown: { uid, gid },
    });
    const isReplaced = await whileReplacing(target, async () => {
      // Without a pause in between: nothing else can be done to close the gap to a program that takes no lock.
      if (readTextAtOnce(target) !== before) return false;
      renameSync(staged, target);
      return true;
    });
    if (!isReplaced) await rm(staged, { force: true });
    return isReplaced;
  } catch (thrown) {
    throw fileProblem({ doing: baseMessages.cannotWrite(), file }, thrown);
  }
}

/** A rename would put the new file in the place of a pipe or of a link to nothing, and whoever has put that there had a reason. */
async function refuseOther(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (!found || found.isFile()) return;
  const obstacle = obstacleOn(file, 'file');
  if (obstacle) throw obstacleProblem(baseMessages.cannotWriteFile({ file }), obstacle);
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
    // On Windows a file that is just being replaced cannot be opened for a moment.
    bytes = await whileHeld(() => readPlainFile(file), { patience: 1000 });
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'ENOTDIR') return undefined;
    if (code !== 'ENOENT') throw fileProblem({ doing: baseMessages.cannotRead(), file, reason }, thrown);
    const obstacle = obstacleOn(file, 'file');
    // Windows has no word of its own for a file below a file.
    const belowFile =
      obstacle !== undefined && obstacle.at !== file && (await stat(obstacle.at).catch(() => undefined))?.isFile();
    if (obstacle && !belowFile) throw obstacleProblem(baseMessages.cannotReadFile({ file }), obstacle, reason);
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: options.keepBom ?? false }).decode(bytes);
  } catch (thrown) {
    throw new Problem('unreadable-file', baseMessages.notUtf8({ file }), {
      file,
      next: baseMessages.saveUtf8(),
      cause: thrown,
    });
  }
}
