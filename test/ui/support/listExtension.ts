import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An extension that lies in the folder of extensions, as VS Code lists it. */
export interface ListedExtension {
  readonly id: string;
  readonly version: string;
  /** The name of its folder. */
  readonly relativeLocation: string;
}

/** Adds an extension to the list of those that are installed: where there is a list, folders alone are not looked at. */
export async function listExtension(
  extensions: string,
  { id, version, relativeLocation }: ListedExtension,
): Promise<void> {
  const list = join(extensions, 'extensions.json');
  const before = JSON.parse(await readFile(list, 'utf8').catch(() => '[]')) as object[];
  const location = { $mid: 1, path: join(extensions, relativeLocation), scheme: 'file' };
  const entry = { identifier: { id }, version, location, relativeLocation, metadata: {} };
  await writeFile(list, JSON.stringify([...before, entry]));
}
