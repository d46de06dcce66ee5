import { setTimeout as delay } from 'node:timers/promises';
import {
  EventEmitter,
  window,
  type CancellationToken,
  type MarkdownString,
  type Memento,
  type TreeDataProvider,
  type TreeItem,
  type TreeView,
} from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Log } from '../../core/base/log.ts';
import { messageOf } from '../../core/base/problem.ts';
import { lineOf, shownBranchOf } from '../stackState.ts';
import type { Repositories } from '../repositories.ts';
import type { RepositoryModel } from '../repositoryModel.ts';
import { changeDecorations } from './changeItem.ts';
import { dragAndDrop } from './dragAndDrop.ts';
import { Expansion } from './expansion.ts';
import { messageAbove } from './messageAbove.ts';
import { predictedDecorations } from './predictedDecorations.ts';
import type { BranchNode, ChangeNode, ChangesNode, ConflictNode, Node, RepositoryNode, WorktreeNode } from './nodes.ts';
import { rowFactsOf } from './rowFacts.ts';
import { rowItem } from './rowItem.ts';
import { stackRows, type StackRow } from './stackTree.ts';
import { canHaveChanges, tooltipOf } from './worktreeItem.ts';

/** The view's id in the manifest. */
export const worktreesViewId = 'worktreeStacks.worktrees';

/** How the worktrees are shown: side by side, those with the latest activity first, or each below the one that it stands on. */
export type ViewMode = 'list' | 'stack';

/**
 * The Worktrees view: a function of the snapshots. Rows are the same objects from one snapshot to the next, and only those
 * that look different are drawn again, so that nothing flickers and what is selected or expanded stays so.
 */
export class WorktreesView implements Disposable, TreeDataProvider<Node> {
  readonly tree: TreeView<Node>;
  readonly #store = new DisposableStore();
  readonly #changed = new EventEmitter<Node | undefined>();
  readonly #repositories: Repositories;
  readonly #log: Log;
  readonly #expansion: Expansion;
  #nodes = new Map<string, Node>();
  #looks = new Map<string, string>();
  #mode: ViewMode;

  /** @param memento where what is expanded is kept. */
  constructor(repositories: Repositories, log: Log, mode: ViewMode, memento: Memento) {
    this.#mode = mode;
    this.#repositories = repositories;
    this.#log = log;
    this.tree = window.createTreeView<Node>(worktreesViewId, {
      treeDataProvider: this,
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: dragAndDrop,
    });
    this.#store.add(this.tree);
    this.#store.add(this.#changed);
    this.#store.add(window.registerFileDecorationProvider(changeDecorations));
    this.#store.add(window.registerFileDecorationProvider(predictedDecorations));
    this.#expansion = this.#store.add(new Expansion(this.tree, memento));
    this.#store.add(repositories.onDidChange(() => this.#update()));
  }

  get mode(): ViewMode {
    return this.#mode;
  }

  /** Shows the same worktrees in another order; what is selected stays so, unless it is below a row that is collapsed there. */
  async setMode(mode: ViewMode): Promise<void> {
    if (mode === this.#mode) return;
    const selected = this.tree.selection.find((node) => node.kind === 'worktree')?.worktree.path;
    this.#mode = mode;
    this.#looks = this.#look();
    this.#changed.fire(undefined);
    const node = selected === undefined ? undefined : this.find(selected);
    // To show it would expand what the person has collapsed in this mode.
    if (node && this.tree.visible && this.#isInSight(node)) await this.show(node.worktree.path, { select: true });
  }

  get onDidChangeTreeData(): EventEmitter<Node | undefined>['event'] {
    return this.#changed.event;
  }

  /** Shows in the view that something is being done, as long as it is. */
  showBusy(work: Promise<unknown>): void {
    void window.withProgress({ location: { viewId: worktreesViewId } }, () => work);
  }

  /**
   * Scrolls to the row of a worktree, if there is one. VS Code refuses a row whose tree is drawn anew at that moment, so it is tried again
   * with the row that is there then; what the person wanted does not fail by it.
   */
  async show(path: string, options: Parameters<TreeView<Node>['reveal']>[1]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const node = this.find(path);
      if (!node) return;
      try {
        return await this.tree.reveal(node, options);
      } catch (thrown) {
        if (attempt === 5) return this.#log.warn(`The row of ${path} could not be shown: ${messageOf(thrown)}`);
        await delay(attempt * 40);
      }
    }
  }

  /** The row of a worktree, if it is shown. */
  find(path: string): WorktreeNode | undefined {
    return this.#rows().find((node): node is WorktreeNode => node.kind === 'worktree' && node.worktree.path === path);
  }

  getTreeItem(node: Node): TreeItem {
    return this.#expansion.itemOf(node);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) {
      // The view is on the screen: now it is needed.
      void this.#repositories.start();
      this.#looks = this.#look();
      return this.#roots();
    }
    if (node.kind === 'repository') return this.#topOf(node.model, node);
    if (node.kind === 'branch') return this.#standingOn(node);
    if (node.kind === 'changes') return this.#changesOf(node.parent, node);
    if (node.kind !== 'worktree') return [];
    const branches = this.#standingOn(node);
    if (branches.length === 0) return this.#changesOf(node, undefined);
    return [...(await this.#conflictsOf(node)), ...this.#groupOf(node), ...branches];
  }

  getParent(node: Node): Node | undefined {
    if (node.kind === 'repository') return undefined;
    return node.kind === 'change' ? (node.group ?? node.parent) : node.parent;
  }

  async resolveTreeItem(item: TreeItem, node: Node, token: CancellationToken): Promise<TreeItem> {
    if (node.kind !== 'worktree') return item;
    const recorded = node.worktree.entry?.baseCommit;
    const { mergeBaseOf } = await import('./details.ts');
    const commit = recorded ?? (await mergeBaseOf(node.model, node.worktree).catch(() => undefined));
    if (!token.isCancellationRequested) item.tooltip = this.#tooltipOf(node, commit);
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Nothing but main working trees is no list: the view's welcome says how to make the first worktree. */
  #roots(): (RepositoryNode | WorktreeNode | BranchNode)[] {
    const models = this.#repositories.models.filter((model) => model.state);
    const [only] = models;
    if (!models.some((model) => model.state?.worktrees.some((each) => !each.main))) return [];
    if (only && models.length === 1) return this.#topOf(only, undefined);
    return models.map((model) =>
      this.#node<RepositoryNode>({ kind: 'repository', id: model.repository.commonDir, model }),
    );
  }

  /** The topmost rows of a repository. */
  #topOf(model: RepositoryModel, parent: RepositoryNode | undefined): (WorktreeNode | BranchNode)[] {
    if (!model.state) return [];
    if (this.#mode === 'stack') return stackRows(model.state).map((row) => this.#nodeOf(row, model, parent));
    return model.state.worktrees.map((worktree) => {
      const id = `${model.repository.commonDir}\0${worktree.path}`;
      const node = this.#node<WorktreeNode>({ kind: 'worktree', id, model, parent, worktree, row: undefined });
      node.worktree = worktree;
      return node;
    });
  }

  #standingOn(node: WorktreeNode | BranchNode): (WorktreeNode | BranchNode)[] {
    return (node.row?.children ?? []).map((row) => this.#nodeOf(row, node.model, node));
  }

  /** Ids differ from those of list mode, so that it is remembered for each mode what is expanded. */
  #nodeOf(row: StackRow, model: RepositoryModel, parent: WorktreeNode['parent']): WorktreeNode | BranchNode {
    const id = `stack\0${model.repository.commonDir}\0${row.key}`;
    const { worktree } = row;
    if (!worktree) {
      const node = this.#node<BranchNode>({ kind: 'branch', id, model, parent, row });
      node.row = row;
      return node;
    }
    const node = this.#node<WorktreeNode>({ kind: 'worktree', id, model, parent, worktree, row });
    node.worktree = worktree;
    node.row = row;
    return node;
  }

  #groupOf(parent: WorktreeNode): ChangesNode[] {
    if (!canHaveChanges(parent.worktree)) return [];
    return [this.#node<ChangesNode>({ kind: 'changes', id: `${parent.id}\0`, parent })];
  }

  async #conflictsOf(parent: WorktreeNode): Promise<ConflictNode[]> {
    const { conflictsOf } = await import('./details.ts');
    return this.#logged(parent, async () =>
      (await conflictsOf(parent.model, parent.worktree)).map((file): ConflictNode => ({
        kind: 'conflict',
        id: `${parent.id}\0${file.path}`,
        parent,
        file,
      })),
    );
  }

  /** What is in conflict comes first, and is not said twice. */
  async #changesOf(parent: WorktreeNode, group: ChangesNode | undefined): Promise<(ConflictNode | ChangeNode)[]> {
    const { changesOf } = await import('./details.ts');
    const [conflicts, { from, files }] = await Promise.all([
      this.#conflictsOf(parent),
      this.#logged(parent, () => changesOf(parent.model, parent.worktree)),
    ]);
    const inConflict = new Set(conflicts.map(({ file }) => file.path));
    const changes = files
      .filter(({ path }) => !inConflict.has(path))
      .map((change): ChangeNode => ({
        kind: 'change',
        id: `${parent.id}\0${change.path}`,
        parent,
        group,
        change,
        from,
      }));
    return group ? changes : [...conflicts, ...changes];
  }

  async #logged<T>(parent: WorktreeNode, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
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
    const message = messageAbove(this.#repositories);
    if ((this.tree.message ?? '') !== message) this.tree.message = message;
    const before = this.#looks;
    const now = this.#look();
    this.#looks = now;
    if ([...before.keys()].join('\n') !== [...now.keys()].join('\n')) {
      const shown = new Set(this.#rows().map(({ id }) => id));
      this.#nodes = new Map([...this.#nodes].filter(([id]) => shown.has(id)));
      this.#changed.fire(undefined);
      return;
    }
    for (const node of this.#rows()) {
      const place = placeOf(node, this.getParent(node));
      if (before.get(place) !== now.get(place)) this.#changed.fire(node);
      // The files below an expanded row may be other ones although the row looks the same.
      else if (node.kind === 'worktree') for (const each of this.#holdersOf(node)) this.#changed.fire(each);
    }
  }

  /** The expanded rows right above files of a worktree: its own, or that of the group. */
  #holdersOf(node: WorktreeNode): (WorktreeNode | ChangesNode)[] {
    if (!this.#expansion.isExpanded(node)) return [];
    const holds = (node.row?.children.length ?? 0) > 0;
    if (!holds || node.worktree.changes?.conflicts) return [node];
    return this.#groupOf(node).filter((group) => this.#expansion.isExpanded(group));
  }

  #isInSight(node: Node): boolean {
    const parent = this.getParent(node);
    return !parent || (this.#expansion.isExpanded(parent) && this.#isInSight(parent));
  }

  /** Every row but those of files, each before those below it. */
  #rows(): (RepositoryNode | WorktreeNode | BranchNode)[] {
    const all: (RepositoryNode | WorktreeNode | BranchNode)[] = [];
    const add = (node: RepositoryNode | WorktreeNode | BranchNode): void => {
      all.push(node);
      const below = node.kind === 'repository' ? this.#topOf(node.model, node) : this.#standingOn(node);
      below.forEach(add);
    };
    this.#roots().forEach(add);
    return all;
  }

  /** How each row looks by its place, in their order. */
  #look(): Map<string, string> {
    const looks = new Map<string, string>();
    for (const node of this.#rows()) {
      const item = rowItem(node);
      const { label, description, iconPath, contextValue, collapsibleState, accessibilityInformation } = item;
      looks.set(
        placeOf(node, this.getParent(node)),
        JSON.stringify([
          ...[label, description, iconPath, contextValue, collapsibleState, accessibilityInformation],
          item.resourceUri?.toString(),
        ]),
      );
    }
    return looks;
  }

  #tooltipOf(node: WorktreeNode, baseCommit: string | undefined): MarkdownString {
    const { model, worktree } = node;
    const shown = shownBranchOf(model.state, worktree);
    const line = shown && model.state?.stacks ? lineOf(model.state.stacks, shown) : undefined;
    return tooltipOf(worktree, { baseCommit, line, ...rowFactsOf(model.state, worktree) });
  }
}

/** Where a row stands: a row that moves below another one is another row. */
const placeOf = (node: Node, parent: Node | undefined): string => `${parent?.id ?? ''} > ${node.id}`;
