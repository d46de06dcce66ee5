import { EventEmitter, window, workspace } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Log } from '../../core/base/log.ts';
import { asProblem } from '../../core/base/systemFailure.ts';
import { Problem } from '../../core/base/problem.ts';
import { throttle } from '../../core/base/throttle.ts';
import type { UnderWay } from '../../core/merge/underWay.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { ContextKeys, WindowState } from '../base/contextKeys.ts';
import { pullRequestOf } from './pullRequestState.ts';
import { restacksOf } from './stackState.ts';
import type { RepositoryModel } from './repositoryModel.ts';
import { keepOnly, watchFiles } from '../git/watch.ts';
import { onFocus } from '../base/focus.ts';
import { openFolders } from '../base/uris.ts';

/**
 * The repositories of this window: those that its folders lead to, each once. Everything that runs git is loaded only when there is a
 * trusted folder to run it in.
 */
export class Repositories implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = new EventEmitter<void>();
  readonly #models = new Map<string, { readonly model: RepositoryModel; readonly store: DisposableStore }>();
  readonly #withoutRepository = new Map<string, Disposable>();
  readonly #log: Log;
  readonly #keys: ContextKeys;
  #state: WindowState = 'starting';
  #problem: Problem | undefined;
  #folders = '';
  /** Resolves when the first scan is over. */
  readonly started: Promise<void>;
  #starting: Promise<void> | undefined;
  #endStart: () => void = () => undefined;
  #ended = false;

  constructor(log: Log, keys: ContextKeys) {
    this.#log = log;
    this.#keys = keys;
    this.started = new Promise((resolve) => (this.#endStart = resolve));
    this.#store.add(this.#changed);
    this.#store.add(workspace.onDidChangeWorkspaceFolders(() => void this.scan()));
    this.#store.add(workspace.onDidGrantWorkspaceTrust(() => void this.scan()));
    this.#store.add(window.onDidChangeWindowState(onFocus(window.state.focused, () => this.#onFocus())));
    this.#publish();
  }

  /** Fires when anything that is shown of the repositories may have changed. */
  get onDidChange(): EventEmitter<void>['event'] {
    return this.#changed.event;
  }

  get state(): WindowState {
    return this.#state;
  }

  /** The problem behind the state, if there is one. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** In the order of the window's folders. */
  get models(): readonly RepositoryModel[] {
    return [...this.#models.values()].map(({ model }) => model);
  }

  /** Scans the first time; later calls wait for that. Never rejects. */
  start(): Promise<void> {
    this.#starting ??= this.scan().finally(this.#endStart);
    return this.#starting;
  }

  /**
   * Finds the repositories of the window's folders and reads the new ones. Resolves when they are shown; never
   * rejects, see {@link state} and {@link problem}.
   */
  readonly scan: () => Promise<void> = throttle(() => this.#scan());

  /** Rereads everything, because a person asks for it. */
  async refresh(): Promise<void> {
    const asked = new Date();
    await this.scan();
    await Promise.all(this.models.map((model) => model.reread(asked)));
  }

  dispose(): void {
    this.#ended = true;
    this.#store.dispose();
    for (const { store } of this.#models.values()) store.dispose();
    this.#models.clear();
    this.#watchForRepositories([]);
  }

  async #scan(): Promise<void> {
    try {
      await this.#look();
    } catch (thrown) {
      const problem = asProblem(thrown);
      this.#settle(this.models.some((model) => model.state) ? 'ready' : 'failed', problem);
    }
  }

  async #look(): Promise<void> {
    if (this.#ended) return;
    if (!workspace.isTrusted) return this.#settle('untrusted');
    const folders = openFolders();
    if (folders.length === 0) {
      this.#keep([]);
      return this.#settle('noFolder');
    }
    const { findRepositories } = await import('./findRepositories.ts');
    const found = await findRepositories(this.#log, folders);
    if (this.#ended) return;
    // The repository of a deleted folder, such as a removed worktree, stays.
    const deleted = Problem.is(found.problem, 'not-found');
    const still = deleted ? this.models.filter((model) => model.state && !model.problem) : [];
    this.#keep([...found.repositories, ...still.map(({ repository }) => repository)].map(({ commonDir }) => commonDir));
    const moved = this.#folders !== folders.join('\0');
    this.#folders = folders.join('\0');
    const opened = found.repositories.map((repository) => {
      const known = this.#models.get(repository.commonDir)?.model;
      if (!known) return this.#add(found.open(repository)).open();
      // Which of its worktrees are open in this window may have changed with the folders.
      return moved ? known.refresh() : Promise.resolve();
    });
    this.#watchForRepositories(found.without);
    // Known repositories are already shown. New ones are read before the state becomes `ready`.
    await Promise.all(opened);
    const problem = found.problem ?? this.models.find((model) => !model.state)?.problem;
    this.#settle(this.models.some((model) => model.state) ? 'ready' : stateOf(problem), problem);
  }

  #settle(state: WindowState, problem?: Problem): void {
    this.#state = state;
    this.#problem = problem;
    if (problem) this.#log.warn([problem.message, ...problem.items].join('\n'));
    this.#publish();
  }

  #add(model: RepositoryModel): RepositoryModel {
    const store = new DisposableStore();
    store.add(model);
    store.add(model.onDidChange(() => this.#onModelChange(model)));
    this.#models.set(model.repository.commonDir, { model, store });
    return model;
  }

  /** Disposes of repositories that are no longer in this window. */
  #keep(commonDirs: readonly string[]): void {
    for (const [commonDir, { store }] of this.#models) {
      if (commonDirs.includes(commonDir)) continue;
      store.dispose();
      this.#models.delete(commonDir);
    }
  }

  #onModelChange(model: RepositoryModel): void {
    if (model.state && this.#state !== 'ready') {
      this.#state = 'ready';
      this.#problem = undefined;
    }
    // The repository may be gone, or git may no longer trust it: scan the folders again.
    if (model.problem && this.#state === 'ready') void this.scan();
    this.#publish();
  }

  #onFocus(): void {
    if (this.#state !== 'ready') void this.scan();
    else for (const model of this.models) model.rereadIfStale();
  }

  #publish(): void {
    const states = this.models.flatMap((model) => model.state ?? []);
    this.#keys.set('worktreeStacks.state', this.#state);
    this.#keys.set(
      'worktreeStacks.hasWorktrees',
      states.some((state) => state.worktrees.some((each) => !each.main)),
    );
    this.#keys.set(
      'worktreeStacks.hasProblems',
      this.problem !== undefined || this.models.some(({ problem, state }) => problem ?? state?.problems.length),
    );
    this.#keys.set('worktreeStacks.hasStack', states.some(hasStack));
    this.#keys.set(
      'worktreeStacks.hasActive',
      states.some((state) => state.snapshot.active !== undefined),
    );
    const begun = states.flatMap((state) => [...state.underWay.values()]);
    const isBegun = (operation: UnderWay['operation'], by: UnderWay['by'] = 'git'): boolean =>
      begun.some((each) => each.operation === operation && each.by === by);
    const stacks = states.flatMap((state) => state.stacks ?? []);
    this.#keys.set('worktreeStacks.isMerging', isBegun('merge', 'merge'));
    this.#keys.set('worktreeStacks.isGitMerging', isBegun('merge'));
    this.#keys.set('worktreeStacks.isRebasing', isBegun('rebase') || stacks.some(({ stopped }) => stopped.length > 0));
    this.#keys.set('worktreeStacks.isCherryPicking', isBegun('cherry-pick'));
    this.#keys.set('worktreeStacks.isReverting', isBegun('revert'));
    this.#keys.set('worktreeStacks.isApplyingPatches', isBegun('am'));
    this.#keys.set(
      'worktreeStacks.isRestacking',
      stacks.some(({ branches }) => [...branches.values()].some(({ stopped }) => stopped !== undefined)),
    );
    this.#keys.set(
      'worktreeStacks.needsRestack',
      states.some((state) => restacksOf(state).size > 0),
    );
    this.#keys.set(
      'worktreeStacks.canUndo',
      stacks.some(({ canUndo }) => canUndo),
    );
    this.#keys.set(
      'worktreeStacks.canRedo',
      stacks.some(({ canRedo }) => canRedo),
    );
    this.#keys.set(
      'worktreeStacks.hasRestacked',
      stacks.some(({ done }) => done.has('rebase') || done.has('move')),
    );
    this.#keys.set(
      'worktreeStacks.hasRemoved',
      stacks.some(({ done }) => done.has('cleanup')),
    );
    this.#keys.set(
      'worktreeStacks.hasAgents',
      states.some(({ agents }) => [...agents.values()].some(({ activity }) => activity !== undefined)),
    );
    this.#keys.set(
      'worktreeStacks.hasUrls',
      states.some(({ worktrees }) => worktrees.some(({ urls }) => urls.length > 0)),
    );
    this.#keys.set(
      'worktreeStacks.hasPullRequests',
      states.some((state) => state.worktrees.some((each) => pullRequestOf(state, each))),
    );
    this.#keys.set(
      'worktreeStacks.isWatching',
      states.some(({ pullRequests }) => pullRequests.watched.size > 0),
    );
    this.#changed.fire();
  }

  /** A folder without a repository may get one: `git init`, a clone. */
  #watchForRepositories(folders: readonly string[]): void {
    keepOnly(this.#withoutRepository, folders, (folder) => watchFiles(folder, '.git', () => void this.scan()));
  }
}

function stateOf(problem: Problem | undefined): WindowState {
  switch (problem?.reason) {
    case undefined:
      return 'noRepository';
    case 'no-git':
      return 'noGit';
    case 'old-git':
      return 'oldGit';
    case 'unsafe-repository':
      return 'unsafe';
    default:
      return 'failed';
  }
}

/** Whether a worktree is based on another one. */
export function hasStack({ worktrees }: { readonly worktrees: readonly Worktree[] }): boolean {
  const below = new Set(worktrees.flatMap(({ main, branch }) => (main ? [] : (branch ?? []))));
  return worktrees.some(({ main, base }) => !main && base?.exists === true && below.has(base.branch));
}
