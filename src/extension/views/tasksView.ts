import {
  EventEmitter,
  ThemeIcon,
  TreeItemCollapsibleState,
  window,
  type TreeDataProvider,
  type TreeItem,
  type TreeView,
} from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { TaskBoard } from '../../core/tasks/board.ts';
import type { Repositories } from '../repository/repositories.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { TaskBoards } from '../repository/taskState.ts';
import { problemAbove } from './messageAbove.ts';
import { SelectedTogether } from './selectedTogether.ts';
import { taskGroupItem, taskItem } from './taskItem.ts';
import type { TaskGroup, TaskGroupNode, TaskNode, TaskRepositoryNode, TaskRow } from './taskNodes.ts';

/** The view's id in the manifest. */
const tasksViewId = 'worktreeStacks.tasks';

const groups: readonly TaskGroup[] = ['pending', 'inWorktrees', 'done'];

/** The Tasks view: what the session files say is to be done, in a worktree, and done. A function of the boards. */
export class TasksView implements Disposable, TreeDataProvider<TaskNode> {
  readonly tree: TreeView<TaskNode>;
  readonly boards: TaskBoards;
  readonly #store = new DisposableStore();
  readonly #changed = new EventEmitter<TaskNode | undefined>();
  readonly #selected: SelectedTogether<TaskNode>;
  readonly #repositories: Repositories;
  #look = '';

  constructor(repositories: Repositories, boards: TaskBoards) {
    this.#repositories = repositories;
    this.boards = boards;
    this.tree = window.createTreeView<TaskNode>(tasksViewId, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.#store.add(this.tree);
    this.#store.add(this.#changed);
    this.#selected = this.#store.add(new SelectedTogether(this.tree, (node) => this.#changed.fire(node)));
    this.#store.add(boards.onDidChange(() => this.#update()));
  }

  get onDidChangeTreeData(): EventEmitter<TaskNode | undefined>['event'] {
    return this.#changed.event;
  }

  getTreeItem(node: TaskNode): TreeItem {
    return this.#selected.markedItem(this.#itemOf(node), node);
  }

  #itemOf(node: TaskNode): TreeItem {
    switch (node.kind) {
      case 'taskRepository':
        return {
          id: node.id,
          label: node.model.repository.name,
          iconPath: new ThemeIcon('repo'),
          contextValue: 'taskRepository',
          tooltip: node.model.repository.mainRoot,
          collapsibleState: TreeItemCollapsibleState.Expanded,
        };
      case 'taskGroup':
        return taskGroupItem(node);
      case 'task':
        return taskItem(node);
    }
  }

  getChildren(node?: TaskNode): TaskNode[] {
    if (!node) {
      // The view is on the screen: now it is needed.
      void this.#repositories.start();
      return this.#roots();
    }
    if (node.kind === 'taskRepository') return this.#groupsOf(node.model, node);
    return node.kind === 'taskGroup' ? this.#tasksOf(node) : [];
  }

  getParent(node: TaskNode): TaskNode | undefined {
    return node.kind === 'taskRepository' ? undefined : node.parent;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #roots(): TaskNode[] {
    const models = [...this.boards.states]
      .filter(([, { board }]) => board && countOf(board) > 0)
      .map(([model]) => model);
    const [only] = models;
    if (only && this.boards.states.size === 1) return this.#groupsOf(only, undefined);
    return models.map((model): TaskRepositoryNode => ({
      kind: 'taskRepository',
      id: model.repository.commonDir,
      model,
    }));
  }

  #groupsOf(model: RepositoryModel, parent: TaskRepositoryNode | undefined): TaskGroupNode[] {
    const board = this.boards.states.get(model)?.board;
    return groups
      .map((group): TaskGroupNode => {
        const id = `${model.repository.commonDir}\0${group}`;
        return { kind: 'taskGroup', id, model, parent, group, count: board?.[group].length ?? 0 };
      })
      .filter(({ count }) => count > 0);
  }

  #tasksOf(parent: TaskGroupNode): TaskRow[] {
    const { model, group } = parent;
    const board = this.boards.states.get(model)?.board;
    const { file } = board ?? {};
    if (!board || file === undefined) return [];
    return board[group].map((task): TaskRow => {
      const worktree = 'worktree' in task ? task.worktree?.name : undefined;
      return {
        kind: 'task',
        id: `${parent.id}\0${task.key}`,
        model,
        parent,
        task,
        file,
        ...(worktree === undefined ? {} : { worktree }),
        repository: model.repository.mainRoot,
      };
    });
  }

  /** Draws again what looks different; rows keep their ids, and with them what is selected and folded. */
  #update(): void {
    const problems = [...this.boards.states].flatMap(([model, { problem }]) =>
      problem ? problemAbove(model, problem) : [],
    );
    const message = problems.join('\n');
    if ((this.tree.message ?? '') !== message) this.tree.message = message;
    const look = this.#lookOf(undefined).join('\n');
    if (look === this.#look) return;
    this.#look = look;
    this.#changed.fire(undefined);
  }

  #lookOf(node: TaskNode | undefined): string[] {
    return this.getChildren(node).flatMap((each) => {
      const { id, label, description, iconPath, contextValue, accessibilityInformation } = this.#itemOf(each);
      const line = each.kind === 'task' ? each.task.line : 0;
      return [
        JSON.stringify([id, label, description, iconPath, contextValue, accessibilityInformation, line]),
        ...this.#lookOf(each),
      ];
    });
  }
}

function countOf({ pending, inWorktrees, done }: TaskBoard): number {
  return pending.length + inWorktrees.length + done.length;
}
