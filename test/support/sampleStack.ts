import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Makes a repository with these stacks, registered as `wt create` would, and gives its folder:
 *
 *     main
 *      +-- feat-auth            behind: main has gone on
 *      |    +-- auth-ui         two commits, and an uncommitted file
 *      |         +-- auth-docs
 *      +-- pay-api
 */
export async function makeSampleStack(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const git = async (cwd: string, ...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd, env })).stdout.trim();
  await mkdir(folder, { recursive: true });
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await git(folder, 'config', 'user.name', 'Sample Person');
  await git(folder, 'config', 'user.email', 'sample@example.invalid');
  await git(folder, 'config', 'commit.gpgSign', 'false');
  const path = (name: string): string => (name === 'main' ? folder : join(folder, '.worktrees', name));
  const commit = async (name: string, message: string, files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(join(path(name), file, '..'), { recursive: true });
      await writeFile(join(path(name), file), text);
    }
    await git(path(name), 'add', '.');
    await git(path(name), 'commit', '--quiet', '-m', message);
  };
  await commit('main', 'Open the shop', { 'README.md': '# Orchard\n', 'src/price.js': 'export const price = 1;\n' });
  await mkdir(join(folder, '.git/info'), { recursive: true });
  await writeFile(join(folder, '.git/info/exclude'), '/.worktrees/\n/.claude/\n');

  const entries: Record<string, unknown> = {};
  const add = async (name: string, base: string): Promise<void> => {
    await git(folder, 'worktree', 'add', '--quiet', '--no-track', '-b', name, path(name), base);
    entries[name] = {
      path: path(name),
      branch: name,
      base,
      pr: null,
      baseCommit: await git(folder, 'rev-parse', base),
    };
  };
  await add('feat-auth', 'main');
  await commit('feat-auth', 'Add a login', { 'src/login.js': 'export const login = () => true;\n' });
  await add('auth-ui', 'feat-auth');
  await commit('auth-ui', 'Show a form', { 'src/form.js': 'export const form = [];\n' });
  await commit('auth-ui', 'Show a button', { 'src/button.js': 'export const button = "Log in";\n' });
  await writeFile(join(path('auth-ui'), 'notes.txt'), 'Ask about the colour.\n');
  await add('auth-docs', 'auth-ui');
  await commit('auth-docs', 'Tell about it', { 'docs/login.md': '# Log in\n' });
  await add('pay-api', 'main');
  await commit('pay-api', 'Take money', { 'src/pay.js': 'export const pay = () => 1;\n' });
  await commit('main', 'Set a price', { 'src/price.js': 'export const price = 2;\n' });
  await writeFile(
    join(folder, '.worktrees/stack.json'),
    `${JSON.stringify({ version: 1, worktrees: entries }, null, 2)}\n`,
  );
  return folder;
}
