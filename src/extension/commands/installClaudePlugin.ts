import { homedir } from 'node:os';
import process from 'node:process';
import { stat } from 'node:fs/promises';
import { isWithin } from '../../core/base/paths.ts';
import { l10n, window, workspace } from 'vscode';
import { environmentOf } from '../../core/base/environment.ts';
import { Problem } from '../../core/base/problem.ts';
import type { Progress } from '../../core/worktree/model.ts';
import { runClient } from '../claude/client.ts';
import { findClaude, type ClaudeProgram } from '../claude/findClaude.ts';
import { findPlugin, type InstalledPlugin } from '../claude/installedPlugin.ts';
import { pluginId } from '../claude/pluginFiles.ts';
import { pluginHome, putPlugin, showPluginResult } from '../claude/pluginState.ts';
import { withProgress } from '../base/progress.ts';
import type { Services } from '../services/services.ts';
import { showMissing } from './startClaude.ts';
import { verbatim } from '../../core/messages/message.ts';

/** What came of it. */
export type PluginOutcome = 'installed' | 'switched-on' | 'already' | 'no-claude';

/** Installs our plugin into Claude Code, for this user: the guards, the reminder and the skills. */
export async function installClaudePlugin(services: Services): Promise<PluginOutcome> {
  const { context, log, keys } = services;
  if (!workspace.isTrusted) {
    throw new Problem('unsupported', verbatim(l10n.t('This folder is not trusted, so no command runs in it.')), {
      next: verbatim(l10n.t('trust the folder if you trust its authors')),
    });
  }
  const claude = await findClaude(environmentOf(process, log));
  if (!claude) {
    void showMissing();
    return 'no-claude';
  }
  const title = l10n.t('Installing the plugin for Claude Code');
  try {
    const { outcome, before } = await withProgress(title, (progress, signal) =>
      install(claude, () => putPlugin(context), progress, signal),
    );
    void window.showInformationMessage(textFor(outcome, before, pluginHome(context)));
    return outcome;
  } finally {
    await showPluginResult(log, keys);
  }
}

async function install(
  claude: ClaudeProgram,
  put: () => Promise<string>,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ outcome: PluginOutcome; before: InstalledPlugin | undefined }> {
  // Nothing of this window's folder is to count: what is installed is the user's.
  const run = (...args: string[]): Promise<string> =>
    runClient(claude, ['plugin', ...args], { cwd: homedir(), signal });
  progress(verbatim(l10n.t('Checking the installed plugins')));
  const before = findPlugin(await run('list', '--json'));
  const there = before?.folder !== undefined && (await stat(before.folder).catch(() => undefined)) !== undefined;
  if (before && there) {
    if (before.enabled) return { outcome: 'already', before };
    await run('enable', pluginId, '--scope', 'user');
    return { outcome: 'switched-on', before };
  }
  const folder = await put();
  progress(verbatim(l10n.t('Adding the marketplace')));
  await run('marketplace', 'add', folder);
  progress(verbatim(l10n.t('Installing {0}', pluginId)));
  await run('install', pluginId);
  return { outcome: 'installed', before };
}

function textFor(outcome: PluginOutcome, before: InstalledPlugin | undefined, home: string): string {
  switch (outcome) {
    case 'installed':
      return l10n.t(
        'The plugin for Claude Code is installed. New sessions have it; in one that runs already, type /reload-plugins.',
      );
    case 'switched-on':
      return l10n.t('The plugin for Claude Code was disabled. It is now enabled.');
    default: {
      const folder = before?.folder;
      return folder === undefined || isWithin(home, folder)
        ? l10n.t('The plugin for Claude Code is already installed.')
        : l10n.t('The plugin for Claude Code is already installed from {0}.', folder);
    }
  }
}
