import { commands, l10n, window } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Log } from '../../core/base/log.ts';
import { messageOf } from '../../core/base/problem.ts';
import { readUnmerged } from '../../core/git/unmerged.ts';
import type { UnderWay } from '../../core/merge/underWay.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { debounce } from '../base/debounce.ts';
import { listed } from '../base/messages.ts';
import type { Repositories } from '../repository/repositories.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { RepositoryState } from '../repository/repositoryState.ts';
import type { WorktreesView } from '../views/worktreesView.ts';
import { actionsOf, conflictsText } from './actions.ts';
import { isKnown, stageOf, stagesAfter, type Stage } from './stages.ts';

/** Milliseconds that conflicts must last before they are told: commands of ours and of git pass through some that they resolve themselves. */
const patience = 300;

/** What a command knows of a stop beside the files in conflict. */
export interface StopDetails {
  /** Further sentences, such as what was rebased so far. */
  readonly more?: readonly string[];
  /** The commits could not be signed, which is no conflict. */
  readonly unsigned?: boolean;
}

/**
 * Tells a person when something has stopped at conflicts in a worktree, and again when the last of them is resolved, with the buttons that
 * lead on: the same ones whoever began it. In the window that has the focus, once, and not while an agent works in that worktree.
 */
export class StopNotices implements Disposable {
  readonly #store = new DisposableStore();
  readonly #repositories: Repositories;
  readonly #view: WorktreesView;
  readonly #log: Log;
  /** What was told last, by model and worktree. A model that is not in it was never read: what is under way at first is no news. */
  readonly #told = new WeakMap<RepositoryModel, ReadonlyMap<string, Stage>>();

  constructor(repositories: Repositories, view: WorktreesView, log: Log) {
    this.#repositories = repositories;
    this.#view = view;
    this.#log = log;
    const soon = this.#store.add(debounce(() => this.#look(), patience, patience * 3));
    this.#store.add(repositories.onDidChange(() => soon()));
    this.#store.add(window.onDidChangeWindowState(({ focused }) => focused && soon()));
  }

  /** Tells that something waits for a person in a worktree, now; for a command that has made it so. */
  async stopped(model: RepositoryModel, path: string, details: StopDetails = {}): Promise<void> {
    const found = at(model.state, path);
    if (!found) return;
    this.#note(model, path, stageOf(found.underWay, found.worktree));
    await this.#view.show(path, { expand: true, select: true });
    void this.#tellStopped(model, found, details);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #note(model: RepositoryModel, path: string, stage: Stage): void {
    this.#told.set(model, new Map([...(this.#told.get(model) ?? []), [path, stage]]));
  }

  #look(): void {
    for (const model of this.#repositories.models) {
      const { state } = model;
      if (!state?.settled) continue;
      const told = this.#told.get(model);
      if (told ? !window.state.focused : !isKnown(state)) continue;
      const { stages, news } = stagesAfter(told, state);
      this.#told.set(model, stages);
      for (const path of news) {
        const found = at(state, path);
        if (!found) continue;
        if (stages.get(path)?.kind === 'conflicts') {
          // Whoever looks at something else is not led away from it: the message has a button.
          if (this.#view.tree.visible) void this.#view.show(path, { expand: true, select: true, focus: false });
          void this.#tellStopped(model, found, {});
        } else void this.#tellResolved(model, found);
      }
    }
  }

  async #tellStopped(model: RepositoryModel, { worktree, underWay }: Found, details: StopDetails): Promise<void> {
    const { name, path } = worktree;
    try {
      const { git } = await model.workspace();
      const files = (await readUnmerged(git, path)).map((each) => each.path);
      this.#log.info(`${underWay.operation} has stopped in ${path}: ${files.join(', ')}`);
      const key = details.unsigned === true && files.length === 0;
      const { goOn, abort } = actionsOf(underWay);
      const open = files.length > 1 ? l10n.t('Open First Conflict') : l10n.t('Open Conflict');
      const terminal = l10n.t('Open Terminal');
      const what = key
        ? l10n.t('The commits of {0} could not be signed. Unlock your key, then continue.', name)
        : files.length === 0
          ? l10n.t('{0} stopped.', name)
          : l10n.t('{0} stopped: {1}.', name, conflictsText(files, listed));
      const first = key ? [terminal] : files.length > 0 ? [open] : [];
      const text = [what, ...(details.more ?? [])].join(' ');
      const choice = await window.showWarningMessage(text, ...first, goOn.title, abort.title);
      const argument = argumentOf(model, path);
      if (choice === open) await commands.executeCommand('worktreeStacks.openConflict', argument);
      if (choice === terminal) await commands.executeCommand('worktreeStacks.openInTerminal', argument);
      if (choice === goOn.title) await commands.executeCommand(goOn.command, argument);
      if (choice === abort.title) await commands.executeCommand(abort.command, argument);
    } catch (thrown) {
      this.#log.warn(`What has stopped in ${path} could not be told: ${messageOf(thrown)}`);
    }
  }

  /** Also brings the view back: whoever has used VS Code's merge editor is in the Source Control view now. */
  async #tellResolved(model: RepositoryModel, { worktree, underWay }: Found): Promise<void> {
    const { name, path } = worktree;
    await this.#view.show(path, { select: true, focus: false });
    const { goOn, abort } = actionsOf(underWay);
    const text = l10n.t('{0}: all conflicts resolved.', name);
    const choice = await window.showInformationMessage(text, goOn.title, abort.title);
    if (choice === goOn.title) await commands.executeCommand(goOn.command, argumentOf(model, path));
    if (choice === abort.title) await commands.executeCommand(abort.command, argumentOf(model, path));
  }
}

/** Something that is under way in a worktree. */
interface Found {
  readonly worktree: Worktree;
  readonly underWay: UnderWay;
}

function at(state: RepositoryState | undefined, path: string): Found | undefined {
  const worktree = state?.worktrees.find((each) => each.path === path);
  const underWay = state?.underWay.get(path);
  return worktree && underWay && { worktree, underWay };
}

const argumentOf = (model: RepositoryModel, worktree: string): { worktree: string; repository: string } => ({
  worktree,
  repository: model.repository.mainRoot,
});
