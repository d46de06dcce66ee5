import { TreeItemCollapsibleState, type Memento, type TreeItem, type TreeView } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Node } from './nodes.ts';
import { rowItem } from './rowItem.ts';

const key = 'worktreesView.turned';

/** How many rows are remembered, those that were turned last: rows go, and a workspace lives long. */
const most = 500;

/**
 * What a person has expanded and collapsed, kept with the workspace. VS Code itself forgets it with rows that go, as all of them do when the
 * mode of the view is changed, and when the window ends.
 */
export class Expansion implements Disposable {
  readonly #store = new DisposableStore();
  readonly #memento: Memento;
  /** The rows that are not as they come, by id. */
  readonly #turned: Map<string, boolean>;
  readonly #built: (node: Node) => TreeItem;

  /** @param built gives a row as it comes. */
  constructor(
    tree: Pick<TreeView<Node>, 'onDidExpandElement' | 'onDidCollapseElement'>,
    memento: Memento,
    built: (node: Node) => TreeItem = rowItem,
  ) {
    this.#built = built;
    this.#memento = memento;
    this.#turned = new Map(memento.get<[string, boolean][]>(key, []));
    this.#store.add(tree.onDidExpandElement(({ element }) => this.#turn(element, true)));
    this.#store.add(tree.onDidCollapseElement(({ element }) => this.#turn(element, false)));
  }

  /** Whether what is below a row shows, unless that row itself is hidden. */
  isExpanded(node: Node): boolean {
    return this.#turned.get(node.id) ?? comesExpanded(this.#built(node));
  }

  /** A row as the person left it. */
  itemOf(node: Node): TreeItem {
    const item = this.#built(node);
    const turned = this.#turned.get(node.id);
    if (turned === undefined || !item.collapsibleState) return item;
    const { Expanded, Collapsed } = TreeItemCollapsibleState;
    return { ...item, collapsibleState: turned ? Expanded : Collapsed };
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** A row in its default state is not stored: once it has dependents, its default is expanded. */
  #turn(node: Node, expanded: boolean): void {
    const before = this.#turned.get(node.id);
    this.#turned.delete(node.id);
    if (expanded !== comesExpanded(this.#built(node))) this.#turned.set(node.id, expanded);
    if (this.#turned.get(node.id) === before) return;
    for (const id of [...this.#turned.keys()].slice(0, -most)) this.#turned.delete(id);
    void this.#memento.update(key, [...this.#turned]);
  }
}

const comesExpanded = ({ collapsibleState }: TreeItem): boolean =>
  collapsibleState === TreeItemCollapsibleState.Expanded;
