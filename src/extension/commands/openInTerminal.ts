import { l10n, window, type Terminal } from 'vscode';
import type { Worktree } from '../../core/worktree/model.ts';
import type { Services } from '../services/services.ts';
import { uriOf } from '../base/uris.ts';
import { requireFolder } from './openWorktree.ts';
import { resolveTarget } from '../services/resolveTarget.ts';

/** Opens a terminal in a worktree. */
export async function openInTerminal(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Open Worktree in Terminal'),
    placeholder: l10n.t('Which worktree?'),
    accept: ({ worktree }) => worktree.condition === 'fine',
  });
  if (target) openTerminal(target.worktree);
}

/** Shows a terminal that starts in a worktree and is called like it. */
export function openTerminal(worktree: Pick<Worktree, 'name' | 'path' | 'condition'>): Terminal {
  requireFolder(worktree);
  const terminal = window.createTerminal({ name: worktree.name, cwd: uriOf(worktree.path) });
  terminal.show();
  return terminal;
}
