import { EventEmitter } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { asProblem } from '../../core/base/systemFailure.ts';
import { Problem } from '../../core/base/problem.ts';
import type { OpenPull } from '../../core/github/pulls/openPulls.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';

/** The open pull requests, and whether more may become known of them. */
export interface OpenPullsState {
  /**
   * `none`: there are no pull requests here; `signIn`: GitHub is asked when the person has signed in; `failed`: it could not be asked;
   * `known`: these are all.
   */
  readonly state: 'none' | 'signIn' | 'loading' | 'failed' | 'known';
  /** Those that are known, also from before. */
  readonly pulls: readonly OpenPull[];
  readonly problem?: Problem;
}

/** GitHub is not asked again within this time, in milliseconds. */
const fresh = 30_000;

/**
 * Reads the open pull requests of a repository for a box that is open: shows what was known last, and asks GitHub beside it, without a
 * question. Nothing of GitHub is loaded where there is none. Ends with the box.
 */
export class OpenPullsReader implements Disposable {
  readonly #services: Services;
  readonly #model: RepositoryModel;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  readonly #cancel = new AbortController();
  #now: OpenPullsState = { state: 'none', pulls: [] };
  #reading: Promise<void> | undefined;

  constructor(services: Services, model: RepositoryModel) {
    this.#services = services;
    this.#model = model;
    // The remotes may not be read yet.
    this.#store.add(services.repositories.onDidChange(() => this.#now.state === 'none' && this.read()));
    this.read();
  }

  /** Fires when there is something new to show. */
  get onDidChange(): EventEmitter<void>['event'] {
    return this.#changed.event;
  }

  /** What is known right now. */
  get now(): OpenPullsState {
    return this.#now;
  }

  /** Asks GitHub, unless that is under way. Never rejects. */
  read(): void {
    if (this.#reading || this.#cancel.signal.aborted || this.#model.state?.sharing !== 'pullRequests') return;
    this.#reading = this.#read().finally(() => (this.#reading = undefined));
  }

  /**
   * Lets the person sign in, then asks GitHub.
   *
   * @throws Problem as `PullRequestService.open`, but for `cancelled`.
   */
  async signIn(): Promise<void> {
    try {
      await this.#services.pullRequests.open(this.#model, { signal: this.#cancel.signal });
    } catch (thrown) {
      if (!Problem.is(thrown, 'cancelled')) throw thrown;
    }
    await this.#reading;
    this.read();
  }

  dispose(): void {
    this.#cancel.abort();
    this.#store.dispose();
  }

  async #read(): Promise<void> {
    const { signal } = this.#cancel;
    this.#show({ state: 'loading', pulls: this.#now.pulls });
    try {
      const { askOpenPulls, readOpenPulls } = await import('../../core/github/pulls/openPulls.ts');
      const before = await readOpenPulls(this.#model.repository);
      const isFresh = Date.now() - before.asked < fresh && this.#now.pulls.length === 0;
      this.#show({ state: isFresh ? 'known' : 'loading', pulls: before.pulls });
      if (isFresh) return;
      const session = await this.#services.pullRequests.openSilently(this.#model, signal);
      if (!session) return this.#show({ state: 'signIn', pulls: before.pulls });
      const { pulls } = await askOpenPulls(await this.#model.workspace(), session, signal);
      this.#show({ state: 'known', pulls });
    } catch (thrown) {
      if (signal.aborted) return;
      const problem = asProblem(thrown);
      this.#services.log.warn(`The open pull requests could not be read: ${problem.message}`);
      this.#show({ state: 'failed', pulls: this.#now.pulls, problem });
    }
  }

  #show(state: OpenPullsState): void {
    if (this.#cancel.signal.aborted) return;
    this.#now = state;
    this.#changed.fire();
  }
}
