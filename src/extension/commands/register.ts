import { commands, l10n } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { showFailure } from '../messages.ts';
import type { Services } from '../services.ts';

/** What a command does; it may be given the row that it was chosen on, all rows that are selected, or an argument object. */
export type Command = (services: Services, ...args: unknown[]) => Promise<unknown>;

/** Every command: what it is called in a message, and where its code is, loaded when it is first used. */
const table: Readonly<Record<string, { readonly title: () => string; readonly load: () => Promise<Command> }>> = {
  'worktreeStacks.create': {
    title: () => l10n.t('Create Worktree'),
    load: async () => (await import('./createWorktree.ts')).createWorktreeCommand,
  },
  'worktreeStacks.cleanup': {
    title: () => l10n.t('Remove Worktree'),
    load: async () => (await import('./cleanupWorktree.ts')).cleanupWorktreeCommand,
  },
  'worktreeStacks.openHere': {
    title: () => l10n.t('Open Worktree in This Window'),
    load: async () => (await import('./openWorktree.ts')).openHere,
  },
  'worktreeStacks.openInNewWindow': {
    title: () => l10n.t('Open Worktree in New Window'),
    load: async () => (await import('./openWorktree.ts')).openInNewWindow,
  },
  'worktreeStacks.openInTerminal': {
    title: () => l10n.t('Open Worktree in Terminal'),
    load: async () => (await import('./openInTerminal.ts')).openInTerminal,
  },
  'worktreeStacks.switchActive': {
    title: () => l10n.t('Switch Active Worktree'),
    load: async () => (await import('./switchActive.ts')).switchActiveCommand,
  },
  'worktreeStacks.clearActive': {
    title: () => l10n.t('Clear Active Worktree'),
    load: async () => (await import('./clearActive.ts')).clearActiveCommand,
  },
  'worktreeStacks.showWorktrees': {
    title: () => l10n.t('Show Worktrees'),
    load: async () => (await import('./showWorktrees.ts')).showWorktrees,
  },
  'worktreeStacks.diff': {
    title: () => l10n.t('Compare Worktree with Its Base'),
    load: async () => (await import('./diffWorktree.ts')).diffWorktree,
  },
  'worktreeStacks.openChange': {
    title: () => l10n.t('Open Changes'),
    load: async () => (await import('./openChange.ts')).openChange,
  },
  'worktreeStacks.openFile': {
    title: () => l10n.t('Open File'),
    load: async () => (await import('./openChange.ts')).openFile,
  },
  'worktreeStacks.reveal': {
    title: () => l10n.t('Reveal Worktree'),
    load: async () => (await import('./revealWorktree.ts')).revealWorktree,
  },
  'worktreeStacks.copyPath': {
    title: () => l10n.t('Copy Path of Worktree'),
    load: async () => (await import('./copyPath.ts')).copyPath,
  },
  'worktreeStacks.startClaude': {
    title: () => l10n.t('Start Claude in a Worktree'),
    load: async () => (await import('./startClaude.ts')).startClaudeCommand,
  },
  'worktreeStacks.showDecisions': {
    title: () => l10n.t('Show Decisions of Hooks'),
    load: async () => (await import('./showDecisions.ts')).showDecisions,
  },
  'worktreeStacks.installClaudePlugin': {
    title: () => l10n.t('Install the Claude Code Plugin'),
    load: async () => (await import('./installClaudePlugin.ts')).installClaudePlugin,
  },
  'worktreeStacks.refresh': {
    title: () => l10n.t('Refresh'),
    load: async () => (await import('./refresh.ts')).refresh,
  },
  'worktreeStacks.showLog': {
    title: () => l10n.t('Show Log'),
    load: async () => async (services) => services.channel.show(),
  },
};

/** The ids of all commands. */
export const commandIds = Object.keys(table);

/**
 * Registers every command behind one wrapper: what fails is logged and told with the next step, and does not reject, since nobody who starts a
 * command from a menu could do anything with a rejection.
 */
export function registerCommands(services: Services): Disposable {
  const store = new DisposableStore();
  for (const [id, { title, load }] of Object.entries(table)) {
    store.add(
      commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          const run = await load();
          return await run(services, ...args);
        } catch (thrown) {
          showFailure(services.channel, title(), thrown);
          return undefined;
        }
      }),
    );
  }
  return store;
}
