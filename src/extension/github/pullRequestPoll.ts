import { window } from 'vscode';
import type { Disposable } from '../../core/base/disposable.ts';
import type { Log } from '../../core/base/log.ts';
import { Problem, messageOf } from '../../core/base/problem.ts';
import { throttle } from '../../core/base/throttle.ts';
import { openSession, repositoryOf } from '../../core/github/connect.ts';
import type { GitHub } from '../../core/github/client.ts';
import { HostProblem } from '../../core/github/failure.ts';
import { queriesFor, type PollTarget } from '../../core/github/poll/query.ts';
import { nextPoll, pace } from '../../core/github/poll/schedule.ts';
import {
  isUnderWay,
  pollTogether,
  recordStatuses,
  neverAsked,
  readKnown,
  type Known,
  type Poll,
} from '../../core/github/poll/sharedPoll.ts';
import { lowestBudget } from '../../core/github/poll/loop.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Accounts } from './accounts.ts';
import { pullRequestOf } from '../repository/pullRequestState.ts';

/** Tells a person what is new of the pull requests of a repository. */
export type NotifyChanges = (model: RepositoryModel, news: Poll['news']) => void;

/** The part of the usual pause after which the look of another window is taken instead of an own one. */
const share = 0.75;

/** Milliseconds until a look is tried again that another window's was in the way of. */
const busy = 2_000;

/**
 * Keeps what the rows say of pull requests true: shows what was known last, then asks GitHub now and then, seldom while nobody looks at the
 * window, and not at all without a token that is there without a question.
 */
export class PullRequestPoll implements Disposable {
  readonly #model: RepositoryModel;
  readonly #accounts: Accounts;
  readonly #log: Log;
  readonly #tell: NotifyChanges;
  readonly #cancel = new AbortController();
  #known: Known = neverAsked;
  /** The pull requests of the last look, whether or not GitHub knew them. */
  #looked: readonly number[] = [];
  #github: { readonly github: GitHub; readonly key: string } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  /** Nothing is asked before this moment, in milliseconds since 1970. */
  #notBefore = 0;
  /** There is no valid token: polling stops until the person signs in. */
  #locked = false;
  #force = false;

  constructor(model: RepositoryModel, accounts: Accounts, log: Log, tell: NotifyChanges) {
    this.#model = model;
    this.#accounts = accounts;
    this.#log = log;
    this.#tell = tell;
  }

  /** Shows what was known last, without the network; then the first look comes by itself. */
  async begin(): Promise<void> {
    const known = await readKnown(this.#model.repository);
    // Before it is shown: what was merged is no target any more then.
    const targets = this.#targets();
    this.#show(known);
    this.#schedule(0);
    // That is old and may not hold any more; but what was merged stays so.
    const merged = new Map([...known.statuses].filter(([, { state }]) => state === 'merged'));
    if (merged.size > 0)
      await recordStatuses(await this.#model.workspace(), merged, targets).catch((thrown: unknown) =>
        this.#log.warn(`What was merged could not be written down: ${messageOf(thrown)}`),
      );
  }

  /** Polls now, whatever is cached: the person has signed in, pushed, or asked for it. Never rejects. */
  async renew(): Promise<void> {
    this.#force = true;
    this.#locked = false;
    this.#failures = 0;
    await this.#look();
  }

  /** The window has the focus again: polls what is stale. */
  onFocus(): void {
    if (Date.now() - this.#known.asked > pace.idle) this.#schedule(0);
  }

  /** The repository has changed: polls pull requests of which nothing is known. */
  onChange(): void {
    if (this.#targets().some(({ number }) => !this.#looked.includes(number))) this.#schedule(0);
  }

  /** The result of another poll in this window, such as a watch. */
  take(statuses: Known['statuses']): void {
    this.#show({ ...this.#known, statuses: new Map([...this.#known.statuses, ...statuses]) });
  }

  dispose(): void {
    this.#cancel.abort();
    clearTimeout(this.#timer);
  }

  readonly #look = throttle(async () => {
    clearTimeout(this.#timer);
    const { signal } = this.#cancel;
    const targets = this.#targets();
    if (signal.aborted || this.#locked || targets.length === 0) return;
    this.#looked = targets.map(({ number }) => number);
    if (Date.now() < this.#notBefore) return this.#schedule(this.#notBefore - Date.now());
    const forced = this.#force;
    this.#force = false;
    try {
      const workspace = await this.#model.workspace();
      const github = await this.#open(signal);
      const maxAge = forced ? 0 : share * this.#pause(targets, github, 0.5);
      const look = await pollTogether(workspace, github, targets, { maxAge, signal });
      if (signal.aborted) return;
      this.#failures = 0;
      this.#show(look.known);
      if (look.news.length > 0) this.#tell(this.#model, look.news);
      // Another window is polling; its result may be older than what is wanted here.
      const missed = forced && !look.asked;
      if (missed) this.#force = true;
      this.#schedule(missed ? busy : this.#pause(targets, github));
    } catch (thrown) {
      if (!signal.aborted) this.#onFailure(thrown, targets);
    }
  });

  #onFailure(thrown: unknown, targets: readonly PollTarget[]): void {
    if (Problem.is(thrown, 'no-token') || Problem.is(thrown, 'unsupported') || Problem.is(thrown, 'not-found')) {
      this.#locked = true;
      this.#log.info(`Pull requests are not looked at: ${messageOf(thrown)}`);
      return;
    }
    this.#failures += 1;
    if (this.#failures === 1) this.#log.warn(`Pull requests could not be looked at: ${messageOf(thrown)}`);
    if (thrown instanceof HostProblem) this.#notBefore = thrown.until ?? 0;
    this.#schedule(Math.max(this.#pause(targets, this.#github?.github), this.#notBefore - Date.now()));
  }

  /** One connection as long as the token is the same: it remembers what GitHub need not send again. */
  async #open(signal: AbortSignal): Promise<GitHub> {
    const workspace = await this.#model.workspace();
    let value = '';
    const session = await openSession(workspace, {
      signal,
      token: async (at) => {
        const token = await this.#accounts.silent(workspace, at, signal);
        value = token?.value ?? '';
        return token;
      },
    });
    const github = repositoryOf(session.github, this.#url());
    const { host, owner, repo } = github.repository;
    const key = [host, owner, repo, value].join(' ');
    if (this.#github?.key !== key) this.#github = { github, key };
    return this.#github.github;
  }

  #pause(targets: readonly PollTarget[], github: GitHub | undefined, chance?: number): number {
    const clock = { now: () => Date.now(), random: () => chance ?? Math.random(), sleep: async () => {} };
    return nextPoll(clock, {
      pending: isUnderWay(this.#known, targets),
      focused: window.state.focused,
      failures: this.#failures,
      queries: queriesFor(targets),
      budget: github && lowestBudget(github),
    });
  }

  #schedule(wait: number): void {
    if (this.#cancel.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), wait);
    this.#timer.unref();
  }

  #show(known: Known): void {
    this.#known = known;
    this.#model.update({ kind: 'pullRequests', pullRequests: { statuses: known.statuses } });
  }

  /** The address of a pull request: all of a repository are in the same one. */
  #url(): string | undefined {
    const { state } = this.#model;
    return state?.worktrees.map((each) => pullRequestOf(state, each)?.url).find((url) => url);
  }

  /** What was merged, and is here, stays so. */
  #targets(): PollTarget[] {
    const { state } = this.#model;
    return (state?.worktrees ?? []).flatMap((worktree) => {
      const pull = pullRequestOf(state, worktree);
      if (!pull) return [];
      if (this.#known.statuses.get(pull.number)?.state === 'merged' && pull.recorded !== 'unproven') return [];
      const { name, path, branch = '' } = worktree;
      return [{ name, path, branch, number: pull.number }];
    });
  }
}
