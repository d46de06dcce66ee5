import { messageOf } from '../../core/base/problem.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import { watchPullRequests } from '../../core/github/poll/loop.ts';
import type { Found } from '../../core/github/poll/query.ts';
import { repositoryOf, type HostSession } from '../../core/github/connect.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';

/** The target of a watch, and its listener. */
export interface WatchRequest {
  readonly model: RepositoryModel;
  readonly worktree: Worktree;
  readonly session: HostSession;
  /** Told what each look finds. */
  readonly onPoll: (found: readonly Found[]) => void;
  /** Told what has happened. */
  readonly onEvents: (found: Found) => void;
}

/** The pull requests whose checks this window watches. */
export class Watches implements Disposable {
  readonly #running = new Map<string, { readonly cancel: AbortController; readonly ended: Promise<void> }>();

  /** Whether a worktree's pull request is watched here. */
  has({ path }: Worktree): boolean {
    return this.#running.has(path);
  }

  /**
   * Watches until the checks have ended, the pull request is closed, or the watch is stopped.
   *
   * @returns when it has ended; rejects with the problems of `watchPullRequests`, but not with `cancelled`.
   */
  async watch(request: WatchRequest): Promise<void> {
    const { model, worktree } = request;
    if (this.has(worktree)) return;
    const cancel = new AbortController();
    const run = this.#run(request, cancel.signal).finally(() => {
      this.#running.delete(worktree.path);
      this.#show(model);
    });
    this.#running.set(worktree.path, { cancel, ended: run.catch(() => undefined) });
    this.#show(model);
    return run;
  }

  /** Stops watching; resolves when the marker in the worktree is gone. */
  async stop({ path }: Worktree): Promise<void> {
    const running = this.#running.get(path);
    running?.cancel.abort();
    await running?.ended;
  }

  /** Stops all that this window watches; resolves when their markers are gone. */
  async stopAll(): Promise<void> {
    this.dispose();
    await this.settled();
  }

  /** Stops all of them; {@link settled} resolves when their markers are gone. */
  dispose(): void {
    for (const { cancel } of this.#running.values()) cancel.abort();
  }

  /** Resolves when every watch that was stopped has tidied up. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async #run({ model, worktree, session, onPoll, onEvents }: WatchRequest, signal: AbortSignal): Promise<void> {
    const github = repositoryOf(session.github, worktree.entry?.pr?.url);
    try {
      for (;;) {
        const workspace = await model.workspace();
        const { found } = await watchPullRequests(workspace, github, [worktree], { signal, onPoll });
        const [only] = found;
        if (!only) return;
        onEvents(only);
        const { state, checks } = only.status;
        if (state === 'merged' || state === 'closed' || checks.state === 'passed' || checks.state === 'failed') return;
      }
    } catch (thrown) {
      if (signal.aborted) return;
      throw thrown instanceof Error ? thrown : new Error(messageOf(thrown));
    }
  }

  #show(model: RepositoryModel): void {
    const names = (model.state?.worktrees ?? []).filter((each) => this.has(each)).map(({ name }) => name);
    model.update({ kind: 'pullRequests', pullRequests: { watched: new Set(names) } });
  }
}
