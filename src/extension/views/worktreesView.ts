import { sep } from 'node:path';
import {
  EventEmitter,
  ThemeIcon,
  TreeItemCollapsibleState,
  l10n,
  window,
  type CancellationToken,
  type TreeDataProvider,
  type TreeItem,
  type TreeView,
} from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Log } from '../../core/base/log.ts';
import { isWithin } from '../../core/base/paths.ts';
import { messageOf } from '../../core/base/problem.ts';
import type { AgentsAtWork } from '../../core/claude/agentsAtWork.ts';
import { wordsOf } from '../messages.ts';
import type { Repositories } from '../repositories.ts';
import type { RepositoryModel } from '../repositoryModel.ts';
import { openFolders } from '../uris.ts';
import { changeDecorations, changeItem } from './changeItem.ts';
import { conflictItem } from './conflictItem.ts';
import type { ChangeNode, ConflictNode, Node, RepositoryNode, WorktreeNode } from './nodes.ts';
import { tooltipOf, worktreeItem } from './worktreeItem.ts';

/** The view's id in the manifest. */
export const worktreesViewId = 'worktreeStacks.worktrees';

/**
 * The Worktrees view in list mode: a function of the snapshots. Rows are the same objects from one snapshot to the next, and only those
 * that look different are drawn again, so that nothing flickers and what is selected or expanded stays so.
 */
export class WorktreesView implements Disposable, TreeDataProvider<Node> {
  readonly tree: TreeView<Node>;
  readonly #store = new DisposableStore();
  readonly #changed = new EventEmitter<Node | undefined>();
  readonly #repositories: Repositories;
  readonly #log: Log;
  readonly #expanded = new Set<string>();
  #nodes = new Map<string, Node>();
  #looks = new Map<string, string>();

  constructor(repositories: Repositories, log: Log) {
    this.#repositories = repositories;
    this.#log = log;
    this.tree = window.createTreeView<Node>(worktreesViewId, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
    });
    this.#store.add(this.tree);
    this.#store.add(this.#changed);
    this.#store.add(window.registerFileDecorationProvider(changeDecorations));
    this.#store.add(this.tree.onDidExpandElement(({ element }) => this.#expanded.add(element.id)));
    this.#store.add(this.tree.onDidCollapseElement(({ element }) => this.#expanded.delete(element.id)));
    this.#store.add(repositories.onDidChange(() => this.#update()));
  }

  get onDidChangeTreeData(): EventEmitter<Node | undefined>['event'] {
    return this.#changed.event;
  }

  /** Shows in the view that something is being done, as long as it is. */
  showBusy(work: Promise<unknown>): void {
    void window.withProgress({ location: { viewId: worktreesViewId } }, () => work);
  }

  /** The row of a worktree, if it is shown. */
  find(path: string): WorktreeNode | undefined {
    return this.#roots()
      .flatMap((root) => (root.kind === 'repository' ? this.#worktreesOf(root.model, root) : [root]))
      .find((node) => node.worktree.path === path);
  }

  getTreeItem(node: Node): TreeItem {
    switch (node.kind) {
      case 'repository':
        return {
          id: node.id,
          label: node.model.repository.name,
          description: node.model.problem?.message ?? '',
          iconPath: new ThemeIcon('repo'),
          contextValue: 'repository',
          tooltip: node.model.repository.mainRoot,
          collapsibleState: TreeItemCollapsibleState.Expanded,
        };
      case 'worktree': {
        const { worktree } = node;
        const here = node.model.state?.here.includes(worktree.path) ?? false;
        const inWorkspace = openFolders().some((folder) => isWithin(folder, worktree.path));
        return worktreeItem(worktree, { id: node.id, here, inWorkspace, agents: agentsOf(node) });
      }
      case 'conflict':
      case 'change': {
        const item = node.kind === 'conflict' ? conflictItem(node) : changeItem(node);
        return item.command ? { ...item, command: { ...item.command, arguments: [node] } } : item;
      }
    }
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) {
      // The view is on the screen: now it is needed.
      void this.#repositories.start();
      this.#looks = this.#look();
      return this.#roots();
    }
    if (node.kind === 'repository') return this.#worktreesOf(node.model, node);
    if (node.kind === 'worktree') return this.#changesOf(node);
    return [];
  }

  getParent(node: Node): Node | undefined {
    return node.kind === 'repository' ? undefined : node.parent;
  }

  async resolveTreeItem(item: TreeItem, node: Node, token: CancellationToken): Promise<TreeItem> {
    if (node.kind !== 'worktree') return item;
    const recorded = node.worktree.entry?.baseCommit;
    const { mergeBaseOf } = await import('./details.ts');
    const commit = recorded ?? (await mergeBaseOf(node.model, node.worktree).catch(() => undefined));
    if (!token.isCancellationRequested) item.tooltip = tooltipOf(node.worktree, commit, agentsOf(node));
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Nothing but main working trees is no list: the view's welcome says how to make the first worktree. */
  #roots(): (RepositoryNode | WorktreeNode)[] {
    const models = this.#repositories.models.filter((model) => model.state);
    const [only] = models;
    if (!models.some((model) => model.state?.worktrees.some((each) => !each.main))) return [];
    if (only && models.length === 1) return this.#worktreesOf(only, undefined);
    return models.map((model) =>
      this.#node<RepositoryNode>({ kind: 'repository', id: model.repository.commonDir, model }),
    );
  }

  #worktreesOf(model: RepositoryModel, parent: RepositoryNode | undefined): WorktreeNode[] {
    return (model.state?.worktrees ?? []).map((worktree) => {
      const id = `${model.repository.commonDir}\0${worktree.path}`;
      const node = this.#node<WorktreeNode>({ kind: 'worktree', id, model, parent, worktree });
      node.worktree = worktree;
      return node;
    });
  }

  /** What is in conflict comes first, and is not said twice. */
  async #changesOf(parent: WorktreeNode): Promise<(ConflictNode | ChangeNode)[]> {
    const { changesOf, conflictsOf } = await import('./details.ts');
    const { model, worktree } = parent;
    try {
      const [conflicts, { from, files }] = await Promise.all([
        conflictsOf(model, worktree),
        changesOf(model, worktree),
      ]);
      const inConflict = new Set(conflicts.map(({ path }) => path));
      return [
        ...conflicts.map((file) => ({ kind: 'conflict' as const, id: `${parent.id}\0${file.path}`, parent, file })),
        ...files
          .filter(({ path }) => !inConflict.has(path))
          .map((change) => ({ kind: 'change' as const, id: `${parent.id}\0${change.path}`, parent, change, from })),
      ];
    } catch (thrown) {
      this.#log.error(`The changes of ${parent.worktree.path} could not be read: ${messageOf(thrown)}`);
      throw thrown;
    }
  }

  /** The node that is shown already for the same thing under the same parent, or else this one. */
  #node<T extends Node>(fresh: T): T {
    const shown = this.#nodes.get(fresh.id);
    if (
      shown?.kind === fresh.kind &&
      this.getParent(shown) === this.getParent(fresh) &&
      (!('model' in shown) || !('model' in fresh) || shown.model === fresh.model)
    ) {
      return shown as T;
    }
    this.#nodes.set(fresh.id, fresh);
    return fresh;
  }

  /** Draws again what looks different: the list when rows came, went or moved, else single rows. */
  #update(): void {
    this.#tell();
    const before = this.#looks;
    const now = this.#look();
    this.#looks = now;
    if ([...before.keys()].join('\n') !== [...now.keys()].join('\n')) {
      this.#nodes = new Map([...this.#nodes].filter(([id]) => now.has(id)));
      this.#changed.fire(undefined);
      return;
    }
    for (const [id, look] of now) {
      const node = this.#nodes.get(id);
      // The files below an expanded row may be other ones although the row looks the same.
      if (node && (before.get(id) !== look || (node.kind === 'worktree' && this.#expanded.has(id))))
        this.#changed.fire(node);
    }
  }

  /** How each row looks, in their order. */
  #look(): Map<string, string> {
    const looks = new Map<string, string>();
    const add = (node: Node): void => {
      const { label, description, iconPath, contextValue, collapsibleState, accessibilityInformation } =
        this.getTreeItem(node);
      looks.set(
        node.id,
        JSON.stringify([label, description, iconPath, contextValue, collapsibleState, accessibilityInformation]),
      );
    };
    for (const root of this.#roots()) {
      add(root);
      if (root.kind === 'repository') this.#worktreesOf(root.model, root).forEach(add);
    }
    return looks;
  }

  /** What could not be read is told above the rows; what can be read stays there. */
  #tell(): void {
    const { models, problem } = this.#repositories;
    const words = models.flatMap((model) => {
      const problems = [...(model.problem ? [model.problem] : []), ...(model.state?.problems ?? [])];
      // The view is narrow, and the folder of the repository is no news.
      return problems.map((each) => wordsOf(each).replaceAll(`${model.repository.mainRoot}${sep}`, ''));
    });
    if (problem) words.unshift(wordsOf(problem));
    const [first = '', ...others] = new Set(words);
    const message = others.length === 0 ? first : l10n.t('{0} ({1} more in the log)', first, others.length);
    if ((this.tree.message ?? '') !== message) this.tree.message = message;
  }
}

function agentsOf({ model, worktree }: WorktreeNode): AgentsAtWork | undefined {
  return model.state?.agents.get(worktree.name);
}
