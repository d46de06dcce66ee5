import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOnIn } from '../git/configText.ts';

/**
 * Reads the shared configuration for what it says of sparse checkouts. No git process: it would take one for each worktree.
 *
 * @returns whether the working tree with a git directory is a sparse checkout. Its own configuration counts before the shared one, and
 *   as for git only with `extensions.worktreeConfig`; without that nothing more is read.
 */
export async function readSparse(commonDir: string): Promise<(gitDir: string) => Promise<boolean>> {
  const shared = await textOf(join(commonDir, 'config'));
  const forAll = isOnIn(shared, 'core', 'sparsecheckout') ?? false;
  if (!isOnIn(shared, 'extensions', 'worktreeconfig')) return () => Promise.resolve(forAll);
  return async (gitDir) => isOnIn(await textOf(join(gitDir, 'config.worktree')), 'core', 'sparsecheckout') ?? forAll;
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
