import { delimiter, join } from 'node:path';
import process from 'node:process';
import { l10n, workspace, type ExtensionContext } from 'vscode';
import { environmentOf } from '../core/base/environment.ts';
import type { Log } from '../core/base/log.ts';
import { commandLaunchers, writeLauncherFiles } from '../core/repository/launchers.ts';

/** The setting that keeps `wt` out of terminals: another program may be called so. */
const setting = 'worktreeStacks.terminal.addToPath';

/**
 * Puts `wt` on the path of the terminals of this window. The folder of an extension is called after its version, so terminals get
 * a launcher in a place that stays, renewed with each version.
 */
export async function addToTerminalPath(context: ExtensionContext, log: Log): Promise<void> {
  const collection = context.environmentVariableCollection;
  if (workspace.getConfiguration().get<boolean>(setting) === false) {
    collection.delete('PATH');
    return;
  }
  const folder = await makeLauncher(context, log);
  collection.description = l10n.t('Makes the command wt available in terminals.');
  collection.prepend('PATH', `${folder}${delimiter}`);
}

/** Writes the launcher of `wt`; gives its folder. */
async function makeLauncher({ globalStorageUri, extensionPath }: ExtensionContext, log: Log): Promise<string> {
  const folder = join(globalStorageUri.fsPath, 'bin');
  const environment = environmentOf(process, log);
  await writeLauncherFiles(environment, commandLaunchers(environment, folder, join(extensionPath, 'dist', 'wt.js')));
  return folder;
}

/** The variables of a terminal in which we run `wt` ourselves: it is on the path there whatever the setting says. */
export async function variablesWithWt(context: ExtensionContext, log: Log): Promise<Record<string, string>> {
  return { PATH: `${await makeLauncher(context, log)}${delimiter}${process.env['PATH'] ?? ''}` };
}

/** Whether a change of the configuration concerns the terminals' path. */
export function concernsTerminalPath(event: { affectsConfiguration(section: string): boolean }): boolean {
  return event.affectsConfiguration(setting);
}
