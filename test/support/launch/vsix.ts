import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/install.mjs';

/** The VSIX that `npm run package` made. */
export async function packagedVsix(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const vsix = join(root, `worktree-stacks-${version}.vsix`);
  if (!existsSync(vsix)) throw new Error(`${vsix} is missing: npm run package makes it.`);
  return vsix;
}
