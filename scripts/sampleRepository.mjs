// A small repository with worktrees in the states that a person meets, for `npm start` and for tests of the editor.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { must } from './lib/processes.mjs';

/**
 * The sample's worktrees by name, and what is special about each.
 * @type {Record<string, string>}
 */
export const sampleWorktrees = {
  'payment-form': 'one commit ahead of main',
  'search-index': 'uncommitted changes',
  'release-notes': 'locked, with a reason',
  'old-experiment': 'its folder was deleted by hand',
};

/**
 * Makes the sample repository.
 * @param {string} folder a folder that does not exist yet
 * @param {NodeJS.ProcessEnv} [env] git's environment
 * @returns {Promise<string>} the folder
 */
export async function makeSampleRepository(folder, env = process.env) {
  await mkdir(folder, { recursive: true });
  /** @param {string[]} args */
  const git = (...args) => must('The sample repository could not be made.', 'git', args, { cwd: folder, env });
  /**
   * @param {string} file
   * @param {string} text
   */
  const write = async (file, text) => {
    await mkdir(join(folder, file, '..'), { recursive: true });
    await writeFile(join(folder, file), text);
  };

  await git('init', '--quiet', '--initial-branch=main');
  // The sample must work on a machine where git has never been told who its user is, and needs no signing key.
  await git('config', 'user.name', 'Sample Person');
  await git('config', 'user.email', 'sample@example.invalid');
  await git('config', 'commit.gpgSign', 'false');
  await write('README.md', '# Orchard\n\nA small shop, to try Worktree Stacks on.\n');
  await write('src/cart.js', 'export const total = (items) => items.reduce((sum, item) => sum + item.price, 0);\n');
  await write(
    'src/search.js',
    'export const search = (items, word) => items.filter((item) => item.name.includes(word));\n',
  );
  await git('add', '.');
  await git('commit', '--quiet', '--message', 'Open the shop');

  const exclude = join(folder, '.git/info/exclude');
  await mkdir(join(folder, '.git/info'), { recursive: true });
  await writeFile(exclude, `${await readFile(exclude, 'utf8').catch(() => '')}/.worktrees/\n`);
  for (const name of Object.keys(sampleWorktrees)) {
    await git('worktree', 'add', '--quiet', '-b', name, `.worktrees/${name}`);
  }

  await write('.worktrees/payment-form/src/payment.js', 'export const pay = (cart) => ({ paid: cart.total });\n');
  await git('-C', '.worktrees/payment-form', 'add', '.');
  await git('-C', '.worktrees/payment-form', 'commit', '--quiet', '--message', 'Add a payment form');
  await write(
    '.worktrees/search-index/src/search.js',
    'export const search = (index, word) => index.get(word) ?? [];\n',
  );
  await write('.worktrees/search-index/src/searchIndex.js', 'export const index = new Map();\n');
  await git('worktree', 'lock', '--reason', 'waits for the release on Friday', '.worktrees/release-notes');
  await rm(join(folder, '.worktrees/old-experiment'), { recursive: true });
  return folder;
}
