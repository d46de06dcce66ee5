import type { RecordedFile } from './recordedFile.ts';

/*
 * Git's index, read as bytes: gitformat-index(5), the second and third format. Each entry has ten numbers of 32 bits (times, device, inode,
 * mode, owner, group, size), the id, two bytes of flags, and the path with zero bytes after it.
 */

/** The length of an object's id; an index of a SHA-256 repository does not parse with it, and is then in doubt. */
const oidBytes = 20;

/** The first bytes of an index, which tell its format and the number of its entries. */
const headBytes = 12;

/** Told of each entry where it begins, where its flags are and where its path ends; it says whether to go on. */
type Visit = (index: Buffer, entry: number, flagsAt: number, pathEnd: number) => boolean;

/**
 * Whether a git index may hold entries that are not plain files and links: submodules, folders that stand for their files, and
 * entries marked `assume-unchanged` or `skip-worktree`. A quick look at the bytes that spares a process in nearly all repositories; in
 * doubt, as with formats that it does not know, the answer is yes.
 */
export function mayHoldSpecialEntries(index: Buffer): boolean {
  return walk(index, isPlain) === undefined;
}

/** The tracked files of a folder by name, each with the place of its entry in the index, and the folders in it. */
export interface TrackedFolder {
  readonly files: ReadonlyMap<string, number>;
  readonly folders: ReadonlyMap<string, TrackedFolder>;
}

/** What an index says of its files, where they are nothing but plain files and links. */
export interface TrackedFiles {
  readonly root: TrackedFolder;
  /** The id of the tree that a commit of this index would have; `undefined` where git has not written it down. */
  readonly tree: string | undefined;
}

/**
 * Reads the tracked files of an index.
 *
 * @param most an index of more files is not read.
 * @returns `undefined` where there are more, or something else than {@link mayHoldSpecialEntries} lets pass, a conflict, or a name
 *   that is no UTF-8.
 */
export function readTrackedFiles(index: Buffer, most: number): TrackedFiles | undefined {
  if (index.length < headBytes || index.readUInt32BE(8) > most) return undefined;
  const root = emptyFolder();
  let [folder, prefix] = [root, ''];
  const end = walk(index, (_, entry, flagsAt, pathEnd) => {
    const stage = index.readUInt16BE(flagsAt) & 0x3000;
    if (stage !== 0 || !isPlain(index, entry, flagsAt)) return false;
    const path = index.toString('utf8', flagsAt + 2, pathEnd);
    const name = path.lastIndexOf('/') + 1;
    // In git's order most files of a folder follow one another.
    if (name !== prefix.length || !path.startsWith(prefix)) {
      prefix = path.slice(0, name);
      folder = folderAt(root, prefix);
    }
    folder.files.set(path.slice(name), entry);
    return !path.includes('\uFFFD');
  });
  return end === undefined ? undefined : { root, tree: treeIn(index, end) };
}

/** Reads one entry. @param entry where it begins, as in {@link TrackedFolder.files}. */
export function recordedFile(index: Buffer, entry: number): RecordedFile {
  const number = (field: number): number => index.readUInt32BE(entry + 4 * field);
  const mode = number(6);
  return {
    oid: index.toString('hex', entry + 40, entry + 40 + oidBytes),
    link: (mode & 0o170000) === 0o120000,
    executable: (mode & 0o100) !== 0,
    // As Node computes them, so that equal times are equal numbers.
    ctime: number(0) * 1000 + number(1) / 1e6,
    mtime: number(2) * 1000 + number(3) / 1e6,
    inode: number(5),
    owner: number(7),
    group: number(8),
    size: number(9),
  };
}

interface OpenFolder {
  readonly files: Map<string, number>;
  readonly folders: Map<string, OpenFolder>;
}

const emptyFolder = (): OpenFolder => ({ files: new Map(), folders: new Map() });

/** @param prefix empty or with a slash at its end. */
function folderAt(root: OpenFolder, prefix: string): OpenFolder {
  let folder = root;
  for (const name of prefix.split('/').slice(0, -1)) {
    const inner = folder.folders.get(name) ?? emptyFolder();
    folder.folders.set(name, inner);
    folder = inner;
  }
  return folder;
}

/** Whether an entry is a plain file or a link, and has none of the two highest flags: assume-valid, and that there are more of them. */
function isPlain(index: Buffer, entry: number, flagsAt: number): boolean {
  const kind = index.readUInt32BE(entry + 24) & 0o170000;
  return (kind === 0o100000 || kind === 0o120000) && (index.readUInt16BE(flagsAt) & 0xc000) === 0;
}

/**
 * Goes through the entries.
 *
 * @returns where they end; `undefined` when it was stopped, the bytes are no whole index, or something in it has to be known to read it.
 */
function walk(index: Buffer, visit: Visit): number | undefined {
  if (index.length < headBytes + oidBytes || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  let start = headBytes;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flagsAt = start + 40 + oidBytes;
    if (flagsAt + 2 > index.length) return undefined;
    const length = index.readUInt16BE(flagsAt) & 0x0fff;
    const end = length < 0x0fff ? flagsAt + 2 + length : index.indexOf(0, flagsAt + 2);
    if (end < 0 || index[end] !== 0 || !visit(index, start, flagsAt, end)) return undefined;
    // One to eight zero bytes, so that the length of the entry is a multiple of eight.
    start += ((end - start + 8) >> 3) << 3;
  }
  return [...sections(index, start)].every(({ name }) => name !== undefined && isOptional(name)) ? start : undefined;
}

/** A section that begins with a small letter has to be understood: in `link` most entries are in another file. */
const isOptional = (name: string): boolean => /^[A-Z]/.test(name);

interface Section {
  /** `undefined` for bytes that are no section: sections and the checksum must follow to the last byte. */
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
}

function* sections(index: Buffer, from: number): Generator<Section> {
  let at = from;
  while (at + 8 <= index.length - oidBytes) {
    const [start, end] = [at + 8, at + 8 + index.readUInt32BE(at + 4)];
    yield { name: index.toString('latin1', at, at + 4), start, end };
    at = end;
  }
  if (at !== index.length - oidBytes) yield { name: undefined, start: at, end: at };
}

/** The section `TREE` begins with the root: an empty path, the number of its entries (-1 where it is not known), that of its folders, the id. */
function treeIn(index: Buffer, from: number): string | undefined {
  for (const { name, start, end } of sections(index, from)) {
    if (name !== 'TREE') continue;
    const head = /^\0\d+ \d+\n/.exec(index.toString('latin1', start, Math.min(end, start + 32)))?.[0];
    const oidAt = start + (head?.length ?? 0);
    return head !== undefined && oidAt + oidBytes <= end ? index.toString('hex', oidAt, oidAt + oidBytes) : undefined;
  }
  return undefined;
}
