import { l10n, window } from 'vscode';
import { Problem } from '../../core/base/problem.ts';
import { relink } from '../../core/relocation/relink.ts';
import type { Services } from '../services/services.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';
import { verbatim } from '../../core/messages/message.ts';

/**
 * Tells git where a worktree is that was moved, or whose repository was: as `git worktree repair`, which its `.git` file proves to be
 * right.
 *
 * @returns the path of the worktree that git works in again; `undefined` when the person left.
 */
export async function repairWorktreeCommand(services: Services, argument?: unknown): Promise<string | undefined> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Repair Worktree'),
    placeholder: l10n.t('Select the worktree to repair'),
    accept: needsRepair,
    none: l10n.t('No worktree needs a repair.'),
  });
  if (!target) return undefined;
  const { name, path } = target.worktree;
  if (!needsRepair(target)) {
    throw new Problem('unsupported', verbatim(l10n.t('{0} cannot be repaired here.', name)), {
      next: verbatim(l10n.t('if its folder was moved, open it at its new location and try again')),
      outcome: 'incomplete',
    });
  }
  await target.model.change((workspace) => relink(workspace, target.worktree));
  void window.showInformationMessage(l10n.t('Repaired {0} at {1}.', name, path));
  return path;
}

function needsRepair({ worktree: { condition, staleLink } }: WorktreeTarget): boolean {
  return condition === 'moved' || staleLink;
}
