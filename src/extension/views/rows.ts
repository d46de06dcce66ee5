import type { TreeItem } from 'vscode';
import { firstWhere, waitingFirst } from '../../core/snapshot/facts.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { RepositoryState } from '../repository/repositoryState.ts';
import type { BranchNode, Node, RepositoryNode, WorktreeNode } from './nodes.ts';
import { rowItem } from './rowItem.ts';
import { matchesFilter, type WorktreeFilter } from './worktreeFilter.ts';
import { stackRows, type StackRow } from './stackTree.ts';

/** How the worktrees are shown: side by side, those that wait for a person and those with the latest activity first, or each below its base. */
export type ViewMode = 'list' | 'stack';

/** Every row but those of files. */
export type ListedNode = RepositoryNode | WorktreeNode | BranchNode;

interface BuiltRow {
  readonly node: ListedNode;
  readonly item: TreeItem;
  /** Everything of the row that a person sees, for comparison. */
  readonly look: string;
}

/**
 * The rows of the Worktrees view: a function of the states of the repositories. {@link build} builds each row once; everything else reads what
 * was built. A row that is shown in the same place again keeps its node.
 */
export class Rows {
  #nodes = new Map<string, Node>();
  #children = new Map<ListedNode | undefined, ListedNode[]>();
  #items = new Map<Node, TreeItem>();
  /** By position in the tree, in the order of the view. */
  #built: ReadonlyMap<string, BuiltRow> | undefined;

  /** Whether {@link build} was called. */
  get isBuilt(): boolean {
    return this.#built !== undefined;
  }

  /** Every row, each before those below it. */
  get all(): readonly ListedNode[] {
    return [...(this.#built?.values() ?? [])].map(({ node }) => node);
  }

  /** The rows below one, or the topmost ones. */
  below(node: ListedNode | undefined): readonly ListedNode[] {
    return this.#children.get(node) ?? [];
  }

  /** A row as it is, whatever the person has expanded. Rows of files are built when they are asked for. */
  itemOf(node: Node): TreeItem {
    return this.#items.get(node) ?? rowItem(node);
  }

  /** The existing node for the same row, or else the given one. */
  nodeOf<T extends Node>(fresh: T): T {
    const shown = this.#nodes.get(fresh.id);
    if (
      shown?.kind === fresh.kind &&
      parentOf(shown) === parentOf(fresh) &&
      (!('model' in shown) || !('model' in fresh) || shown.model === fresh.model)
    ) {
      return shown as T;
    }
    this.#nodes.set(fresh.id, fresh);
    return fresh;
  }

  /**
   * Builds all rows from what is known now.
   *
   * @param filter narrows them down to those that match, side by side.
   * @returns the rows that look different; `all` when rows came, went or moved.
   */
  build(models: readonly RepositoryModel[], mode: ViewMode, filter?: WorktreeFilter): 'all' | ReadonlySet<ListedNode> {
    const before = this.#built;
    const built = new Map<string, BuiltRow>();
    this.#children = new Map();
    this.#items = new Map();
    const add = (nodes: readonly ListedNode[], parent: ListedNode | undefined): void => {
      this.#children.set(parent, [...nodes]);
      for (const node of nodes) {
        const item = rowItem(node);
        this.#items.set(node, item);
        // A row that moves below another one is another row.
        built.set(`${parent?.id ?? ''} > ${node.id}`, { node, item, look: lookOf(item) });
        add(node.kind === 'repository' ? this.#topOf(node.model, node, mode, filter) : this.#dependentsOf(node), node);
      }
    };
    add(this.#roots(models, mode, filter), undefined);
    this.#built = built;
    if (!before || [...before.keys()].join('\n') !== [...built.keys()].join('\n')) {
      const shown = new Set([...built.values()].map(({ node }) => node.id));
      this.#nodes = new Map([...this.#nodes].filter(([id]) => shown.has(id)));
      return 'all';
    }
    const changed = [...built].filter(([place, { look }]) => before.get(place)?.look !== look);
    return new Set(changed.map(([, { node }]) => node));
  }

  /** With main working trees only the list is empty: the welcome content explains how to create the first worktree. */
  #roots(models: readonly RepositoryModel[], mode: ViewMode, filter: WorktreeFilter | undefined): ListedNode[] {
    const read = models.filter((model) => model.state);
    const [only] = read;
    if (!read.some((model) => model.state?.worktrees.some((each) => !each.main))) return [];
    if (only && read.length === 1) return this.#topOf(only, undefined, mode, filter);
    // A repository without a match would only be an empty row.
    const shown = filter ? read.filter((model) => this.#topOf(model, undefined, mode, filter).length > 0) : read;
    return shown.map((model) =>
      this.nodeOf<RepositoryNode>({ kind: 'repository', id: model.repository.commonDir, model }),
    );
  }

  #topOf(
    model: RepositoryModel,
    parent: RepositoryNode | undefined,
    mode: ViewMode,
    filter: WorktreeFilter | undefined,
  ): ListedNode[] {
    const { state } = model;
    if (!state) return [];
    if (mode === 'stack' && !filter)
      return waitingStacksFirst(stackRows(state), state).map((row) => this.#stackNode(row, model, parent));
    const matching = waitingFirst(state.worktrees, state.agents).filter(
      (each) => !filter || matchesFilter(filter, state, each),
    );
    return matching.map((worktree) => {
      const id = `${model.repository.commonDir}\0${worktree.path}`;
      const node = this.nodeOf<WorktreeNode>({ kind: 'worktree', id, model, parent, worktree, row: undefined });
      node.worktree = worktree;
      return node;
    });
  }

  #dependentsOf(node: WorktreeNode | BranchNode): ListedNode[] {
    const { row, model } = node;
    if (!row || !model.state) return [];
    return waitingStacksFirst(row.children, model.state).map((child) => this.#stackNode(child, model, node));
  }

  /** Ids differ from those of list mode, so that it is remembered for each mode what is expanded. */
  #stackNode(row: StackRow, model: RepositoryModel, parent: WorktreeNode['parent']): WorktreeNode | BranchNode {
    const id = `stack\0${model.repository.commonDir}\0${row.key}`;
    const { worktree } = row;
    if (!worktree) {
      const node = this.nodeOf<BranchNode>({ kind: 'branch', id, model, parent, row });
      node.row = row;
      return node;
    }
    const node = this.nodeOf<WorktreeNode>({ kind: 'worktree', id, model, parent, worktree, row });
    node.worktree = worktree;
    node.row = row;
    return node;
  }
}

/** Of the rows below one branch, first those where an agent waits in them or further up in their stack. */
function waitingStacksFirst(rows: readonly StackRow[], { agents }: RepositoryState): readonly StackRow[] {
  const waits = ({ worktree, children }: StackRow): boolean =>
    (worktree && agents.get(worktree.name)?.activity === 'waiting') === true || children.some(waits);
  return firstWhere(rows, waits);
}

/** The row that a row is below; `undefined` for a topmost one. */
export function parentOf(node: Node): Node | undefined {
  if (node.kind === 'repository') return undefined;
  return node.kind === 'change' ? (node.group ?? node.parent) : node.parent;
}

function lookOf(item: TreeItem): string {
  const { label, description, iconPath, contextValue, collapsibleState, accessibilityInformation } = item;
  return JSON.stringify([
    ...[label, description, iconPath, contextValue, collapsibleState, accessibilityInformation],
    item.resourceUri?.toString(),
  ]);
}
