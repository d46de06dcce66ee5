// `npm run package`: builds, and packs the extension into worktree-stacks-<version>.vsix.
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackages, node24, root } from './lib/install.mjs';
import { Failure, main, must, say } from './lib/processes.mjs';

/** The most bytes that an install may cost. Three programs with all that they need, and the pictures of the walkthrough. */
export const mostBytes = 1.5 * 1_048_576;

/** Bundles the programs into dist/. */
export async function build() {
  await must('The build failed.', node24, [join(root, 'scripts/build.mjs')], { cwd: root });
}

/**
 * Packs what dist/ holds.
 * @returns {Promise<string>} the VSIX
 */
export async function packExtension() {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const vsix = join(root, `worktree-stacks-${version}.vsix`);
  await rm(vsix, { force: true });
  const vsce = join(root, 'node_modules/@vscode/vsce/vsce');
  // The bundles hold their dependencies, so none is packed. Pictures and links of the README become addresses of the repository.
  const flags = ['--no-dependencies', '--out', vsix];
  await must('The extension could not be packed.', node24, [vsce, 'package', ...flags], { cwd: root });
  return vsix;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await ensurePackages();
    await build();
    const vsix = await packExtension();
    const { size } = await stat(vsix);
    say(`${vsix} (${Math.ceil(size / 1024)} KiB)`);
    if (size > mostBytes) throw new Failure('That is more than the 1.5 MiB that an install may cost.');
  });
}
