import { listTasks, type ListedTask, type TaskLists } from '../session/tasks.ts';
import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { readTaskFile, taskFilePath } from './taskFile.ts';

/** A task that was handed to a worktree, and that worktree, if it is there. */
export interface TaskInWorktree extends ListedTask {
  readonly worktree: Pick<Worktree, 'name' | 'path'> | undefined;
}

/** The tasks of a repository. */
export interface TaskBoard extends TaskLists {
  /** The session file, relative to the main root. */
  readonly relative: string;
  /** Its absolute path; `undefined` where there is no main working tree to hold one. */
  readonly file: string | undefined;
  /** There is such a file. */
  readonly exists: boolean;
  readonly inWorktrees: readonly TaskInWorktree[];
}

/**
 * Reads the tasks of the main working tree's session file; without a file there are none.
 *
 * @param worktrees those of the repository: a task is in the one whose slug it carries.
 * @throws Problem `unreadable-file` with the line, when its tasks cannot be told from its text.
 */
export async function readBoard(
  workspace: Workspace,
  worktrees: readonly Pick<Worktree, 'name' | 'slug' | 'path' | 'main'>[],
): Promise<TaskBoard> {
  const relative = workspace.configuration.session.session;
  const place = { relative, file: taskFilePath(workspace) };
  const read = await readTaskFile(workspace);
  if (!read) return { ...place, exists: false, pending: [], inWorktrees: [], done: [] };
  const linked = new Map(worktrees.filter((each) => !each.main).map((each) => [each.slug, each]));
  const lists = listTasks(read.document);
  const inWorktrees = lists.inWorktrees.map((task): TaskInWorktree => {
    const worktree = task.slug === undefined ? undefined : linked.get(task.slug);
    return { ...task, worktree: worktree && { name: worktree.name, path: worktree.path } };
  });
  return { ...place, exists: true, ...lists, inWorktrees };
}
