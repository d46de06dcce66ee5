import { StatusBarAlignment, l10n, window, type StatusBarItem } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { ContextKeys } from '../base/contextKeys.ts';
import type { Repositories } from '../repository/repositories.ts';
import { waitingAgents } from '../repository/waitingAgents.ts';
import type { WorktreesView } from './worktreesView.ts';

/** Just right of Claude's worktree. */
const priority = 9_998;

/** How many agents wait for a person: on the icon of the view, wherever it is, and in the status bar. */
export class WaitingIndicators implements Disposable {
  readonly item: StatusBarItem;
  readonly #store = new DisposableStore();
  readonly #repositories: Repositories;
  readonly #view: WorktreesView;
  readonly #keys: ContextKeys;

  constructor(repositories: Repositories, view: WorktreesView, keys: ContextKeys) {
    this.#repositories = repositories;
    this.#view = view;
    this.#keys = keys;
    this.item = window.createStatusBarItem('worktreeStacks.waiting', StatusBarAlignment.Left, priority);
    this.item.name = l10n.t('Waiting Agents');
    this.item.command = 'worktreeStacks.showWaitingAgents';
    this.#store.add(this.item);
    this.#store.add(repositories.onDidChange(() => this.#update()));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const waiting = waitingAgents(this.#repositories.models);
    const count = waiting.length;
    this.#keys.set('worktreeStacks.hasWaitingAgents', count > 0);
    const { tree } = this.#view;
    if ((tree.badge?.value ?? 0) !== count) {
      const tooltip = count === 1 ? l10n.t('1 agent waits for you') : l10n.t('{0} agents wait for you', count);
      tree.badge = count === 0 ? undefined : { value: count, tooltip };
    }
    if (count === 0) return this.item.hide();
    const names = [...new Set(waiting.map(({ worktree }) => worktree.name))];
    const label = tree.badge?.tooltip ?? '';
    this.item.text = `$(bell) ${l10n.t('{0} waiting', count)}`;
    this.item.tooltip = [`${label}: ${names.join(', ')}`, l10n.t('Click to go to one.')].join('\n');
    this.item.accessibilityInformation = { label: `${label}: ${names.join(', ')}` };
    this.item.show();
  }
}
