import type { TreeItem, TreeView } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';

/**
 * Marks the rows of a view that are selected together with others: their `contextValue` ends in `;together`. VS Code's own `listMultiSelection`
 * says that several rows are selected, whichever row the menu is opened on; that of a row beside them is for this one alone.
 */
export class SelectedTogether<Node extends { readonly id: string }> implements Disposable {
  readonly #store = new DisposableStore();
  #marked: ReadonlyMap<string, Node> = new Map();

  /** @param draw draws a row again, whose mark has changed. */
  constructor(tree: TreeView<Node>, draw: (node: Node) => void) {
    this.#store.add(
      tree.onDidChangeSelection(({ selection }) => {
        const before = this.#marked;
        this.#marked = new Map(selection.length > 1 ? selection.map((node) => [node.id, node]) : []);
        for (const [id, node] of before) if (!this.#marked.has(id)) draw(node);
        for (const [id, node] of this.#marked) if (!before.has(id)) draw(node);
      }),
    );
  }

  /** The item of a row, with its mark. */
  markedItem(item: TreeItem, { id }: Node): TreeItem {
    return this.#marked.has(id) ? { ...item, contextValue: `${item.contextValue ?? ''};together` } : item;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
