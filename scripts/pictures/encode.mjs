// Turns screenshots into small pictures. `sharp` is installed on demand: nothing else needs it.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exists, root } from '../lib/install.mjs';
import { must, say } from '../lib/processes.mjs';

const version = '0.35.5';
const home = join(root, '.cache/sharp', version);
const main = join(home, 'node_modules/sharp/dist/index.mjs');

/** Makes sure that the library is there. */
export async function ensureEncoder() {
  if (await exists(main)) return;
  say('Installing sharp, which makes pictures small (once) …');
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'package.json'), '{ "private": true }\n');
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  await must('sharp could not be installed.', 'npm', ['install', `sharp@${version}`, ...flags], { cwd: home });
}

/** One screenshot, and how long it stays, in milliseconds. @typedef {{ png: Buffer, delay: number }} Frame */

/**
 * Writes a picture as WebP; several frames become one that moves.
 * @param {string} file
 * @param {readonly Frame[]} frames
 * @param {{ width: number, quality: number }} how the width in pixels, and the quality from 1 to 100
 */
export async function writePicture(file, frames, { width, quality }) {
  const { default: sharp } = await import(pathToFileURL(main).href);
  const options = { quality, smartSubsample: true, effort: 6 };
  const images = frames.map(({ png }) => png);
  const picture =
    frames.length === 1
      ? sharp(images[0]).resize(width).webp(options)
      : sharp(images, { join: { animated: true } }).webp({
          ...options,
          loop: 0,
          delay: frames.map(({ delay }) => delay),
          minSize: true,
        });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await picture.toBuffer());
}
