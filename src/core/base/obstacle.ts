import { accessSync, constants, lstatSync, readlinkSync, statSync, type Stats } from 'node:fs';
import { dirname, join, parse, sep } from 'node:path';
import { upFrom } from './paths.ts';
import { baseMessages } from '../messages/base.ts';
import type { Message } from '../messages/message.ts';
import { errorCode } from './problem.ts';

/** What keeps a path from being the file or the folder that it should be. */
export interface Obstacle {
  /** The entry that is in the way: the path itself, or one above it. */
  readonly at: string;
  /** What it is, as the end of a sentence that begins with its path. */
  readonly what: Message;
}

/** What a path is to be. */
export type WantedEntry = 'file' | 'folder';

/**
 * Finds out what is in the way of a path: a file or a pipe where a folder is needed, a link to nothing or to itself, a folder that the
 * user may not enter. Asked when something has failed already, or where that must not happen half-way; so it asks the disk at once.
 *
 * @param path absolute.
 * @returns `undefined` where nothing is in the way; the path need not be there.
 */
export function obstacleOn(path: string, wanted: WantedEntry): Obstacle | undefined {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  let at = root;
  for (const [index, name] of names.entries()) {
    if (name === '') continue;
    const above = at;
    at = join(at, name);
    const found = look(at);
    if (found === 'absent') return undefined;
    if (found === 'refused') return { at: above, what: baseMessages.closedFolder() };
    if (found === 'unreachable') return { at, what: baseMessages.unreachable() };
    const last = index === names.length - 1;
    const what = strangeness(at, found, last ? wanted : 'folder');
    if (what !== undefined) return { at, what };
  }
  return undefined;
}

/** The folder nearest to a path that is there and that the user may not write to; `undefined` when there is none such. */
export function closedFolder(path: string): string | undefined {
  for (const at of upFrom(dirname(path))) {
    const found = look(at);
    if (found !== 'absent') return mayWrite(at) ? undefined : at;
  }
  return undefined;
}

/** Whether the user may write to what is at a path. */
export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether the user may enter a folder. */
export function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What kind of thing is there; links followed by whoever calls. */
export function kindOf(found: Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket'>): Message {
  if (found.isFile()) return baseMessages.aPlainFile();
  if (found.isDirectory()) return baseMessages.aFolder();
  if (found.isFIFO()) return baseMessages.aPipe();
  return found.isSocket() ? baseMessages.aSocket() : baseMessages.aDevice();
}

function look(path: string): Stats | 'absent' | 'refused' | 'unreachable' {
  try {
    return lstatSync(path);
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'absent';
    return code === 'EACCES' || code === 'EPERM' ? 'refused' : 'unreachable';
  }
}

function strangeness(path: string, found: Stats, wanted: WantedEntry): Message | undefined {
  if (!found.isSymbolicLink()) return otherKind(found, wanted);
  const target = targetOf(path);
  try {
    const other = otherKind(statSync(path), wanted);
    return other === undefined ? undefined : baseMessages.linkToWrong({ target, what: other });
  } catch (thrown) {
    switch (errorCode(thrown)) {
      case 'ELOOP':
        return baseMessages.linkCircle();
      case 'EACCES':
      case 'EPERM':
        return baseMessages.linkToClosed({ target });
      default:
        return baseMessages.linkToNothing({ target });
    }
  }
}

function otherKind(found: Stats, wanted: WantedEntry): Message | undefined {
  if (wanted === 'folder' ? found.isDirectory() : found.isFile()) return undefined;
  const kind = kindOf(found);
  return wanted === 'file' ? baseMessages.noFile({ kind }) : baseMessages.noFolder({ kind });
}

function targetOf(path: string): string | Message {
  try {
    return readlinkSync(path);
  } catch {
    return baseMessages.something();
  }
}
