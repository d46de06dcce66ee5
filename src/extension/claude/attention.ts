import { EventEmitter, TextEditorSelectionChangeKind, window, type Event, type Terminal, type TreeView } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';

/** So long after a sign that somebody is in an editor or a view they are taken to be there still, in milliseconds. */
const shortWhile = 5_000;

/**
 * Where the person's attention is. VS Code does not say what has the focus, only which terminal had it last. So a terminal that had it last
 * counts as in focus until the person does something elsewhere.
 */
export class Attention implements Disposable {
  readonly #store = new DisposableStore();
  readonly #moved = new EventEmitter<void>();
  /** When somebody was last seen outside of terminals, in milliseconds. */
  #elsewhere = Number.NEGATIVE_INFINITY;

  /** @param view rows of ours, and an event for a click on one, also on the one that is selected. */
  constructor({ tree, onDidClick }: { readonly tree: TreeView<unknown>; readonly onDidClick: Event<void> }) {
    this.#store.add(this.#moved);
    this.#store.add(
      window.onDidChangeTextEditorSelection(({ kind }) => {
        const byHand = kind === TextEditorSelectionChangeKind.Keyboard || kind === TextEditorSelectionChangeKind.Mouse;
        if (byHand) this.#seenElsewhere();
      }),
    );
    this.#store.add(tree.onDidChangeSelection(() => this.#seenElsewhere()));
    this.#store.add(onDidClick(() => this.#seenElsewhere()));
    this.#store.add(window.onDidChangeWindowState(() => this.#moved.fire()));
    this.#store.add(
      window.onDidChangeActiveTerminal(() => {
        this.#elsewhere = Number.NEGATIVE_INFINITY;
        this.#moved.fire();
      }),
    );
  }

  /** Fires when the attention may have left a terminal. */
  get onDidMove(): Event<void> {
    return this.#moved.event;
  }

  /** Whether a terminal has the focus, or may have it. */
  isOn(terminal: Terminal): boolean {
    if (!window.state.focused || window.activeTerminal !== terminal) return false;
    return performance.now() - this.#elsewhere > shortWhile;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #seenElsewhere(): void {
    this.#elsewhere = performance.now();
    this.#moved.fire();
  }
}
