import { commands, l10n } from 'vscode';
import { Problem, messageOf } from '../../core/base/problem.ts';
import { openedAt } from '../../core/hooks/switchTo.ts';
import { readUserHooks } from '../../core/repository/userHooks.ts';
import { worktreeAt } from '../../core/snapshot/variablesAt.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { hookTalk } from '../hookTalk.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { uriOf } from '../base/uris.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';
import { isHere } from '../views/rowFacts.ts';
import { textOf, verbatim } from '../../core/messages/message.ts';

/** Opens a worktree instead of what this window shows. */
export async function openHere(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Open Worktree in This Window'),
    placeholder: l10n.t('Select a worktree'),
    accept: canOpenHere,
  });
  if (target) await openFolder(services, target, false);
}

/** Opens a worktree in a window of its own. */
export async function openInNewWindow(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Open Worktree in New Window'),
    placeholder: l10n.t('Select a worktree'),
    accept: ({ worktree }) => worktree.condition === 'fine',
  });
  if (target) await openFolder(services, target, true);
}

/** Opens the folder of a worktree, and starts the hooks after a switch. */
export async function openFolder(
  services: Services,
  {
    model,
    worktree,
  }: Pick<WorktreeTarget, 'model'> & { readonly worktree: Pick<Worktree, 'name' | 'path' | 'condition'> },
  inNewWindow: boolean,
): Promise<void> {
  requireFolder(worktree);
  await startHooks(services, model, worktree.path);
  await commands.executeCommand('vscode.openFolder', uriOf(worktree.path), {
    forceNewWindow: inNewWindow,
    forceReuseWindow: !inNewWindow,
  });
}

/** @throws Problem `not-found` when there is no working tree to open. */
export function requireFolder({ name, path, condition }: Pick<Worktree, 'name' | 'path' | 'condition'>): void {
  if (condition === 'fine') return;
  const isMoved = condition === 'moved';
  const remove = condition === 'missing' ? [{ kind: 'removeWorktree', worktree: path } as const] : [];
  throw new Problem('not-found', verbatim(l10n.t('{0} cannot be opened: no worktree was found at {1}.', name, path)), {
    next: verbatim(isMoved ? l10n.t('repair it first') : l10n.t('restore the folder, or remove the worktree')),
    remedies: isMoved ? [{ kind: 'repair', worktree: path }] : remove,
    outcome: 'incomplete',
  });
}

function canOpenHere({ model, worktree }: WorktreeTarget): boolean {
  return worktree.condition === 'fine' && !isHere(model.state, worktree);
}

/** Only what is approved runs: nobody is asked each time a window opens. What cannot be run keeps nobody from the folder. */
async function startHooks(services: Services, model: RepositoryModel, path: string): Promise<void> {
  try {
    const workspace = await model.workspace();
    const { after_switch: configured } = workspace.configuration.hooks;
    const own = await readUserHooks(workspace.environment);
    if (configured.length + own.after_switch.length === 0) return;
    const worktree = await worktreeAt(workspace, path);
    if (!worktree) return;
    const { notes } = await openedAt(workspace, worktree, { ...hookTalk(services), askHooks: undefined });
    for (const note of notes) services.log.info(`${worktree.name}: ${textOf(note)}`);
  } catch (thrown) {
    services.log.warn(messageOf(thrown));
  }
}
