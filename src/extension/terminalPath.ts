import { chmod } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { l10n, workspace, type ExtensionContext } from 'vscode';
import { readTextIfThere, writeAtomically } from '../core/base/atomicFile.ts';

/** The setting that keeps `wt` out of terminals: another program may be called so. */
const setting = 'worktreeStacks.terminal.addToPath';

/**
 * Puts `wt` on the path of the terminals of this window. The folder of an extension is called after its version, so terminals, hooks and scripts are
 * given a launcher that stays where it is and is renewed with each version.
 */
export async function addToTerminalPath(context: ExtensionContext): Promise<void> {
  const collection = context.environmentVariableCollection;
  if (workspace.getConfiguration().get<boolean>(setting) === false) {
    collection.delete('PATH');
    return;
  }
  const folder = join(context.globalStorageUri.fsPath, 'bin');
  const program = join(context.extensionPath, 'dist', 'wt.js');
  await writeLaunchers(folder, process.execPath, program, process.versions['electron'] !== undefined);
  collection.description = l10n.t('Makes the command wt available in terminals.');
  collection.prepend('PATH', `${folder}${delimiter}`);
}

/** Whether a change of the configuration concerns the terminals' path. */
export function concernsTerminalPath(event: { affectsConfiguration(section: string): boolean }): boolean {
  return event.affectsConfiguration(setting);
}

/** Writes the launchers, for POSIX shells and for Windows; a file that says the same already is left alone. */
async function writeLaunchers(folder: string, runtime: string, program: string, electron: boolean): Promise<void> {
  const files: [string, string][] = [
    [join(folder, 'wt'), shellLauncher(runtime, program, electron)],
    [join(folder, 'wt.cmd'), batchLauncher(runtime, program, electron)],
  ];
  for (const [file, text] of files) {
    if ((await readTextIfThere(file)) === text) continue;
    await writeAtomically(file, text, { mode: 0o755 });
    await chmod(file, 0o755);
  }
}

/** The runtime of the editor may be gone after an update, until a window has renewed the launcher; any Node does as well. */
export function shellLauncher(runtime: string, program: string, electron: boolean): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const asNode = electron ? 'ELECTRON_RUN_AS_NODE=1 ' : '';
  return [
    '#!/bin/sh',
    '# Written by the VS Code extension Worktree Stacks; renewed with each version.',
    `if [ -x ${quoted(runtime)} ]; then`,
    `  ${asNode}exec ${quoted(runtime)} ${quoted(program)} "$@"`,
    'fi',
    `exec node ${quoted(program)} "$@"`,
    '',
  ].join('\n');
}

/** The same for Windows. */
export function batchLauncher(runtime: string, program: string, electron: boolean): string {
  const quoted = (text: string): string => `"${text.replaceAll('%', '%%')}"`;
  return [
    '@echo off',
    'rem Written by the VS Code extension Worktree Stacks; renewed with each version.',
    'setlocal',
    ...(electron ? ['set "ELECTRON_RUN_AS_NODE=1"'] : []),
    `if exist ${quoted(runtime)} (${quoted(runtime)} ${quoted(program)} %*) else (node ${quoted(program)} %*)`,
    '',
  ].join('\r\n');
}
