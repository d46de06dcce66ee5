import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file or, without its bytes, a folder. */
interface Kept {
  readonly path: string;
  readonly mode: number;
  readonly bytes?: Buffer;
}

const indexPath = '.git/index';

/**
 * A new repository as git has made it, kept in memory: to write it once more takes a fraction of the processes that made it, and tests begin
 * with thousands of them. Git's samples of hooks are left out.
 */
export class KeptRepository {
  readonly #kept: readonly Kept[];

  private constructor(kept: readonly Kept[]) {
    this.#kept = kept;
  }

  /** @returns `undefined` where its index is not of the plain kind that can be written for another place: one file, SHA-1, second version. */
  static read(root: string): KeptRepository | undefined {
    const index = readFileSync(join(root, indexPath));
    if (process.platform === 'win32' || index.readUInt32BE(4) !== 2 || index.readUInt32BE(8) !== 1) return undefined;
    if (!isSigned(index)) return undefined;
    const entries = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !path.endsWith('.sample'),
    );
    const kept = entries.sort().map((path): Kept => {
      const stat = lstatSync(join(root, path));
      const bytes = stat.isDirectory() ? {} : { bytes: readFileSync(join(root, path)) };
      return { path, mode: stat.mode & 0o777, ...bytes };
    });
    return new KeptRepository(kept);
  }

  /** Writes it into a folder that is there and empty. */
  write(root: string): void {
    for (const { path, mode, bytes } of this.#kept) {
      if (bytes === undefined) mkdirSync(join(root, path), { mode });
      else if (path !== indexPath) writeFileSync(join(root, path), bytes, { mode });
    }
    const index = this.#kept.find(({ path }) => path === indexPath)?.bytes;
    if (index) writeFileSync(join(root, indexPath), indexOf(index, join(root, nameIn(index))));
  }
}

/** Where the one entry of an index begins, and its name in it. */
const entryAt = 12;
const nameAt = entryAt + 62;
const hashLength = 20;

function nameIn(index: Buffer): string {
  return index.toString('utf8', nameAt, index.indexOf(0, nameAt));
}

function signatureOf(index: Buffer): Buffer {
  return createHash('sha1').update(index.subarray(0, -hashLength)).digest();
}

function isSigned(index: Buffer): boolean {
  return signatureOf(index).equals(index.subarray(-hashLength));
}

/** The index for its file at another place: git knows by these numbers that a file is as it was, and does not have to read it. */
function indexOf(original: Buffer, file: string): Buffer {
  const index = Buffer.from(original);
  const { ctimeNs, mtimeNs, dev, ino } = lstatSync(file, { bigint: true });
  const second = 1_000_000_000n;
  const numbers = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second, dev, ino];
  for (const [place, number] of numbers.entries())
    index.writeUInt32BE(Number(BigInt.asUintN(32, number)), entryAt + place * 4);
  signatureOf(index).copy(index, index.length - hashLength);
  return index;
}
