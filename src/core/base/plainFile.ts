import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { baseMessages } from '../messages/base.ts';
import { textOf, type Message } from '../messages/message.ts';
import { kindOf } from './obstacle.ts';

/**
 * How a file is opened that should be a file: a pipe in its place does not make us wait until somebody writes to it, which may be never.
 * For `flag` of Node's functions that read files.
 */
export const withoutWaiting: number = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0);

/** No file that we read as a whole is longer than this, in bytes, unless something has gone wrong with it. */
const longest = 256 * 1024 * 1024;

/**
 * The bytes of a file.
 *
 * @throws what Node throws; an error with the code `EINVAL` for a pipe, a socket or a device, and `EFBIG` for more than 256 MB.
 */
export async function readPlainFile(file: string): Promise<Buffer> {
  const handle = await open(file, withoutWaiting);
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw fault('EISDIR', baseMessages.itIsNoFile({ kind: baseMessages.aFolder() }), file);
    if (!found.isFile()) throw fault('EINVAL', baseMessages.itIsNoFile({ kind: kindOf(found) }), file);
    if (found.size > longest) throw fault('ERR_FS_FILE_TOO_LARGE', baseMessages.fileTooLargeToRead(), file);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** The text of a file at once, for hooks: a pipe counts as empty. Throws what Node throws. */
export function readTextAtOnce(file: string): string {
  const descriptor = openSync(file, withoutWaiting);
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function fault(code: string, words: Message, path: string): Error {
  return Object.assign(new Error(textOf(words)), { code, path, syscall: 'read' });
}
