// Brings the sample's own extension (companion/) into a VS Code.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = join(dirname(fileURLToPath(import.meta.url)), 'companion');

/**
 * Copies it, as a desktop VS Code takes an extension in development.
 * @param {string} target a folder that does not exist yet
 * @param {object} window
 * @param {string | undefined} window.sample the folder of the sample, where it is open
 * @param {string} window.node the program that runs the sample's agents
 */
export async function copyCompanion(target, { sample, node }) {
  await cp(source, target, { recursive: true });
  await writeFile(join(target, 'place.json'), JSON.stringify({ sample, node }));
}

/**
 * Installs it beside the other extensions of VS Code's server.
 * @param {string} extensions the folder of extensions
 * @param {{ sample: string | undefined, node: string }} window as {@link copyCompanion} takes it
 */
export async function installCompanion(extensions, window) {
  const { name, publisher, version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  const id = `${publisher}.${name}`;
  const relativeLocation = `${id}-${version}`;
  const path = join(extensions, relativeLocation);
  await copyCompanion(path, window);
  const list = join(extensions, 'extensions.json');
  const before = JSON.parse(await readFile(list, 'utf8').catch(() => '[]'));
  const entry = {
    identifier: { id },
    version,
    location: { $mid: 1, path, scheme: 'file' },
    relativeLocation,
    metadata: {},
  };
  await writeFile(list, JSON.stringify([...before, entry]));
}
