import { l10n, window, type Terminal } from 'vscode';
import type { Worktree } from '../../core/worktree/model.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { uriOf } from '../base/uris.ts';
import { variablesWithWt } from '../terminalPath.ts';
import { terminalVariables } from '../terminalVariables.ts';
import { requireFolder } from './openWorktree.ts';
import { resolveModel, resolveTarget, wordOf } from '../services/resolveTarget.ts';

/** Opens a terminal in a worktree. */
export async function openInTerminal(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Open Worktree in Terminal'),
    placeholder: l10n.t('Select a worktree'),
    accept: ({ worktree }) => worktree.condition === 'fine',
  });
  if (target) await openTerminal(target.model, target.worktree);
}

/** Shows a terminal that starts in a worktree, with its variables, and is called like it. */
export async function openTerminal(
  model: RepositoryModel,
  worktree: Pick<Worktree, 'name' | 'path' | 'condition'>,
): Promise<Terminal> {
  requireFolder(worktree);
  const env = await terminalVariables(model, worktree);
  const terminal = window.createTerminal({ name: worktree.name, cwd: uriOf(worktree.path), env });
  terminal.show();
  return terminal;
}

/** Runs a line of the shell in a terminal in a worktree; asks for what is missing. */
export async function runInWorktree(services: Services, argument?: unknown): Promise<void> {
  const title = l10n.t('Run Command in Worktree');
  const target = await resolveTarget(services, argument, {
    title,
    placeholder: l10n.t('Select a worktree'),
    accept: ({ worktree }) => worktree.condition === 'fine',
  });
  const command =
    target && (wordOf(argument, 'command') ?? (await window.showInputBox({ title, placeHolder: 'npm test' })));
  if (command) (await openTerminal(target.model, target.worktree)).sendText(command);
}

/** Runs `wt doctor` in a terminal in the main root, where its repairs can be run as well. */
export async function runDoctor(services: Services, argument?: unknown): Promise<void> {
  const model = await resolveModel(services, argument, l10n.t('Run Doctor'));
  if (!model) return;
  const env = await variablesWithWt(services.context, services.log);
  const terminal = window.createTerminal({ name: 'wt doctor', cwd: uriOf(model.repository.mainRoot), env });
  terminal.show();
  terminal.sendText('wt doctor');
}
