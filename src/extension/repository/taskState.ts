import { basename, dirname } from 'node:path';
import { EventEmitter } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Log } from '../../core/base/log.ts';
import { asProblem } from '../../core/base/systemFailure.ts';
import type { Problem } from '../../core/base/problem.ts';
import { throttle } from '../../core/base/throttle.ts';
import type { TaskBoard } from '../../core/tasks/board.ts';
import type { ContextKeys } from '../base/contextKeys.ts';
import { debounce, type Debounced } from '../base/debounce.ts';
import type { Repositories } from './repositories.ts';
import { keepOnly, watchFiles } from '../git/watch.ts';
import type { RepositoryModel } from './repositoryModel.ts';

/** Milliseconds without a further change before the files are read, and after which they are read in any case. */
const quiet = 100;
const longestWait = 1000;

/** The tasks of one repository, or why they cannot be read; then the board is what was known before. */
export interface BoardState {
  readonly board: TaskBoard | undefined;
  readonly problem: Problem | undefined;
}

/**
 * The tasks in the session files of this window's repositories: read when a file changes, and with every snapshot, since that says which
 * worktrees there are.
 */
export class TaskBoards implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = new EventEmitter<void>();
  readonly #watches = new Map<string, Disposable>();
  readonly #repositories: Repositories;
  readonly #keys: ContextKeys;
  readonly #log: Log;
  readonly #soon: Debounced;
  #states = new Map<RepositoryModel, BoardState>();
  #ended = false;

  constructor(repositories: Repositories, log: Log, keys: ContextKeys) {
    this.#repositories = repositories;
    this.#log = log;
    this.#keys = keys;
    this.#soon = this.#store.add(debounce(() => void this.#readBesides(), quiet, longestWait));
    this.#store.add(this.#changed);
    this.#store.add(repositories.onDidChange(() => this.#soon()));
    keys.set('worktreeStacks.tasks', 'starting');
  }

  /** Fires when anything that is shown of the repositories may have changed. */
  get onDidChange(): EventEmitter<void>['event'] {
    return this.#changed.event;
  }

  /** What is known of each repository, in the order of the window's folders. */
  get states(): ReadonlyMap<RepositoryModel, BoardState> {
    return this.#states;
  }

  /** Reads all of them now. Never rejects: what went wrong is in the states. */
  readonly read: () => Promise<void> = throttle(() => this.#read());

  dispose(): void {
    this.#ended = true;
    this.#store.dispose();
    keepOnly(this.#watches, []);
  }

  /** The rows of the worktrees come first: both are made in the extension host. */
  async #readBesides(): Promise<void> {
    await Promise.all(this.#repositories.models.map((model) => model.rowsAreSent()));
    await this.read();
  }

  async #read(): Promise<void> {
    const models = this.#repositories.models.filter((model) => model.state);
    const states = await Promise.all(models.map((model) => this.#readOne(model)));
    if (this.#ended) return;
    this.#states = new Map(models.map((model, index) => [model, states[index] as BoardState]));
    this.#watch(states.flatMap(({ board }) => board?.file ?? []));
    this.#keys.set('worktreeStacks.tasks', summaryOf(states));
    this.#keys.set(
      'worktreeStacks.hasTaskInWorktree',
      states.some(({ board }) => board !== undefined && board.inWorktrees.length > 0),
    );
    this.#changed.fire();
  }

  async #readOne(model: RepositoryModel): Promise<BoardState> {
    const before = this.#states.get(model);
    try {
      const { readBoard } = await import('../../core/tasks/board.ts');
      return { board: await readBoard(await model.workspace(), model.state?.worktrees ?? []), problem: undefined };
    } catch (thrown) {
      const problem = asProblem(thrown, 'unreadable-file');
      if (before?.problem?.message !== problem.message) this.#log.warn(problem.message);
      return { board: before?.board, problem };
    }
  }

  /** The window may show a worktree only, and the session file of the main working tree lies outside of it. */
  #watch(files: readonly string[]): void {
    keepOnly(this.#watches, files, (file) => watchFiles(dirname(file), basename(file), () => this.#soon()));
  }
}

function summaryOf(states: readonly BoardState[]): 'noFile' | 'noTasks' | 'unreadable' | 'some' {
  const boards = states.flatMap(({ board }) => board ?? []);
  if (boards.some(({ pending, inWorktrees, done }) => pending.length + inWorktrees.length + done.length > 0))
    return 'some';
  if (states.some(({ problem }) => problem)) return 'unreadable';
  return boards.some(({ exists }) => exists) ? 'noTasks' : 'noFile';
}
