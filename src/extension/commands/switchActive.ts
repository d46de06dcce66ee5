import { l10n } from 'vscode';
import { switchTo } from '../../core/hooks/switchTo.ts';
import { hookTalk, showHookNotes } from '../hookTalk.ts';
import type { Services } from '../services/services.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';

/** Makes a worktree the one that a restored Claude session is led back to. */
export async function switchActiveCommand(services: Services, argument?: unknown): Promise<void> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t("Set as Claude's Worktree"),
    placeholder: l10n.t('Select the worktree that Claude is led to'),
    accept: ({ worktree }) => worktree.condition === 'fine' && !worktree.active,
  });
  if (target) await makeActive(services, target);
}

/** Writes the state file of a worktree's repository, and runs the hooks after that. */
export async function makeActive(services: Services, { model, worktree }: WorktreeTarget): Promise<void> {
  const { notes } = await model.change((workspace) => switchTo(workspace, worktree, hookTalk(services)));
  showHookNotes(services, notes);
}
