import { setTimeout as delay } from 'node:timers/promises';
import {
  EventEmitter,
  type Event,
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
import { lineOf, shownBranchOf } from '../repository/stackState.ts';
import type { ContextKeys } from '../base/contextKeys.ts';
import { hasStack, type Repositories } from '../repository/repositories.ts';
import { changeDecorations } from './changeItem.ts';
import { dragAndDrop } from './dragAndDrop.ts';
import { Expansion } from './expansion.ts';
import { messageAbove } from './messageAbove.ts';
import type { ChangeNode, ChangesNode, ConflictNode, Node, WorktreeNode } from './nodes.ts';
import { rowFactsOf } from './rowFacts.ts';
import { Rows, parentOf, type ViewMode } from './rows.ts';
import { filterLabel, type WorktreeFilter } from './worktreeFilter.ts';
import { canHaveChanges } from './worktreeItem.ts';
import { SelectedTogether } from './selectedTogether.ts';
import { WorktreeSizes } from './worktreeSizes.ts';
import { tooltipOf, type About } from './worktreeTooltip.ts';

/** How long the command of a row may come after the key that has selected the row, in milliseconds. */
const keyLasts = 1000;

/** The view's id in the manifest. */
const worktreesViewId = 'worktreeStacks.worktrees';

/**
 * The Worktrees view: it shows the {@link Rows} of the snapshots. Only those that look different are drawn again, so that nothing flickers and
 * what is selected or expanded stays so.
 */
export class WorktreesView implements Disposable, TreeDataProvider<Node> {
  readonly tree: TreeView<Node>;
  readonly #store = new DisposableStore();
  readonly #changed = new EventEmitter<Node | undefined>();
  readonly #clicked = new EventEmitter<void>();
  readonly #repositories: Repositories;
  readonly #log: Log;
  readonly #expansion: Expansion;
  readonly #sizes: WorktreeSizes;
  readonly #selected: SelectedTogether<Node>;
  readonly #rows = new Rows();
  readonly #keys: ContextKeys;
  /** What the person has chosen, if they have. */
  #chosen: ViewMode | undefined;
  #mode: ViewMode;
  #filter: WorktreeFilter | undefined;
  /** VS Code has asked for the topmost rows. */
  #isAsked = false;
  /** When a key began to select a row, in milliseconds since 1970. */
  #keyAt = 0;

  /**
   * @param chosen how the person wants to see the worktrees; else those of a stack are shown as one, once there is one.
   * @param memento stores which rows are expanded.
   */
  constructor(
    repositories: Repositories,
    { log, keys }: { readonly log: Log; readonly keys: ContextKeys },
    chosen: ViewMode | undefined,
    memento: Memento,
  ) {
    this.#chosen = chosen;
    this.#mode = chosen ?? 'list';
    this.#keys = keys;
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
    this.#store.add(this.#clicked);
    this.#store.add(window.registerFileDecorationProvider(changeDecorations));
    this.#expansion = this.#store.add(new Expansion(this.tree, memento, (node) => this.#rows.itemOf(node)));
    this.#selected = this.#store.add(new SelectedTogether(this.tree, (node) => this.#changed.fire(node)));
    this.#store.add(repositories.onDidChange(() => this.#update()));
    // VS Code asks for the tooltip again once the row is drawn again.
    this.#sizes = this.#store.add(new WorktreeSizes(log, (path) => this.#drawAgain(path)));
    this.#store.add(
      this.tree.onDidChangeVisibility(({ visible }) => {
        if (!visible) this.#sizes.stop();
        else if (!this.#isAsked) this.#willBeAsked();
      }),
    );
  }

  get mode(): ViewMode {
    return this.#mode;
  }

  /** Shows the same worktrees in another order; what is selected stays so, unless it is below a row that is collapsed there. */
  async setMode(mode: ViewMode): Promise<void> {
    this.#chosen = mode;
    if (mode === this.#mode) return;
    const selected = this.tree.selection.find((node) => node.kind === 'worktree')?.worktree.path;
    this.#build();
    this.#changed.fire(undefined);
    const node = selected === undefined ? undefined : this.find(selected);
    // To show it would expand what the person has collapsed in this mode.
    if (node && this.tree.visible && this.#isInSight(node)) await this.show(node.worktree.path, { select: true });
  }

  get filter(): WorktreeFilter | undefined {
    return this.#filter;
  }

  /** Shows the worktrees that match a filter only, side by side; `undefined` shows all. */
  setFilter(filter: WorktreeFilter | undefined): void {
    this.#filter = filter;
    this.#keys.set('worktreeStacks.filter', filter ?? '');
    this.tree.description = filter === undefined ? '' : filterLabel(filter);
    this.#build();
    this.#changed.fire(undefined);
  }

  /** Says that a key selects a row, whose command VS Code then runs as if it had been clicked. */
  selectsByKey(does: boolean): void {
    this.#keyAt = does ? Date.now() : 0;
  }

  /** Whether the command of a row was run because a key has selected it. Asked once for each time. */
  wasSelectedByKey(): boolean {
    const isRecent = Date.now() - this.#keyAt < keyLasts;
    this.#keyAt = 0;
    return isRecent;
  }

  /** Says that a row was clicked. */
  clicked(): void {
    this.#clicked.fire();
  }

  /** A row was clicked, also one that is selected already. */
  get onDidClick(): Event<void> {
    return this.#clicked.event;
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
    return this.#rows.all.find((node): node is WorktreeNode => node.kind === 'worktree' && node.worktree.path === path);
  }

  getTreeItem(node: Node): TreeItem {
    if (node.kind === 'worktree') node.model.rowIsAsked();
    // A copy: VS Code adds the tooltip to it.
    return this.#selected.markedItem({ ...this.#expansion.itemOf(node) }, node);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) {
      // The view is on the screen: now it is needed.
      void this.#repositories.start();
      this.#isAsked = true;
      for (const model of this.#repositories.models) model.rowIsAsked();
      if (!this.#rows.isBuilt) this.#build();
      return [...this.#rows.below(undefined)];
    }
    if (node.kind === 'repository' || node.kind === 'branch') return [...this.#rows.below(node)];
    if (node.kind === 'changes') return this.#changesOf(node.parent, node);
    if (node.kind !== 'worktree') return [];
    const branches = this.#rows.below(node);
    if (branches.length === 0) return this.#changesOf(node, undefined);
    return [...(await this.#conflictsOf(node)), ...this.#groupOf(node), ...branches];
  }

  getParent(node: Node): Node | undefined {
    return parentOf(node);
  }

  async resolveTreeItem(item: TreeItem, node: Node, token: CancellationToken): Promise<TreeItem> {
    if (node.kind !== 'worktree') return item;
    const recorded = node.worktree.entry?.baseCommit;
    const { mergeBaseOf, runOf } = await import('./details.ts');
    const [baseCommit, run, size] = await Promise.all([
      recorded ?? mergeBaseOf(node.model, node.worktree).catch(() => undefined),
      runOf(node.model, node.worktree).catch(() => undefined),
      this.#sizes.textOf(node.model, node.worktree, token),
    ]);
    if (!token.isCancellationRequested) item.tooltip = this.#tooltipOf(node, { baseCommit, run, size });
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #drawAgain(path: string): void {
    const node = this.find(path);
    if (node) this.#changed.fire(node);
  }

  #groupOf(parent: WorktreeNode): ChangesNode[] {
    if (!canHaveChanges(parent.worktree)) return [];
    return [this.#rows.nodeOf<ChangesNode>({ kind: 'changes', id: `${parent.id}\0`, parent })];
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

  /** Files in conflict come first and are not listed again as changes. */
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

  #build(): ReturnType<Rows['build']> {
    const { models } = this.#repositories;
    const isStacked = models.some(({ state }) => state !== undefined && hasStack(state));
    this.#mode = this.#chosen ?? (isStacked ? 'stack' : this.#mode);
    this.#keys.set('worktreeStacks.viewMode', this.#mode);
    return this.#rows.build(models, this.#mode, this.#filter);
  }

  /** Draws again what looks different: the list when rows came, went or moved, else single rows. */
  #update(): void {
    const message = messageAbove(this.#repositories);
    if ((this.tree.message ?? '') !== message) this.tree.message = message;
    const changed = this.#build();
    if (changed === 'all') {
      if (this.tree.visible) this.#willBeAsked();
      return this.#changed.fire(undefined);
    }
    for (const node of this.#rows.all) {
      if (changed.has(node)) this.#changed.fire(node);
      // The files below an expanded row may be other ones although the row looks the same.
      else if (node.kind === 'worktree') for (const each of this.#holdersOf(node)) this.#changed.fire(each);
    }
  }

  /** The expanded rows right above files of a worktree: its own, or that of the group. */
  #holdersOf(node: WorktreeNode): (WorktreeNode | ChangesNode)[] {
    if (!this.#expansion.isExpanded(node)) return [];
    if (this.#rows.below(node).length === 0 || node.worktree.changes?.conflicts) return [node];
    return this.#groupOf(node).filter((group) => this.#expansion.isExpanded(group));
  }

  /** VS Code is about to ask for all rows. */
  #willBeAsked(): void {
    for (const model of this.#repositories.models) model.rowsWillBeAsked();
  }

  #isInSight(node: Node): boolean {
    const parent = parentOf(node);
    return !parent || (this.#expansion.isExpanded(parent) && this.#isInSight(parent));
  }

  #tooltipOf(node: WorktreeNode, read: Pick<About, 'baseCommit' | 'run' | 'size'>): MarkdownString {
    const { model, worktree } = node;
    const shown = shownBranchOf(model.state, worktree);
    const line = shown && model.state?.stacks ? lineOf(model.state.stacks, shown) : undefined;
    return tooltipOf(worktree, { ...read, line, ...rowFactsOf(model.state, worktree) });
  }
}
