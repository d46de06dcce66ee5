import { authentication, window, workspace, type ExtensionContext } from 'vscode';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { Log } from '../../core/base/log.ts';
import { Problem } from '../../core/base/problem.ts';
import type { HostSession } from '../../core/github/connect.ts';
import type { Progress } from '../../core/worktree/model.ts';
import type { Repositories } from '../repository/repositories.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { AccountHolder, Accounts } from './accounts.ts';
import { pullRequestOf } from '../repository/pullRequestState.ts';
import type { PullRequestPoll, NotifyChanges } from './pullRequestPoll.ts';
import type { Watches } from './watches.ts';

/** What is done by itself: rows and notifications, only rows, or nothing. */
export type Following = 'notify' | 'show' | 'off';

/**
 * The pull requests of this window's repositories. Nothing that talks to GitHub is loaded before there is a pull request to look at and
 * somebody has signed in, or a command needs it.
 */
export class PullRequestService implements Disposable {
  /** The holder of the accounts. Tests replace VS Code's, whose questions they cannot answer. */
  holder: AccountHolder = authentication;
  /** What a watch of this window has already reported. */
  readonly reportedByWatch = new Set<string>();
  readonly #store = new DisposableStore();
  readonly #context: ExtensionContext;
  readonly #repositories: Repositories;
  readonly #log: Log;
  readonly #tell: NotifyChanges;
  readonly #polls = new Map<RepositoryModel, Promise<PullRequestPoll>>();
  #accounts: Promise<Accounts> | undefined;
  #watches: Promise<Watches> | undefined;
  #ended = false;

  /** @param tell notifies the person of changes. */
  constructor(context: ExtensionContext, repositories: Repositories, log: Log, tell: NotifyChanges) {
    this.#context = context;
    this.#repositories = repositories;
    this.#log = log;
    this.#tell = tell;
    this.#store.add(repositories.onDidChange(() => this.#follow()));
    this.#store.add(
      authentication.onDidChangeSessions(({ provider }) => provider.id.startsWith('github') && this.renew()),
    );
    this.#store.add(window.onDidChangeWindowState(({ focused }) => focused && this.#each((poll) => poll.onFocus())));
    this.#store.add(
      workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('worktreeStacks.pullRequests.follow')) return;
        if (following() === 'off') this.#stopPolls();
        else this.#follow();
      }),
    );
  }

  /** The accounts that tokens come from. */
  accounts(): Promise<Accounts> {
    return (this.#accounts ??= import('./accounts.ts').then(
      ({ Accounts: Made }) => new Made(this.#context.globalState, this.#log, () => this.holder),
    ));
  }

  /**
   * Opens a repository on GitHub for what a person has asked for; they may be asked to sign in.
   *
   * @throws Problem as `openSession`; `cancelled` when they do not want to sign in.
   */
  async open(
    model: RepositoryModel,
    { signal, progress }: { readonly signal?: AbortSignal; readonly progress?: Progress } = {},
  ): Promise<HostSession> {
    const [accounts, { openSession }, repository] = await Promise.all([
      this.accounts(),
      import('../../core/github/connect.ts'),
      model.workspace(),
    ]);
    const first = !accounts.wasAsked;
    const session = await openSession(repository, {
      ...{ signal, progress },
      token: (at) => accounts.asked(repository, at, signal),
    });
    if (first) this.renew();
    return session;
  }

  /**
   * The same for what nobody has asked for right now: `undefined` where a token would take a question.
   *
   * @throws Problem as `openSession`, but for `no-token`.
   */
  async openSilently(model: RepositoryModel, signal: AbortSignal): Promise<HostSession | undefined> {
    const [accounts, { openSession }, repository] = await Promise.all([
      this.accounts(),
      import('../../core/github/connect.ts'),
      model.workspace(),
    ]);
    if (!accounts.wasAsked) return undefined;
    try {
      return await openSession(repository, { signal, token: (at) => accounts.silent(repository, at, signal) });
    } catch (thrown) {
      if (Problem.is(thrown, 'no-token')) return undefined;
      throw thrown;
    }
  }

  /** The poll of a repository, if there is one. */
  async pollOf(model: RepositoryModel): Promise<PullRequestPoll | undefined> {
    return this.#polls.get(model);
  }

  /** The watches of this window. */
  watches(): Promise<Watches> {
    return (this.#watches ??= import('./watches.ts').then(({ Watches: Made }) => this.#store.add(new Made())));
  }

  /** Polls now: the person has signed in, or has changed something. */
  renew(): void {
    this.#follow();
    this.#each((poll) => void poll.renew());
  }

  /** Stops every watch; resolves when the worktrees say so. For the end of the window. */
  async settled(): Promise<void> {
    await (await this.#watches)?.stopAll();
  }

  dispose(): void {
    this.#ended = true;
    this.#stopPolls();
    this.#store.dispose();
  }

  /** Begins to follow repositories that have pull requests, and lets go of those that are gone. */
  #follow(): void {
    if (this.#ended) return;
    const models = following() === 'off' || !workspace.isTrusted ? [] : this.#repositories.models;
    for (const model of models) {
      const { state } = model;
      if (this.#polls.has(model) || !state?.worktrees.some((each) => pullRequestOf(state, each))) continue;
      this.#polls.set(model, this.#begin(model));
    }
    for (const [model, poll] of this.#polls) {
      if (models.includes(model)) continue;
      this.#polls.delete(model);
      void poll.then((each) => each.dispose());
    }
    this.#each((poll) => poll.onChange());
  }

  async #begin(model: RepositoryModel): Promise<PullRequestPoll> {
    const [{ PullRequestPoll: Made }, accounts] = await Promise.all([import('./pullRequestPoll.ts'), this.accounts()]);
    const poll = new Made(model, accounts, this.#log, (...news) => following() === 'notify' && this.#tell(...news));
    await poll.begin();
    return poll;
  }

  #each(act: (poll: PullRequestPoll) => void): void {
    for (const poll of this.#polls.values()) void poll.then(act);
  }

  #stopPolls(): void {
    this.#each((poll) => poll.dispose());
    this.#polls.clear();
  }
}

function following(): Following {
  return workspace.getConfiguration('worktreeStacks').get<Following>('pullRequests.follow', 'notify');
}
