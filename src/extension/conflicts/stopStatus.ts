import { MarkdownString, StatusBarAlignment, l10n, window, type StatusBarItem } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { isWithin } from '../../core/base/paths.ts';
import type { UnderWay } from '../../core/merge/underWay.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { Repositories } from '../repository/repositories.ts';
import { actionsOf } from './actions.ts';

/** Right of Claude's worktree. */
const priority = 9_998;

/** A worktree in which something waits for a person. */
interface Stopped {
  readonly worktree: Worktree;
  readonly underWay: UnderWay;
  readonly repository: string;
  readonly here: boolean;
}

/** What waits for a person in the status bar: how many conflicts are left, and how it goes on once there is none. */
export class StopStatus implements Disposable {
  readonly item: StatusBarItem;
  readonly #store = new DisposableStore();
  readonly #repositories: Repositories;
  #shown = '';

  constructor(repositories: Repositories) {
    this.#repositories = repositories;
    this.item = window.createStatusBarItem('worktreeStacks.stopped', StatusBarAlignment.Left, priority);
    this.item.name = l10n.t('Worktree Conflicts');
    this.#store.add(this.item);
    this.#store.add(repositories.onDidChange(() => this.#update()));
    this.#store.add(window.onDidChangeActiveTextEditor(() => this.#update()));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const models = this.#repositories.models;
    // In the middle of an operation of ours everything passes.
    if (models.some(({ state }) => state && !state.settled)) return;
    const path = window.activeTextEditor?.document.uri.fsPath;
    const all = models.flatMap(({ state, repository }) =>
      (state?.worktrees ?? []).flatMap((worktree): Stopped[] => {
        const underWay = state?.underWay.get(worktree.path);
        const here = state?.here.includes(worktree.path) ?? false;
        return underWay && worktree.changes ? [{ worktree, underWay, repository: repository.mainRoot, here }] : [];
      }),
    );
    const edited = all.findLast(({ worktree }) => path !== undefined && isWithin(worktree.path, path));
    const shown = edited ?? all.find(({ here }) => here) ?? all[0];
    // An item that is set anew is drawn anew, and a click on it in that moment is lost.
    const now = JSON.stringify([shown, ...all].map((each) => each && [...partsIn(each), argumentOf(each)]));
    if (now === this.#shown) return;
    this.#shown = now;
    if (!shown) {
      this.item.text = '';
      return this.item.hide();
    }
    const { text, command } = partsOf(shown);
    const more = all.length - 1;
    this.item.text = more === 0 ? text : l10n.t('{0} (+{1})', text, more);
    this.item.command = { title: command.title, command: command.command, arguments: [argumentOf(shown)] };
    this.item.tooltip = tooltipOf([shown, ...all.filter((each) => each !== shown)]);
    this.item.accessibilityInformation = { label: this.item.text.replace(/^\$\([\w-]+\) /, '') };
    this.item.show();
  }
}

const partsIn = (stopped: Stopped): string[] => [partsOf(stopped).text, stopped.underWay.by];

/** What the item says of one worktree, and what a click does. */
function partsOf({ worktree, underWay }: Stopped): {
  readonly text: string;
  readonly command: { readonly title: string; readonly command: string };
} {
  const { name, changes } = worktree;
  const count = changes?.conflicts ?? 0;
  if (count === 0) {
    const { goOn } = actionsOf(underWay);
    return { text: `$(check) ${l10n.t('{0}: {1}', name, goOn.title)}`, command: goOn };
  }
  const left = count === 1 ? l10n.t('{0}: 1 conflict left', name) : l10n.t('{0}: {1} conflicts left', name, count);
  return {
    text: `$(git-merge) ${left}`,
    command: { title: l10n.t('Open Conflict'), command: 'worktreeStacks.openConflict' },
  };
}

/** Every worktree in which something waits, with its commands. */
function tooltipOf(all: readonly Stopped[]): MarkdownString {
  const text = new MarkdownString(undefined, true);
  text.isTrusted = { enabledCommands: [...new Set(all.flatMap(commandsFor).map(({ command }) => command))] };
  all.forEach((each, index) => {
    if (index > 0) text.appendMarkdown('\n\n');
    const { name, changes } = each.worktree;
    const count = changes?.conflicts ?? 0;
    text.appendText(
      count === 0
        ? l10n.t('{0}: all conflicts resolved.', name)
        : count === 1
          ? l10n.t('{0}: 1 conflict left', name)
          : l10n.t('{0}: {1} conflicts left', name, count),
    );
    const argument = encodeURIComponent(JSON.stringify([argumentOf(each)]));
    const links = commandsFor(each).map(({ title, command }) => `[${title}](command:${command}?${argument})`);
    text.appendMarkdown(`\n\n${links.join(' | ')}`);
  });
  return text;
}

function commandsFor(stopped: Stopped): { readonly title: string; readonly command: string }[] {
  const { goOn, abort } = actionsOf(stopped.underWay);
  const first = partsOf(stopped).command;
  return first.command === goOn.command ? [goOn, abort] : [first, abort];
}

const argumentOf = ({ worktree, repository }: Stopped): { worktree: string; repository: string } => ({
  worktree: worktree.path,
  repository,
});
