import { lstat, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What is in a folder, at any depth: the bytes of files by their paths, as text of base 64 where they are no plain text. Empty where there
 * is none; a file in its stead has the path ''.
 */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found) return {};
  if (!found.isDirectory()) return { '': await textOf(folder) };
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.sort().map(async (file) => [file.slice(folder.length + 1), await textOf(file)]),
  );
  return Object.fromEntries(texts) as Record<string, string>;
}

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  return bytes.includes(0) ? bytes.toString('base64') : bytes.toString('utf8');
}
