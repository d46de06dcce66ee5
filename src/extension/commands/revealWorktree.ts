import { commands, l10n } from 'vscode';
import { isWithin } from '../../core/base/paths.ts';
import type { Services } from '../services/services.ts';
import { openFolders, uriOf } from '../base/uris.ts';
import { requireFolder } from './openWorktree.ts';
import { resolveTarget } from '../services/resolveTarget.ts';

/** Shows the folder of a worktree: in the workbench's own explorer where that has it, else in the system's file manager. */
export async function revealWorktree(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Reveal Worktree'),
    placeholder: l10n.t('Select a worktree'),
    accept: ({ worktree }) => worktree.condition === 'fine',
  });
  if (!target) return;
  const { worktree } = target;
  requireFolder(worktree);
  const inWindow = openFolders().some((folder) => isWithin(folder, worktree.path));
  await commands.executeCommand(inWindow ? 'revealInExplorer' : 'revealFileInOS', uriOf(worktree.path));
}
