import { chmod, mkdir, readFile, readdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pathBelow } from '../../core/base/paths.ts';
import { rm } from '../../core/base/heldFiles.ts';
import { readTextIfThere, writeAtomically } from '../../core/base/atomicFile.ts';
import type { Environment } from '../../core/base/environment.ts';
import { findGitShell } from '../../core/base/windowsShell.ts';
import { hooksForWindows } from '../../core/claude/pluginHooks.ts';

/** The name of the plugin in Claude Code's own list: the plugin's, and its marketplace's. */
export const pluginId = 'worktree-stacks@worktree-stacks';

/**
 * Puts the plugin into a folder that stays: Claude Code reads it in place, and the extension's own folder goes with each update. Sessions
 * may be running with it, so each file is replaced for itself and none is missing in between.
 *
 * @param extension the folder of the extension.
 * @param folder where it goes; becomes a marketplace for Claude Code.
 * @param runtime the JavaScript runtime that hooks are started with.
 * @param platform the system that it is for.
 * @param variables those by which Git for Windows is found there.
 */
export async function writePlugin(
  extension: string,
  folder: string,
  runtime: string,
  platform: NodeJS.Platform,
  variables: Environment['variables'],
): Promise<void> {
  const plugin = join(extension, 'plugin');
  const files = new Map<string, Promise<string>>();
  const marketplace = join('.claude-plugin', 'marketplace.json');
  files.set(marketplace, readFile(join(extension, marketplace), 'utf8'));
  for (const file of await filesBelow(plugin)) files.set(join('plugin', file), readFile(join(plugin, file), 'utf8'));
  const hooks = join('plugin', 'hooks', 'hooks.json');
  if (platform === 'win32') {
    const shell = findGitShell(variables) === undefined ? 'powershell' : 'bash';
    files.set(
      hooks,
      readFile(join(extension, hooks), 'utf8').then((text) => hooksForWindows(text, shell)),
    );
  }
  // `wt`, the hook runner, and what they load: everything that lies beside them.
  const programs = (await readdir(join(extension, 'dist'))).filter((file) => /^(.+\.js|package\.json)$/.test(file));
  for (const file of programs) files.set(join('plugin', 'dist', file), readFile(join(extension, 'dist', file), 'utf8'));
  files.set(join('plugin', 'runtime'), Promise.resolve(`${runtime}\n`));
  await Promise.all([...files].map(async ([file, text]) => writeIfOther(join(folder, file), await text)));
  // What an earlier version brought along and this one does not.
  const old = (await filesBelow(folder)).filter((file) => !files.has(file));
  await Promise.all(old.map((file) => rm(join(folder, file), { force: true })));
}

/** Whether the plugin was put into the folder. */
export async function isWritten(folder: string): Promise<boolean> {
  return stat(join(folder, 'plugin')).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function writeIfOther(file: string, text: string): Promise<void> {
  if ((await readTextIfThere(file)) === text) return;
  await mkdir(dirname(file), { recursive: true });
  await writeAtomically(file, text);
  if (file.split(sep).includes('bin')) await chmod(file, 0o755);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => pathBelow(folder, join(entry.parentPath, entry.name)) ?? entry.name);
}
