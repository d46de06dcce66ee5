import { l10n, window } from 'vscode';
import { lockWorktree, unlockWorktree, type LockState } from '../../core/worktree/lock.ts';
import { findWorktree } from '../../core/worktree/find.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import type { Services } from '../services/services.ts';
import { resolveTarget, wordOf, type WorktreeTarget } from '../services/resolveTarget.ts';

/**
 * Locks a worktree with git's own lock, so that nothing removes it. Asks for the reason, which may stay empty.
 *
 * @param argument a row, or an object with `worktree`, `reason` and `repository`.
 * @returns `undefined` when the person cancels.
 */
export async function lockWorktreeCommand(services: Services, argument?: unknown): Promise<LockState | undefined> {
  const title = l10n.t('Lock Worktree');
  const target = await resolveTarget(services, argument, {
    title,
    placeholder: l10n.t('Select the worktree to lock'),
    accept: ({ worktree }) => !worktree.main && !worktree.bare && worktree.lockReason === undefined,
  });
  if (!target) return undefined;
  const { name } = target.worktree;
  const reason = wordOf(argument, 'reason') ?? (await askReason(title, name));
  if (reason === undefined) return undefined;
  return change(target, (workspace, worktree) => lockWorktree(workspace, worktree, reason));
}

/** Unlocks a worktree. */
export async function unlockWorktreeCommand(services: Services, argument?: unknown): Promise<LockState | undefined> {
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Unlock Worktree'),
    placeholder: l10n.t('Select the worktree to unlock'),
    accept: ({ worktree }) => worktree.lockReason !== undefined,
    none: l10n.t('No worktree is locked.'),
  });
  return target && change(target, unlockWorktree);
}

async function askReason(title: string, name: string): Promise<string | undefined> {
  return window.showInputBox({
    title,
    prompt: l10n.t('Why {0} is locked. Nothing removes it until it is unlocked.', name),
    placeHolder: l10n.t('Reason (optional)'),
  });
}

/** Judged by what is there now, not by what was on the screen. */
async function change(
  { model, worktree }: WorktreeTarget,
  act: (workspace: Workspace, worktree: Worktree) => Promise<LockState>,
): Promise<LockState> {
  return model.change(async (workspace) => {
    const snapshot = await readSnapshot(workspace, { withChanges: false });
    return act(workspace, await findWorktree(snapshot, worktree.path, model.repository.mainRoot));
  });
}
