import { prepareAfter, prepareHooks, type HookOptions } from '../hooks/plan.ts';
import { nothingRan, placeOf, runAfter, runBefore, type HookResult } from '../hooks/runHooks.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Removal } from './inspect.ts';
import { admit, removeWorktree, type Removed } from './remove.ts';
import type { RemoveOptions } from './removeOptions.ts';

/** How a worktree is removed, with the commands before and after it. */
export type RemoveWithHooks = RemoveOptions &
  Omit<HookOptions, 'progress' | 'signal'> & {
    /** What is to be done once nothing speaks against the removal any more, and before it. */
    readonly ready?: (() => Promise<void>) | undefined;
  };

/** What a removal did, and what became of the commands around it. */
export interface RemovedWithHooks extends Removed {
  readonly hooks: readonly HookResult[];
}

/**
 * Removes a worktree as a person or an agent asks for it: with the commands of the team and of the user around it. What may not be removed
 * runs none. Undo and redo call {@link removeWorktree}, which runs none either.
 *
 * @param again inspects it once more: the commands before a removal may have changed it.
 * @throws Problem as {@link removeWorktree}, `prepareHooks` and `runBefore`; the worktree is then there.
 */
export async function removeWithHooks(
  workspace: Workspace,
  removal: Removal,
  again: () => Promise<Removal>,
  options: RemoveWithHooks,
): Promise<RemovedWithHooks> {
  admit(removal, options);
  const before = await prepareHooks(workspace, 'before_remove', options);
  const after = await prepareAfter(workspace, 'after_remove', options);
  if (before.length + after.planned.length === 0) {
    await options.ready?.();
    const removed = await removeWorktree(workspace, removal, options);
    return { ...removed, hooks: [], notes: [...removed.notes, ...after.notes] };
  }
  const place = await placeOf(workspace, removal.worktree, options);
  const prepared = before.length === 0 ? nothingRan : await runBefore(workspace, before, place, options);
  const now = prepared.results.some(({ state }) => state === 'passed') ? await again() : removal;
  admit(now, options);
  await options.ready?.();
  const removed = await removeWorktree(workspace, now, options);
  // Its folder is gone.
  const rest = { ...place, folder: workspace.repository.mainRoot };
  const report = await runAfter(workspace, after.planned, rest, options);
  return {
    ...removed,
    hooks: [...prepared.results, ...report.results],
    notes: [...removed.notes, ...prepared.notes, ...after.notes, ...report.notes],
  };
}
