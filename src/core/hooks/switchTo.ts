import type { ActiveWorktree } from '../repository/stateFile.ts';
import type { Worktree } from '../worktree/model.ts';
import { switchActive } from '../worktree/switchActive.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { prepareAfter, type HookOptions } from './plan.ts';
import { placeOf, runAfter, type HookReport } from './runHooks.ts';

/**
 * Makes a worktree the active one, and runs the commands after that.
 *
 * @throws Problem as {@link switchActive}; what becomes of the commands is told.
 */
export async function switchTo(
  workspace: Workspace,
  worktree: Worktree,
  options: HookOptions = {},
): Promise<HookReport & { readonly active: ActiveWorktree }> {
  const prepared = await prepareAfter(workspace, 'after_switch', options);
  const active = await switchActive(workspace, worktree);
  return { active, ...(await runPrepared(workspace, worktree, prepared, options)) };
}

/**
 * Runs the commands after a switch for a worktree that is opened in an editor, and not made the active one. All of them in the background:
 * the window that asks may be gone in a moment.
 */
export async function openedAt(workspace: Workspace, worktree: Worktree, options: HookOptions): Promise<HookReport> {
  const { planned, notes } = await prepareAfter(workspace, 'after_switch', options);
  const later = planned.map((each) => ({ ...each, background: true }));
  return runPrepared(workspace, worktree, { planned: later, notes }, options);
}

async function runPrepared(
  workspace: Workspace,
  worktree: Worktree,
  { planned, notes }: Awaited<ReturnType<typeof prepareAfter>>,
  options: HookOptions,
): Promise<HookReport> {
  if (planned.length === 0) return { results: [], notes };
  const report = await runAfter(workspace, planned, await placeOf(workspace, worktree, options), options);
  return { ...report, notes: [...notes, ...report.notes] };
}
