import process from 'node:process';
import { join } from 'node:path';
import { window, workspace, type ExtensionContext } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { environmentOf } from '../../core/base/environment.ts';
import type { Log } from '../../core/base/log.ts';
import { messageOf } from '../../core/base/problem.ts';
import type { ContextKeys } from '../base/contextKeys.ts';
import { findClaude } from './findClaude.ts';
import { seemsInstalled } from './installedPlugin.ts';
import { isWritten, writePlugin } from './pluginFiles.ts';

/** What is remembered of the plugin that was put into its folder last. */
const writtenKey = 'worktreeStacks.pluginWritten';

/** The folder that Claude Code reads the plugin from. */
export function pluginHome(context: ExtensionContext): string {
  return join(context.globalStorageUri.fsPath, 'claude-plugin');
}

/** Puts the plugin of this version into its folder; gives the folder. */
export async function putPlugin(context: ExtensionContext): Promise<string> {
  const folder = pluginHome(context);
  await writePlugin(context.extensionPath, folder, process.execPath, process.platform, process.env);
  await context.globalState.update(writtenKey, markOf(context));
  return folder;
}

/**
 * Keeps the context key that offers the plugin where Claude Code is installed and has none, and keeps a plugin that was installed from here at the
 * version of this extension. Does nothing in a folder that is not trusted.
 */
export function watchPlugin(context: ExtensionContext, log: Log, keys: ContextKeys): Disposable {
  const store = new DisposableStore();
  const look = (): void =>
    void showPluginResult(log, keys).catch((thrown: unknown) => log.warn(`Claude's plugins: ${messageOf(thrown)}`));
  store.add(window.onDidChangeWindowState(({ focused }) => focused && look()));
  store.add(workspace.onDidGrantWorkspaceTrust(look));
  look();
  void renew(context).catch((thrown: unknown) =>
    log.warn(`The plugin for Claude Code could not be brought to this version: ${messageOf(thrown)}`),
  );
  return store;
}

/** Sets the context key after what is installed now. */
export async function showPluginResult(log: Log, keys: ContextKeys): Promise<void> {
  if (!workspace.isTrusted) return;
  const environment = environmentOf(process, log);
  const [claude, installed] = await Promise.all([findClaude(environment), seemsInstalled(environment)]);
  keys.set('worktreeStacks.claudePlugin', claude ? ((installed ?? false) ? 'installed' : 'missing') : 'noClaude');
}

async function renew(context: ExtensionContext): Promise<void> {
  if (!workspace.isTrusted || context.globalState.get(writtenKey) === markOf(context)) return;
  if (await isWritten(pluginHome(context))) await putPlugin(context);
}

/** Both change with an update: ours, and that of the editor whose runtime starts the hooks. */
function markOf({ extension }: ExtensionContext): string {
  return `${String((extension.packageJSON as { version?: unknown }).version)} ${process.execPath}`;
}
