import { join } from 'node:path';
import { env, l10n, type ExtensionContext, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { createWithChanges } from '../../core/carry/createWithChanges.ts';
import { createWorktree } from '../../core/create/create.ts';
import type { Created } from '../../core/create/created.ts';
import { sharedMessages } from '../../core/create/shared.ts';
import type { CreateRequest } from '../../core/create/request.ts';
import type { Programs } from '../../core/repository/launchers.ts';
import type { Progress } from '../../core/worktree/model.ts';
import type { Afterwards } from '../quickPicks/pickWorktree.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { hookTalk } from '../hookTalk.ts';
import { showCarried, type ChangesToCarry } from './carryChanges.ts';
import { openTerminal } from './openInTerminal.ts';
import { openFolder } from './openWorktree.ts';
import { startClaude } from './startClaude.ts';
import { verbatim, textOf } from '../../core/messages/message.ts';
import { inTurn, shellKindOf } from '../base/shellLine.ts';
import { localized } from '../base/messages.ts';

const lastChoice = 'worktreeStacks.afterCreate';
/** How long the status bar tells what was shared, in milliseconds. */
const shownFor = 15_000;

/** What was done with the last one. */
export function rememberedAfterwards({ globalState }: ExtensionContext): Afterwards {
  return afterwardsOf(globalState.get(lastChoice)) ?? 'window';
}

/** It comes first the next time. */
export async function remember({ globalState }: ExtensionContext, then: Afterwards): Promise<void> {
  await globalState.update(lastChoice, then);
}

/**
 * Makes a worktree as the extension does: the person is asked about setup commands, and the view shows it.
 *
 * @param changes uncommitted work that comes along.
 */
export function makeWorktree(
  services: Services,
  model: RepositoryModel,
  request: Omit<CreateRequest, 'createdBy'>,
  progress: Progress,
  signal: AbortSignal,
  changes: ChangesToCarry | 'leave' = 'leave',
): Promise<Created> {
  const asked = { ...request, createdBy: 'vscode' };
  const options = {
    progress,
    signal,
    ...hookTalk(services),
    approveSetup,
    onSetupOutput: (text: string) => services.channel.append(text),
    programs: bundledPrograms(services),
  };
  return model.change(async (workspace) => {
    if (changes === 'leave') return createWorktree(workspace, asked, options);
    const { created, carried } = await createWithChanges(workspace, asked, changes, options);
    if (carried) showCarried(services, carried);
    return created;
  });
}

/** Runs them only with the person's approval: they come from the authors of the repository. */
async function approveSetup(commands: readonly string[]): Promise<boolean> {
  const run = { title: l10n.t('Run') };
  const leave = { title: l10n.t('Do Not Run'), isCloseAffordance: true };
  const detail = [
    ...commands,
    '',
    l10n.t(
      'They come from .worktrees.yml. Once approved, they run in new worktrees of this repository without asking, until they change.',
    ),
  ].join('\n');
  const message =
    commands.length === 1
      ? l10n.t('Run the setup command in the new worktree?')
      : l10n.t('Run {0} setup commands in the new worktree?', commands.length);
  return (await window.showWarningMessage(message, { modal: true, detail }, run, leave)) === run;
}

/** Selects it in the tree, and opens it as was asked for. */
export async function showCreated(
  services: Services,
  model: RepositoryModel,
  created: Created,
  then: Afterwards,
): Promise<void> {
  if (services.view.tree.visible) await services.view.show(created.path, { select: true, focus: false });
  const worktree = model.state?.worktrees.find((each) => each.path === created.path) ?? {
    ...created,
    condition: 'fine' as const,
  };
  switch (then) {
    case 'window':
      return openFolder(services, { model, worktree }, true);
    case 'here':
      return openFolder(services, { model, worktree }, false);
    case 'terminal':
      await openTerminal(model, worktree);
      return;
    case 'claude':
      return startClaude(services, model, worktree);
    case 'stay':
      return;
  }
}

/** The tree shows the worktree; a message shows only what the tree cannot. */
export async function showCreation(
  services: Services,
  model: RepositoryModel,
  { name, path, setup, shared, warnings }: Created,
): Promise<void> {
  const sharing = sharedMessages(shared);
  for (const each of sharing) services.log.info(`${name}: ${textOf(each)}`);
  if (sharing.length > 0) window.setStatusBarMessage(sharing.map(localized).join(' '), shownFor);
  for (const warning of warnings) services.log.warn(`${name}: ${textOf(warning)}`);
  if (warnings.length > 0) {
    const showLog = l10n.t('Show Log');
    void window
      .showWarningMessage(warnings.map(localized).join(' '), showLog)
      .then((choice) => choice === showLog && services.channel.show(true));
  }
  const waiting = setup.state === 'unapproved' ? setup.commands : setup.suggested;
  if (setup.state === 'done' || waiting.length === 0) return;
  const open = l10n.t('Open Terminal');
  const choice = await window.showInformationMessage(
    l10n.t('{0} is not set up yet: {1}', name, waiting.join(', ')),
    open,
  );
  if (choice !== open) return;
  const terminal = await openTerminal(model, { name, path, condition: 'fine' });
  // Typed, not run: that is for the person to do.
  terminal.sendText(inTurn(waiting, shellKindOf(env.shell)), false);
}

/** The programs that launchers start. */
export function bundledPrograms({ context }: Services): Programs {
  const programOf = (file: string): string => join(context.extensionPath, 'dist', file);
  return { wt: programOf('wt.js'), hook: programOf('hook.js') };
}

/**
 * What to do with the new worktree, from an untrusted argument.
 *
 * @throws Problem `usage`.
 */
export function afterwardsOf(word: string | undefined): Afterwards | undefined {
  switch (word) {
    case undefined:
    case 'window':
    case 'here':
    case 'terminal':
    case 'claude':
    case 'stay':
      return word;
    default:
      throw new Problem('usage', verbatim(l10n.t('{0} is not a valid value of “then”.', word)), {
        next: verbatim(l10n.t('use window, here, terminal, claude or stay')),
      });
  }
}
