import { basename } from 'node:path';
import { StatusBarAlignment, ThemeColor, l10n, window, type StatusBarItem } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { isWithin } from '../../core/base/paths.ts';
import type { Repositories } from '../repository/repositories.ts';
import type { RepositoryState } from '../repository/repositoryState.ts';

/** Just right of what VS Code's own git shows. */
const priority = 9_999;

/** Claude's worktree in the status bar, where that is not what this window shows. */
export class StatusBar implements Disposable {
  readonly item: StatusBarItem;
  readonly #store = new DisposableStore();
  readonly #repositories: Repositories;

  constructor(repositories: Repositories) {
    this.#repositories = repositories;
    this.item = window.createStatusBarItem('worktreeStacks.active', StatusBarAlignment.Left, priority);
    this.item.name = l10n.t("Claude's Worktree");
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
    const status = state && statusOf(state, this.#pathInView());
    if (!status) {
      // What is hidden says nothing either.
      this.item.text = '';
      return this.item.hide();
    }
    const { text, tooltip, warns } = status;
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

/** What the status bar says, and whether it warns. */
export interface StatusBarText {
  readonly text: string;
  readonly tooltip: string;
  readonly warns: boolean;
}

/**
 * The content of the status bar item; `undefined` where it has nothing to add: no session of Claude Code is led anywhere, or it is led
 * to what this window shows. It warns only where a session that runs in this window would be led out of it.
 *
 * @param path the file that is being edited: where a window has several worktrees of a repository open, it decides which is meant.
 */
export function statusOf(
  { snapshot, worktrees, here, agents, leadsClaude }: RepositoryState,
  path: string | undefined,
): StatusBarText | undefined {
  if (!leadsClaude || !snapshot.active) return undefined;
  const open = worktrees.filter((each) => here.includes(each.path));
  const shown =
    open.findLast((each) => path !== undefined && isWithin(each.path, path)) ??
    open.find((each) => each.path === here[0]);
  const active = worktrees.find((each) => each.active);
  if (active && active.path === shown?.path) return undefined;
  const window = shown?.name ?? snapshot.repository.name;
  const click = l10n.t('Click to switch, open or create a worktree.');
  const name = active?.name ?? basename(snapshot.active.path);
  const text = l10n.t('{0} · Claude in {1}', window, name);
  if (!active || active.condition === 'missing') {
    const gone = l10n.t(
      "Claude's worktree {0} no longer exists. A Claude session that is restored stays where it is.",
      name,
    );
    return { text, tooltip: `${gone}\n${click}`, warns: false };
  }
  // A session that was started in another linked worktree is left there.
  const leaves = shown?.main !== false;
  const sessions = shown ? (agents.get(shown.name)?.agents ?? []) : [];
  const runs = sessions.some(({ agentId }) => agentId === undefined);
  const where = l10n.t("Claude's worktree is {0}, and this window shows {1}.", name, window);
  const led = leaves
    ? l10n.t('A Claude session that is restored here is led to {0}.', active.path)
    : l10n.t(
        'A Claude session that is restored here stays here; one in the main working tree is led to {0}.',
        active.path,
      );
  return { text, tooltip: [where, led, click].join('\n'), warns: leaves && runs };
}
