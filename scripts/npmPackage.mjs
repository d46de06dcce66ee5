// `npm run package:npm`: makes the npm package of `wt` from the bundles, in artifacts/npm/. It has no dependencies: all is in the bundles.
import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackages, root } from './lib/install.mjs';
import { main, must, say } from './lib/processes.mjs';
import { noticesFile } from './notices.mjs';
import { build } from './package.mjs';

/** Where the package and its archive are made. */
const folder = join(root, 'artifacts/npm');

/** What `wt` is made of; the rest of dist/ is the extension's. */
const bundles = [
  ...[
    'wt.js',
    'wtProgram.js',
    'hook.js',
    'hookProgram.js',
    'octokit.js',
    'yamlText.js',
    'listPrompt.js',
    'package.json',
  ],
];

/**
 * The manifest of the package, from that of the project.
 * @param {Record<string, unknown>} project
 */
function manifestOf({ name, version, license, homepage, repository, bugs, engines, keywords }) {
  return {
    ...{ name, version, license, homepage, repository, bugs, keywords },
    description: 'wt: git worktrees in stacks, for people who run several coding agents side by side.',
    // `npx worktree-stacks` runs the program that is called like the package.
    bin: { wt: 'dist/wt.js', 'worktree-stacks': 'dist/wt.js' },
    engines: { node: /** @type {{ node: string }} */ (engines).node },
    files: ['dist', noticesFile],
    publishConfig: { access: 'public' },
  };
}

/**
 * Puts the package together from what dist/ holds, and packs it.
 * @returns {Promise<string>} the archive
 */
export async function packNpm() {
  const project = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const place = join(folder, 'worktree-stacks');
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(place, 'dist'), { recursive: true });
  await Promise.all([
    ...bundles.map((file) => copyFile(join(root, 'dist', file), join(place, 'dist', file))),
    ...['LICENSE', noticesFile].map((file) => copyFile(join(root, file), join(place, file))),
    copyFile(join(root, 'scripts/npm-readme.md'), join(place, 'README.md')),
    writeFile(join(place, 'package.json'), `${JSON.stringify(manifestOf(project), undefined, 2)}\n`),
  ]);
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  await must('The npm package could not be packed.', 'npm', args, { cwd: place });
  return join(folder, `${project.name}-${project.version}.tgz`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await ensurePackages();
    await build();
    const archive = await packNpm();
    say(`${archive} (${Math.ceil((await stat(archive)).size / 1024)} KiB)`);
  });
}
