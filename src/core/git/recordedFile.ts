import { readFileSync, readlinkSync, type Stats } from 'node:fs';
import { objectId } from './objectId.ts';

/** What git's index has on record of a file that git has looked at: gitformat-index(5). */
export interface RecordedFile {
  readonly oid: string;
  readonly link: boolean;
  readonly executable: boolean;
  /** Of when the file was last changed in any way, on Windows of when it was made; in milliseconds since 1970, with fractions. */
  readonly ctime: number;
  readonly mtime: number;
  /** These are cut to 32 bits, and 0 on Windows. */
  readonly inode: number;
  readonly owner: number;
  readonly group: number;
  /** Cut to 32 bits; 0 also where git did not want to rely on these numbers. */
  readonly size: number;
}

/** What git goes by on a system and in a repository. */
export interface FileSystemRules {
  readonly isWindows: boolean;
  /** Whether it minds which files may be executed. */
  readonly modes: boolean;
}

/** The id of the empty file. */
const emptyFile = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/**
 * What a look at a file tells of it: it is as on record; `touched`, so that its content decides; it has another size, which git takes for
 * a change without reading it; or only git can tell.
 */
export type Difference = 'same' | 'touched' | 'changed' | 'unclear';

/** Compares a file with what is on record of it. */
export function compareWithRecord(
  record: RecordedFile,
  found: Stats,
  { isWindows, modes }: FileSystemRules,
): Difference {
  if (!(record.link ? found.isSymbolicLink() : found.isFile())) return 'unclear';
  if (record.size === 0 && record.oid !== emptyFile) return 'unclear';
  if (modes && !record.link && record.executable !== ((found.mode & 0o100) !== 0)) return 'unclear';
  if (record.size !== cut(found.size)) return record.size === 0 || record.link ? 'unclear' : 'changed';
  if (record.mtime !== found.mtimeMs) return 'touched';
  if (isWindows) return record.ctime === found.birthtimeMs ? 'same' : 'touched';
  const isSameFile = record.ctime === found.ctimeMs && record.inode === cut(found.ino);
  return isSameFile && record.owner === found.uid && record.group === found.gid ? 'same' : 'touched';
}

const cut = (number: number): number => number % 2 ** 32;

/**
 * Whether a file may have been written again after git looked at it and still look the same, since that was in the moment in which the
 * index was written ("racy git"). Moments are compared to the nanosecond, as by libgit2; one without a fraction comes from a disk that
 * counts in seconds.
 *
 * @param indexWritten when that was, in milliseconds since 1970.
 */
export function isRacy({ mtime }: RecordedFile, indexWritten: number): boolean {
  const isCoarse = mtime % 1000 === 0 || indexWritten % 1000 === 0;
  return isCoarse ? Math.floor(mtime / 1000) >= Math.floor(indexWritten / 1000) : mtime >= indexWritten;
}

/**
 * Whether a file has the very bytes of its blob, which is when git has nothing to convert in it: neither line ends nor `$Id$`; and a
 * filter leaves what it has made.
 */
export function hasRecordedContent(record: RecordedFile, path: string): boolean {
  const bytes = record.link ? readlinkSync(path, 'buffer') : readFileSync(path);
  return !bytes.includes('\r') && !bytes.includes('$Id') && objectId('blob', bytes, record.oid) === record.oid;
}
