import { nameKey } from './lines.ts';
import type { SessionDocument, Task } from './sessionDocument.ts';
import { isFinished } from './taskLine.ts';
import { hasTasks, noTasks, unreadableOrConflicting, type ShapeFault } from './unknownShape.ts';

/** The state of a task by its mark: `[ ]`, `[!]`, `[>]`, `[x]`, `[-]`. Any other mark is open. */
export type TaskState = 'open' | 'blocked' | 'started' | 'done' | 'cancelled';

/** A task of a session file, as lists of tasks show it. */
export interface ListedTask {
  /** Names the task within its file: the name as names are compared, and which of its kind it is. */
  readonly key: string;
  readonly name: string;
  readonly state: TaskState;
  /** The character between the brackets. */
  readonly mark: string;
  /** What follows the name on its line, without the marker of a worktree. */
  readonly detail: string;
  /** The title of the section, and of the third-level heading in it, where there is one. */
  readonly section: string;
  readonly group: string;
  /** The line that it begins on, counted from 1. */
  readonly line: number;
  /** The slug of the worktree that it is assigned to. */
  readonly slug: string | undefined;
}

/** The tasks of a session file, each in one of the three lists, in the order of the file. */
export interface TaskLists {
  readonly pending: readonly ListedTask[];
  /** Handed to a worktree and not finished: under Worktree Tasks, or marked with a slug elsewhere. */
  readonly inWorktrees: readonly ListedTask[];
  /** Done or cancelled, wherever it stands. */
  readonly done: readonly ListedTask[];
}

/** The state that a task's mark stands for. */
export function stateOf(mark: string): TaskState {
  if (isFinished(mark)) return /x/i.test(mark) ? 'done' : 'cancelled';
  return mark === '!' ? 'blocked' : mark === '>' ? 'started' : 'open';
}

/** Whether a task is assigned to a worktree: it is among the worktree tasks, or has the slug of one. */
export function isAssigned(task: Task): boolean {
  return task.section.role === 'worktree' || task.first.slug !== undefined;
}

/** Sorts the tasks of a file into lists. */
export function listTasks(document: SessionDocument): TaskLists {
  const lists: Record<keyof TaskLists, ListedTask[]> = { pending: [], inWorktrees: [], done: [] };
  const counts = new Map<string, number>();
  for (const { task, line } of document.blocks) {
    if (!task) continue;
    const { mark, name, rest, slug } = task.first;
    const state = stateOf(mark);
    const list = isFinished(mark) ? lists.done : isAssigned(task) ? lists.inWorktrees : lists.pending;
    const { group } = task;
    const same = nameKey(name);
    const count = counts.get(same) ?? 0;
    counts.set(same, count + 1);
    const key = `${count}:${same}`;
    list.push({ key, name, state, mark, detail: detailOf(rest), section: task.section.title, group, line, slug });
  }
  return lists;
}

/** Without the dash that only sets it apart from the name. */
function detailOf(rest: string): string {
  return rest.replace(/^(?:—|–|-|:)\s+/, '');
}

/** What is wrong with the shape of a session file; `undefined` when its tasks can be read and moved. */
export function shapeFault(document: SessionDocument): ShapeFault | undefined {
  return unreadableOrConflicting(document) ?? (hasTasks(document) ? undefined : noTasks);
}
