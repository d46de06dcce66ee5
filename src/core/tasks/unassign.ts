import { join } from 'node:path';
import { readTextIfThere } from '../base/atomicFile.ts';
import { nameKey } from '../session/lines.ts';
import { readSession, type SessionDocument } from '../session/sessionDocument.ts';
import { isFinished } from '../session/taskLine.ts';
import { unassignFromWorktree } from '../session/tasksMove.ts';
import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { updateTaskFile } from './taskFile.ts';

/** A task that left the worktree tasks, and whether it is to be done here again or is done with. */
export interface UnassignedTask {
  readonly name: string;
  readonly to: 'pending' | 'out';
}

/** The tasks that a worktree leaves unfinished, in its own session file, as names are compared. */
export type OpenTasks = readonly string[];

/**
 * The tasks that a worktree has not finished, as its own session file has them: that in its folder, or the committed one where the
 * folder is gone. A file that cannot be read says nothing.
 */
export async function openTasksOf(
  { git, repository, configuration }: Workspace,
  { path, condition, branch }: Pick<Worktree, 'path' | 'condition' | 'branch'>,
): Promise<OpenTasks> {
  const { session } = configuration.session;
  const committed = async (): Promise<string | undefined> =>
    branch === undefined
      ? undefined
      : git.in(repository.commonDir).line(['cat-file', 'blob', `refs/heads/${branch}:${session}`]);
  const text =
    condition === 'fine' ? await readTextIfThere(join(path, session)).catch(() => undefined) : await committed();
  const tasks = text === undefined ? [] : readSession(text).tasks;
  return tasks.filter(({ first }) => !isFinished(first.mark)).map(({ first }) => nameKey(first.name));
}

/**
 * Takes the tasks of a worktree that goes out of the worktree tasks. What is merged and not open any more is done with; all else is to
 * be done here again. Doing it twice is harmless, and after a merge, which has done it already, nothing is left to do.
 *
 * @param merged whether the worktree's work has landed.
 * @throws Problem as `updateTaskFile`.
 */
export async function unassignTasks(
  workspace: Workspace,
  slug: string,
  state: { readonly merged: boolean; readonly open: OpenTasks },
): Promise<readonly UnassignedTask[]> {
  let moved: readonly UnassignedTask[] = [];
  await updateTaskFile(workspace, ({ document }) => {
    const taken = withoutTasksOf(document, slug, state);
    moved = taken?.moved ?? [];
    return taken?.text;
  });
  return moved;
}

/** What {@link unassignTasks} makes of a session file, and the tasks that it moves there; `undefined` when there are none. */
export function withoutTasksOf(
  document: SessionDocument,
  slug: string,
  { merged, open }: Parameters<typeof unassignTasks>[2],
): ReturnType<typeof unassignFromWorktree> {
  const unfinished = new Set(open);
  return unassignFromWorktree(document, slug, ({ first }) =>
    isFinished(first.mark) || (merged && !unfinished.has(nameKey(first.name))) ? 'out' : 'pending',
  );
}
