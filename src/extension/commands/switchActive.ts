import { l10n } from 'vscode';
import { switchActive } from '../../core/worktree/switchActive.ts';
import type { Services } from '../services/services.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';

/** Makes a worktree the one that a restored Claude session is led back to. */
export async function switchActiveCommand(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Make Worktree Active'),
    placeholder: l10n.t('Select the worktree to make active'),
    accept: ({ worktree }) => worktree.condition === 'fine' && !worktree.active,
  });
  if (target) await makeActive(target);
}

/** Writes the state file of a worktree's repository. */
export async function makeActive({ model, worktree }: WorktreeTarget): Promise<void> {
  await model.change((workspace) => switchActive(workspace, worktree));
}
