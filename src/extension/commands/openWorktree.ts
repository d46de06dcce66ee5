import { commands, l10n } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { Services } from '../services/services.ts';
import { uriOf } from '../base/uris.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';
import { isHere } from '../views/rowFacts.ts';
import { verbatim } from '../../core/messages/message.ts';

/** Opens a worktree instead of what this window shows. */
export async function openHere(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Open Worktree in This Window'),
    placeholder: l10n.t('Select a worktree'),
    accept: canOpenHere,
  });
  if (target) await openFolder(target.worktree, false);
}

/** Opens a worktree in a window of its own. */
export async function openInNewWindow(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Open Worktree in New Window'),
    placeholder: l10n.t('Select a worktree'),
    accept: ({ worktree }) => worktree.condition === 'fine',
  });
  if (target) await openFolder(target.worktree, true);
}

/** Opens the folder of a worktree. */
export async function openFolder(
  worktree: Pick<Worktree, 'name' | 'path' | 'condition'>,
  inNewWindow: boolean,
): Promise<void> {
  requireFolder(worktree);
  await commands.executeCommand('vscode.openFolder', uriOf(worktree.path), {
    forceNewWindow: inNewWindow,
    forceReuseWindow: !inNewWindow,
  });
}

/** @throws Problem `not-found` when there is no working tree to open. */
export function requireFolder({ name, path, condition }: Pick<Worktree, 'name' | 'path' | 'condition'>): void {
  if (condition === 'fine') return;
  throw new Problem('not-found', verbatim(l10n.t('{0} cannot be opened: no worktree was found at {1}.', name, path)), {
    next: verbatim(l10n.t('restore the folder, or remove the worktree')),
    outcome: 'incomplete',
  });
}

function canOpenHere({ model, worktree }: WorktreeTarget): boolean {
  return worktree.condition === 'fine' && !isHere(model.state, worktree);
}
