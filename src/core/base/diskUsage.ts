import { lstat, readdir, type Stats } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { limitTo } from './concurrency.ts';
import { stopIfCancelled } from './problem.ts';

/** What a disk gives back once something is deleted. */
export interface Usage {
  /** Allocated blocks, in bytes. A file with several names counts once, and not at all where it has a name elsewhere, too. */
  readonly bytes: number;
  /** How many of them belong to the parts that were asked for, all of them together. */
  readonly inParts: number;
  /** The same of each part by itself. */
  readonly parts: ReadonlyMap<string, number>;
  /** When a file in it was last written, in milliseconds since 1970; 0 where there is none. */
  readonly newest: number;
  /** So many folders and files could not be read, and are not counted. */
  readonly unread: number;
}

/** What is met on the way. */
export interface Met {
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
  /** The part that it lies in; `undefined` in none. The folder of a part lies in it. */
  readonly part: string | undefined;
}

/** How something is measured. */
export interface UsageOptions {
  /** Paths that are counted by themselves as well; what lies in one and in another below it belongs to the lower one. */
  readonly parts?: ReadonlySet<string>;
  /** Paths that are passed over, with all that is below them. */
  readonly except?: ReadonlySet<string>;
  /** Called for every file and folder. */
  readonly onMeet?: (met: Met) => void;
  /** So many folders are read at the same time. Default 8. */
  readonly atOnce?: number;
  readonly signal?: AbortSignal | undefined;
}

type Path = string | Buffer;

/** So many files of a folder are read at the same time: others wait for the disk, too. */
const slice = 16;

/** A folder on the way. */
interface Folder {
  readonly path: Path;
  readonly part: string | undefined;
  readonly device: number;
}

/** A file with several names, and where those were met. */
interface Linked {
  readonly names: number;
  readonly bytes: number;
  seen: number;
  readonly parts: Map<string | undefined, number>;
}

/**
 * Measures what is at some paths. Links are not followed, and other disks that are mounted inside are passed over. What vanishes meanwhile
 * counts nothing.
 *
 * @throws Problem `cancelled`.
 */
export async function diskUsage(roots: readonly string[], options: UsageOptions = {}): Promise<Usage> {
  const { parts = new Set<string>(), except = new Set<string>(), onMeet, atOnce = 8, signal } = options;
  const limit = limitTo(atOnce);
  const linked = new Map<string, Linked>();
  const sums = new Map<string, number>([...parts].map((part) => [part, 0]));
  let [bytes, inParts, newest, unread] = [0, 0, 0, 0];

  const add = async (path: Path, found: Stats, part: string | undefined): Promise<void> => {
    // Where the system does not tell what is allocated, the length has to do.
    const size = Number.isFinite(found.blocks) ? found.blocks * 512 : found.size;
    if (!found.isDirectory() && found.mtimeMs > newest) newest = found.mtimeMs;
    if (found.isDirectory() || found.nlink <= 1) {
      bytes += size;
      if (part !== undefined) {
        inParts += size;
        sums.set(part, (sums.get(part) ?? 0) + size);
      }
      return;
    }
    const id = await identityOf(path, found);
    const known: Linked = linked.get(id) ?? { names: found.nlink, bytes: size, seen: 0, parts: new Map() };
    linked.set(id, known);
    known.seen++;
    known.parts.set(part, (known.parts.get(part) ?? 0) + 1);
  };

  /** @returns the folder that is to be read, with the part that it lies in. */
  const meet = async (
    path: Path,
    name: string,
    above: string | undefined,
    device: number | undefined,
  ): Promise<Folder | undefined> => {
    const text = typeof path === 'string' ? path : undefined;
    if (text !== undefined && except.has(text)) return undefined;
    const found = await statOf(path);
    if (found === undefined) unread++;
    if (typeof found !== 'object' || (device !== undefined && found.dev !== device)) return undefined;
    const part = text !== undefined && parts.has(text) ? text : above;
    const isFolder = found.isDirectory();
    onMeet?.({ path: path.toString(), name, isFolder, part });
    await add(path, found, part);
    return isFolder ? { path, part, device: found.dev } : undefined;
  };

  const read = async ({ path, part, device }: Folder): Promise<void> => {
    const folders = await limit(async () => {
      const names = await namesIn(path);
      if (names === undefined) unread++;
      const inside: Folder[] = [];
      for (let start = 0; start < (names?.length ?? 0); start += slice) {
        stopIfCancelled(signal);
        const some = (names ?? []).slice(start, start + slice);
        const met = await Promise.all(some.map((name) => meet(inFolder(path, name), name.toString(), part, device)));
        for (const each of met) if (each) inside.push(each);
      }
      return inside;
    });
    stopIfCancelled(signal);
    await Promise.all(folders.map(read));
  };

  for (const root of roots) {
    stopIfCancelled(signal);
    const folder = await meet(root, basename(root), undefined, undefined);
    if (folder) await read(folder);
  }
  for (const { names, bytes: size, seen, parts: where } of linked.values()) {
    if (seen >= names) bytes += size;
    let within = 0;
    for (const [part, count] of where) {
      if (part === undefined) continue;
      within += count;
      if (count >= names) sums.set(part, (sums.get(part) ?? 0) + size);
    }
    if (within >= names) inParts += size;
  }
  return { bytes, inParts, parts: sums, newest, unread };
}

/** Tells a file from every other one. A number of more digits than JavaScript keeps is asked for once more, whole. */
async function identityOf(path: Path, { dev, ino }: Stats): Promise<string> {
  if (Number.isSafeInteger(ino)) return `${dev}:${ino}`;
  return new Promise((resolve) =>
    lstat(path, { bigint: true }, (error, found) => resolve(error ? `${dev}:${ino}` : `${found.dev}:${found.ino}`)),
  );
}

/** With callbacks: promises of `node:fs` cost many times as much, and there are a hundred thousand files. */
function statOf(path: Path): Promise<Stats | 'gone' | undefined> {
  return new Promise((resolve) =>
    lstat(path, (error, found) => resolve(!error ? found : error.code === 'ENOENT' ? 'gone' : undefined)),
  );
}

/** The names in a folder, as bytes where one of them is no UTF-8; `undefined` when it cannot be read. */
async function namesIn(folder: Path): Promise<readonly Path[] | undefined> {
  const names = await new Promise<string[] | undefined>((resolve) =>
    readdir(folder, (error, found) => resolve(!error ? found : error.code === 'ENOENT' ? [] : undefined)),
  );
  if (!names?.some((name) => name.includes('\uFFFD'))) return names;
  return new Promise((resolve) => readdir(folder, 'buffer', (error, found) => resolve(error ? undefined : found)));
}

function inFolder(folder: Path, name: Path): Path {
  if (typeof folder === 'string' && typeof name === 'string') return join(folder, name);
  return Buffer.concat([Buffer.from(folder), Buffer.from(sep), Buffer.from(name)]);
}
