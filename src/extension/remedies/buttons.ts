import { basename } from 'node:path';
import { Uri, commands, env, l10n, window, workspace } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { Remedy } from '../../core/messages/remedy.ts';
import { showFailure, type FailureButton } from '../base/messages.ts';
import { uriOf } from '../base/uris.ts';
import { withoutHooks } from '../hookTalk.ts';
import type { Services } from '../services/services.ts';

/** The most buttons that a notification has beside the one that opens the log. */
const most = 3;

/**
 * Shows a failure with a button for each of its remedies.
 *
 * @param title of the command that failed.
 * @param retry does the same once more; without it nothing is offered that needs it.
 */
export function tellFailure(services: Services, title: string, thrown: unknown, retry?: () => unknown): void {
  const remedies = Problem.is(thrown) ? thrown.remedies : [];
  showFailure(services.channel, title, thrown, remedyButtons(services, title, remedies, retry));
}

/** The buttons of remedies, the most helpful ones first; those that need a `retry` only where there is one. */
export function remedyButtons(
  services: Services,
  title: string,
  remedies: readonly Remedy[],
  retry?: () => unknown,
): FailureButton[] {
  const buttons = remedies.flatMap((remedy) => buttonOf(services, title, remedy, retry) ?? []);
  const seen = new Set<string>();
  return buttons.filter(({ label }) => !seen.has(label) && seen.add(label)).slice(0, most);
}

/** The button of one remedy; `undefined` where this window can do nothing of the kind. */
function buttonOf(
  services: Services,
  title: string,
  remedy: Remedy,
  retry: (() => unknown) | undefined,
): FailureButton | undefined {
  const run = (command: string, argument?: unknown) => () =>
    commands.executeCommand(`worktreeStacks.${command}`, argument);
  switch (remedy.kind) {
    case 'useBranch': {
      const { name, branch } = remedy;
      return { label: l10n.t('Use Branch “{0}”', branch), run: run('create', { name, branch, base: branch }) };
    }
    case 'openWorktree':
      return { label: l10n.t('Open “{0}”', shortOf(remedy.worktree)), run: run('openInNewWindow', at(remedy)) };
    case 'openChanges':
      return { label: l10n.t('Open Changes'), run: run('diff', { ...at(remedy), uncommitted: true }) };
    case 'stashAndRetry':
      return retry && { label: l10n.t('Stash and Retry'), run: () => stash(services, remedy.worktree, title, retry) };
    case 'retry':
      return retry && { label: l10n.t('Try Again'), run: retry };
    case 'withoutHooks':
      return retry && { label: l10n.t('Go On Without Hooks'), run: () => withoutHooks(retry) };
    case 'commitNotes':
      // The merge command has a button of its own for it.
      return undefined;
    case 'addRemote':
      return { label: l10n.t('Add Remote…'), run: () => commands.executeCommand('git.addRemote') };
    case 'openSettings':
      return { label: l10n.t('Open {0}', '.worktrees.yml'), run: run('openSettings') };
    case 'openFile':
      return { label: l10n.t('Open {0}', basename(remedy.file)), run: () => openText(remedy.file) };
    case 'repair':
      return { label: l10n.t('Repair'), run: run('repair', at(remedy)) };
    case 'runDoctor':
      return { label: l10n.t('Run Doctor'), run: run('doctor') };
    case 'continueOperation':
      return {
        label: l10n.t('Continue'),
        run: run(`continue${suffixes[remedy.operation] ?? 'Rebase'}`, at(remedy)),
      };
    case 'abortOperation':
      return { label: l10n.t('Abort'), run: run(`abort${suffixes[remedy.operation] ?? 'Rebase'}`, at(remedy)) };
    case 'signIn':
      return { label: l10n.t('Sign In'), run: run('signIn') };
    case 'createPullRequest':
      return { label: l10n.t('Create Draft Pull Request…'), run: run('createPullRequest', at(remedy)) };
    case 'forcePush':
      return { label: l10n.t('Force Push with Lease…'), run: run('push', { ...at(remedy), rewrite: true }) };
    case 'rebase':
      return { label: l10n.t('Rebase…'), run: run('rebase', at(remedy)) };
    case 'moveOnto':
      return { label: l10n.t('Move Onto…'), run: run('moveOnto', at(remedy)) };
    case 'adopt':
      return { label: l10n.t('Adopt Worktree…'), run: run('adopt', at(remedy)) };
    case 'removeWorktree':
      return { label: l10n.t('Remove Worktree…'), run: run('cleanup', at(remedy)) };
    case 'createWorktree': {
      const { name, branch, base } = remedy;
      const label = name === undefined ? l10n.t('Create Worktree…') : l10n.t('Create “{0}”…', branch ?? name);
      return { label, run: run('create', { name, branch, base }) };
    }
    case 'undo':
      return { label: l10n.t('Undo…'), run: run('undo') };
    case 'openTerminal':
      return { label: l10n.t('Open Terminal'), run: run('openInTerminal', at(remedy)) };
    case 'openUrl':
      return { label: l10n.t('Open on GitHub'), run: () => env.openExternal(Uri.parse(remedy.url)) };
    case 'unlock':
      return { label: l10n.t('Unlock'), run: run('unlock', at(remedy)) };
    case 'trustFolder':
      return {
        label: l10n.t('Manage Unsafe Repositories'),
        run: () => commands.executeCommand('git.manageUnsafeRepositories'),
      };
  }
}

const at = ({ worktree }: { readonly worktree: string }): { readonly worktree: string } => ({ worktree });

const shortOf = (worktree: string): string => basename(worktree);

async function openText(file: string): Promise<void> {
  await window.showTextDocument(await workspace.openTextDocument(uriOf(file)));
}

async function stash(services: Services, worktree: string, title: string, retry: () => unknown): Promise<void> {
  const { stashAndRetry } = await import('./stashAndRetry.ts');
  try {
    await stashAndRetry(services, worktree, title, retry);
  } catch (thrown) {
    tellFailure(services, title, thrown);
  }
}

/** How the commands are called that continue and abort an operation of git. */
const suffixes: Readonly<Record<string, string>> = {
  merge: 'Merge',
  rebase: 'Rebase',
  'cherry-pick': 'CherryPick',
  revert: 'Revert',
  am: 'Patches',
};
