import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Dirent } from 'node:fs';

/** A path; as bytes where one of its names is no UTF-8. */
export type RawPath = string | Buffer;

/** An entry of a folder, with its name as {@link RawPath}. */
export type RawEntry = Pick<Dirent, 'isDirectory' | 'isFile' | 'isSymbolicLink'> & { readonly name: RawPath };

/** What is in a folder, with names that lead there whatever their bytes are. */
export async function readRawFolder(folder: RawPath): Promise<RawEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes('\uFFFD'))) return entries;
  return readdir(folder, { withFileTypes: true, encoding: 'buffer' });
}

/** The path of an entry of a folder. */
export function inFolder(folder: RawPath, name: RawPath): RawPath {
  if (typeof folder === 'string' && typeof name === 'string') return join(folder, name);
  return Buffer.concat([Buffer.from(folder), Buffer.from(sep), Buffer.from(name)]);
}

/** A path below a folder, byte for byte; git writes it with forward slashes. */
export function pathIn(folder: string, raw: Buffer): Buffer {
  const below = sep === '/' ? raw : Buffer.from(raw.toString('utf8').replaceAll('/', sep));
  return Buffer.concat([Buffer.from(`${folder}${sep}`), below]);
}
