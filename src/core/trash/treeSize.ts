import { access, constants, lstat, readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { byteSizeWords } from '../base/byteSize.ts';

/** How much there is at a path. */
export interface TreeSize {
  /** The sum of all files' lengths, in bytes, as far as they were counted. */
  readonly bytes: number;
  /** Files, links and folders, as far as they were counted. */
  readonly entries: number;
  /** All of it was counted. */
  readonly whole: boolean;
  /** A folder in it that belongs to somebody else and that nothing can be deleted from, or that cannot be read. */
  readonly closed: string | undefined;
}

/** How far counting may go: huge trees are not counted to their end. */
export interface CountingBounds {
  /** So many entries more; counts down, and may be shared by several countings. */
  entries: number;
  /** Counting ends once there are more bytes than that; without it the bytes do not matter. */
  readonly bytes?: number | undefined;
}

/** So many files are read side by side. */
const atOnce = 32;

/** Counts what is at a path, within bounds; links are not followed. What vanishes meanwhile counts nothing. */
export async function countTree(path: string, bounds: CountingBounds): Promise<TreeSize> {
  let bytes = 0;
  let entries = 0;
  let whole = true;
  let closed: string | undefined;
  const mayGoOn = (): boolean => {
    if (bounds.entries > 0 && (bounds.bytes === undefined || bytes <= bounds.bytes)) return true;
    whole = false;
    return false;
  };
  const add = async (entry: string): Promise<boolean> => {
    const found = await lstat(entry).catch(() => undefined);
    if (!found) return false;
    entries++;
    if (!found.isDirectory()) bytes += found.size;
    return found.isDirectory();
  };
  if (!mayGoOn()) return { bytes, entries, whole, closed };
  bounds.entries--;
  const folders = (await add(path)) ? [path] : [];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (!mayGoOn()) break;
    const inside = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    const open = inside?.length === 0 || (await isOpen(folder));
    if (!open) closed ??= folder;
    // Of one of ours that nobody may read, nothing is counted: whoever keeps it opens it.
    if (inside === undefined && !open) whole = false;
    const files: string[] = [];
    for (const each of inside ?? []) {
      if (bounds.entries <= 0) {
        whole = false;
        break;
      }
      bounds.entries--;
      // A path of bytes would be needed for a name that is no UTF-8: it is counted without its length.
      if (each.isDirectory()) {
        entries++;
        folders.push(`${folder}/${each.name}`);
      } else files.push(`${folder}/${each.name}`);
    }
    for (let start = 0; start < files.length && mayGoOn(); start += atOnce)
      await Promise.all(files.slice(start, start + atOnce).map(add));
  }
  return { bytes, entries, whole, closed };
}

/** Whether things can be deleted from a folder: one of ours can be made writable. */
async function isOpen(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    const found = await lstat(folder).catch(() => undefined);
    return !found || found.uid === ownId();
  }
}

/** The user id that we have; `undefined` where the system does not know us. */
function ownId(): number | undefined {
  try {
    return userInfo().uid;
  } catch {
    return undefined;
  }
}

/** A size for people: "43 MB", "more than 21 MB". */
export function sizeLabel({ bytes, whole }: Pick<TreeSize, 'bytes' | 'whole'>): string {
  return `${whole ? '' : 'more than '}${byteSizeWords(bytes)}`;
}
