import { nameKey } from './lines.ts';
import type { SessionDocument, Task } from './sessionDocument.ts';
import { isFinished } from './taskLine.ts';

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

/** Why a file is none that tasks can be read from and moved in. */
export interface ShapeFault {
  /** Counted from 1. */
  readonly line: number;
  /** A sentence part: "a code fence is not closed". */
  readonly what: string;
}

/** What is wrong with the shape of a session file; `undefined` when its tasks can be read. */
export function shapeFault({ marked, unclosed, sections }: SessionDocument): ShapeFault | undefined {
  if (unclosed) return { line: unclosed.line, what: `a ${unclosed.what} is not closed` };
  const binary = marked.findIndex(({ text }) => text.includes('\0'));
  if (binary !== -1) return { line: binary + 1, what: 'this is no text' };
  const markers = /^(?:<{7}|>{7}|\|{7})(?: |$)/;
  const conflict = marked.findIndex(({ role, text }) => role !== 'opaque' && markers.test(text));
  if (conflict !== -1) return { line: conflict + 1, what: "git's conflict markers are still there" };
  if (sections.every(({ role }) => role === 'text'))
    return { line: 1, what: 'there is no section of tasks, such as “## Pending Tasks”' };
  return undefined;
}
