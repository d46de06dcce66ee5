// `npm run notices`: writes THIRD-PARTY-NOTICES.txt, the licenses of all that is bundled: what esbuild says that it took out of node_modules, and the
// license files of those packages. test/package/notices.test.ts fails while it is out of date.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackages, root } from './lib/install.mjs';
import { Failure, main, say } from './lib/processes.mjs';
import { build } from './package.mjs';

/** The file that is shipped. */
export const noticesFile = 'THIRD-PARTY-NOTICES.txt';

/**
 * @typedef {object} BundledPackage
 * @property {string} name
 * @property {string} version
 * @property {string} license as its package.json names it
 * @property {string} text of its license files
 */

/**
 * Reads the licenses of packages.
 * @param {readonly string[]} folders below the project's folder
 * @returns {Promise<{ packages: BundledPackage[], lacking: string[] }>} `lacking` says which have no license
 */
export async function readLicenses(folders) {
  /** @type {BundledPackage[]} */
  const packages = [];
  /** @type {string[]} */
  const lacking = [];
  for (const folder of folders) {
    const place = join(root, folder);
    const { name, version, license, author } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'));
    const files = (await readdir(place)).filter((file) => /^(licen[sc]e|notice|copying)/i.test(file)).sort();
    const texts = await Promise.all(files.map((file) => readFile(join(place, file), 'utf8')));
    const text = texts
      .map((each) =>
        each
          .replaceAll('\r\n', '\n')
          .replaceAll(/[ \t]+$/gm, '')
          .trim(),
      )
      .join('\n\n');
    if (typeof license !== 'string' || license === '') lacking.push(`${name} names no license in its package.json`);
    else if (text === '')
      lacking.push(`${name} has no license file (${license}, by ${JSON.stringify(author ?? null)})`);
    else packages.push({ name, version, license, text });
  }
  return { packages, lacking };
}

/**
 * The text of the notices. A license that several packages have word for word is there once.
 * @param {readonly BundledPackage[]} packages
 */
export function noticesOf(packages) {
  /** @type {Map<string, BundledPackage[]>} */
  const byText = new Map();
  const sorted = packages.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  for (const each of sorted) byText.set(each.text, [...(byText.get(each.text) ?? []), each]);
  const line = '-'.repeat(80);
  const parts = [...byText].map(([text, all]) => {
    const names = all.map(({ name, version, license }) => `${name} ${version} (${license})`);
    return `${line}\n${names.join('\n')}\n${line}\n\n${text}\n`;
  });
  return `Worktree Stacks contains parts of these packages. Written by scripts/notices.mjs.\n\n${parts.join('\n')}`;
}

/**
 * The folders of the packages that the bundles in dist/ hold.
 * @returns {Promise<string[]>}
 */
export async function bundledFolders() {
  return JSON.parse(await readFile(join(root, 'dist/packages.json'), 'utf8'));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await ensurePackages();
    await build();
    const { packages, lacking } = await readLicenses(await bundledFolders());
    if (lacking.length > 0) throw new Failure(`Not written: ${lacking.join('; ')}.`);
    await writeFile(join(root, noticesFile), noticesOf(packages));
    say(`${noticesFile} names ${packages.length} packages.`);
  });
}
