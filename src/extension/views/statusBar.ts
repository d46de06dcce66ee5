import { basename } from 'node:path';
import { StatusBarAlignment, ThemeColor, l10n, window, type StatusBarItem } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { isWithin } from '../../core/base/paths.ts';
import type { Repositories } from '../repository/repositories.ts';
import type { RepositoryState } from '../repository/repositoryState.ts';

/** Just right of what VS Code's own git shows. */
const priority = 9_999;

/** The active worktree in the status bar, with a warning when this window shows another one. */
export class StatusBar implements Disposable {
  readonly item: StatusBarItem;
  readonly #store = new DisposableStore();
  readonly #repositories: Repositories;

  constructor(repositories: Repositories) {
    this.#repositories = repositories;
    this.item = window.createStatusBarItem('worktreeStacks.active', StatusBarAlignment.Left, priority);
    this.item.name = l10n.t('Active Worktree');
    this.item.command = 'worktreeStacks.showWorktrees';
    this.#store.add(this.item);
    this.#store.add(repositories.onDidChange(() => this.#update()));
    this.#store.add(window.onDidChangeActiveTextEditor(() => this.#update()));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const state = this.#stateInView();
    if (!state) return this.item.hide();
    const { text, tooltip, warns } = statusOf(state, this.#pathInView());
    this.item.text = `$(worktree) ${text}`;
    this.item.tooltip = tooltip;
    this.item.backgroundColor = warns ? new ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.accessibilityInformation = { label: tooltip.replaceAll('\n', ' ') };
    this.item.show();
  }

  /** The repository of the file that is being edited, or else the first of the window. */
  #stateInView(): RepositoryState | undefined {
    const states = this.#repositories.models.flatMap((model) => model.state ?? []);
    const path = this.#pathInView();
    const holds = (state: RepositoryState): boolean =>
      path !== undefined && state.worktrees.some((each) => isWithin(each.path, path));
    return states.find(holds) ?? states.find((state) => state.here.length > 0) ?? states[0];
  }

  #pathInView(): string | undefined {
    const uri = window.activeTextEditor?.document.uri;
    return uri?.scheme === 'file' ? uri.fsPath : undefined;
  }
}

/**
 * The content of the status bar item.
 *
 * @param path the file that is being edited: where a window has several worktrees of a repository open, it decides which is meant.
 */
export function statusOf(
  { snapshot, worktrees, here }: RepositoryState,
  path: string | undefined,
): { text: string; tooltip: string; warns: boolean } {
  const open = worktrees.filter((each) => here.includes(each.path));
  const shown =
    open.findLast((each) => path !== undefined && isWithin(each.path, path)) ??
    open.find((each) => each.path === here[0]);
  const active = worktrees.find((each) => each.active);
  const window = shown?.name ?? snapshot.repository.name;
  const click = l10n.t('Click to switch, open or create a worktree.');
  if (!snapshot.active) {
    return {
      text: window,
      warns: false,
      tooltip: l10n.t('This window shows {0}. No worktree is the active one.\n{1}', window, click),
    };
  }
  const name = active?.name ?? basename(snapshot.active.path);
  if (!active || active.condition === 'missing') {
    const tooltip = l10n.t(
      'The active worktree {0} no longer exists. A restored Claude session stays where it is.\n{1}',
      name,
      click,
    );
    return { text: `${name} ≠ ${window}`, warns: true, tooltip };
  }
  if (active.path === shown?.path) {
    const tooltip = l10n.t(
      '{0} is the active worktree, and this window shows it. A restored Claude session stays here, in {1}.\n{2}',
      name,
      active.path,
      click,
    );
    return { text: name, warns: false, tooltip };
  }
  const tooltip = l10n.t(
    'The active worktree is {0}, but this window shows {1}. A Claude session that is restored here is led to {2}.\n{3}',
    name,
    window,
    active.path,
    click,
  );
  return { text: `${name} ≠ ${window}`, warns: true, tooltip };
}
