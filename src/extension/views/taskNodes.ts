import type { ListedTask } from '../../core/session/tasks.ts';
import type { TaskBoard } from '../../core/tasks/board.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';

/** The lists of the Tasks view. */
export type TaskGroup = keyof Pick<TaskBoard, 'pending' | 'inWorktrees' | 'done'>;

/** A repository, shown only where a window holds several. */
export interface TaskRepositoryNode {
  readonly kind: 'taskRepository';
  readonly id: string;
  readonly model: RepositoryModel;
}

/** One of the three lists. */
export interface TaskGroupNode {
  readonly kind: 'taskGroup';
  readonly id: string;
  readonly model: RepositoryModel;
  readonly parent: TaskRepositoryNode | undefined;
  readonly group: TaskGroup;
  readonly count: number;
}

/** A task. Commands for worktrees take it for the worktree that it is in. */
export interface TaskRow {
  readonly kind: 'task';
  readonly id: string;
  readonly model: RepositoryModel;
  readonly parent: TaskGroupNode;
  readonly task: ListedTask;
  /** The absolute path of the session file. */
  readonly file: string;
  /** The name of its worktree, where it is in one that is there. */
  readonly worktree?: string;
  /** The main root of its repository. */
  readonly repository: string;
}

/** What the Tasks view shows, and what its commands are given. */
export type TaskNode = TaskRepositoryNode | TaskGroupNode | TaskRow;

/** Whether the argument of a command is a task of the view. */
export function isTaskRow(value: unknown): value is TaskRow {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'task' && 'file' in value;
}
