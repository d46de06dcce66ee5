import type { Environment } from '../base/environment.ts';
import { Problem, stopIfCancelled } from '../base/problem.ts';
import type { Progress } from '../worktree/model.ts';
import { realClock, type Clock } from './clock.ts';
import { HostProblem, hostProblem } from './failure.ts';
import { apiOf } from './hosts.ts';
import type { Connection } from './octokit.ts';
import { Pace, durationText } from './pace.ts';
import type { HostedRepository } from './remoteUrl.ts';
import type { Token } from './tokens.ts';
import type { Message } from '../messages/message.ts';
import { githubMessages } from '../messages/github.ts';

/** The longest time for one request, its retries included, in milliseconds. */
const patience = 60_000;
/** The longest that is waited when GitHub asks for a pause, in milliseconds, and how often. */
const longestPause = 60_000;
const mostPauses = 2;

/** What is left of what one may ask in an hour. */
export interface Budget {
  readonly limit: number;
  readonly remaining: number;
  /** When it is full again, in milliseconds since 1970. */
  readonly resetAt: number;
}

/** How to talk to a repository on GitHub. */
export interface GitHubOptions {
  readonly environment: Environment;
  readonly repository: HostedRepository;
  readonly token: Token;
  readonly clock?: Clock;
  /** Told what is waited for. */
  readonly progress?: Progress | undefined;
  /** Keep writes apart as GitHub asks. Default true. */
  readonly spacing?: boolean;
  /** The pace of another repository that is written to as the same person. */
  readonly pace?: Pace | undefined;
}

/** What a request is made with. */
export type RequestContext = {
  readonly owner: string;
  readonly repo: string;
  readonly request: { readonly signal: AbortSignal };
};

/** An answer of GitHub's library. */
interface Answer<T> {
  readonly data: T;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

/** One repository on GitHub, as the owner of a token sees it. Loads GitHub's library with the first request. */
export class GitHub {
  readonly repository: HostedRepository;
  readonly clock: Clock;
  readonly #options: GitHubOptions;
  readonly #seen = new Map<string, { readonly etag: string; readonly data: unknown }>();
  readonly #budgets = new Map<string, Budget>();
  readonly #pace: Pace | undefined;
  #connection: Promise<Connection> | undefined;

  constructor(options: GitHubOptions) {
    this.#options = options;
    this.repository = options.repository;
    this.clock = options.clock ?? realClock;
    this.#pace = options.pace ?? (options.spacing === false ? undefined : new Pace(this.clock, options.progress));
  }

  /** The same person on another repository of the same host. */
  at(repository: HostedRepository): GitHub {
    return new GitHub({ ...this.#options, repository, pace: this.#pace });
  }

  /** What is left of the hour's requests, as the last answer said; `undefined` before the first one, and on servers without limits. */
  budget(of: 'core' | 'graphql'): Budget | undefined {
    return this.#budgets.get(of);
  }

  /**
   * Makes one request.
   *
   * @param what is asked for, after "GitHub did not …".
   * @throws HostProblem `offline`, `no-token`, `rate-limited`, `host-refused`, `not-found`; Problem `cancelled`.
   */
  async ask<T>(
    what: Message,
    make: (connection: Connection, context: RequestContext) => Promise<Answer<T>>,
    signal?: AbortSignal,
  ): Promise<T> {
    return (await this.#ask(what, make, signal)).data;
  }

  /**
   * Makes a request that changes something, when it is its turn.
   *
   * @param what as for {@link ask}.
   * @throws as {@link ask}.
   */
  async write<T>(
    what: Message,
    make: (connection: Connection, context: RequestContext) => Promise<Answer<T>>,
    signal?: AbortSignal,
  ): Promise<T> {
    await this.turn(signal);
    return this.ask(what, make, signal);
  }

  /**
   * Waits until the next change may be made, and counts it, for whoever reads something right before changing it: what is read before the
   * wait is old after it. The change itself is made with {@link ask} then.
   *
   * @throws Problem `cancelled`.
   */
  async turn(signal?: AbortSignal): Promise<void> {
    await this.#pace?.turn(signal);
  }

  /** The time that so many changes take, behind what is being done: `, about 2 min left`; empty where that is not worth a word. */
  timeLeft(writes: number): Message | string {
    const time = this.#pace?.timeFor(writes) ?? 0;
    return time < 5_000 ? '' : githubMessages.timeLeft({ time: durationText(time) });
  }

  /**
   * Makes a request for something that may not have changed since the last one: GitHub answers that without counting it.
   *
   * @param key names what is asked for.
   */
  async askForNews<T>(
    key: string,
    what: Message,
    make: (connection: Connection, context: RequestContext & { headers: Record<string, string> }) => Promise<Answer<T>>,
    signal?: AbortSignal,
  ): Promise<{ readonly data: T; readonly changed: boolean }> {
    const before = this.#seen.get(key);
    const headers: Record<string, string> = before ? { 'if-none-match': before.etag } : {};
    try {
      const answer = await this.#ask(what, (connection, context) => make(connection, { ...context, headers }), signal);
      const etag = answer.headers['etag'];
      if (typeof etag === 'string') this.#seen.set(key, { etag, data: answer.data });
      return { data: answer.data, changed: true };
    } catch (thrown) {
      if (before && thrown instanceof HostProblem && thrown.status === 304)
        return { data: before.data as T, changed: false };
      throw thrown;
    }
  }

  async #ask<T>(
    what: Message,
    make: (connection: Connection, context: RequestContext) => Promise<Answer<T>>,
    signal: AbortSignal | undefined,
  ): Promise<Answer<T>> {
    const { host, owner, repo } = this.repository;
    const connection = await this.#connect();
    for (let pauses = 0; ; pauses++) {
      stopIfCancelled(signal);
      const limit = AbortSignal.timeout(patience);
      const request = { signal: signal ? AbortSignal.any([signal, limit]) : limit };
      let problem: HostProblem;
      try {
        const answer = await orCancelled(make(connection, { owner, repo, request }), signal);
        this.#note(answer.headers);
        return answer;
      } catch (thrown) {
        stopIfCancelled(signal);
        if (thrown instanceof Problem) throw thrown;
        const late = limit.aborted ? { name: 'TimeoutError' } : thrown;
        const { from: tokenFrom, renew } = this.#options.token;
        const context = { what, host, tokenFrom, renew, now: this.clock.now() };
        problem = hostProblem(late, context);
      }
      const wait = problem.until === undefined ? undefined : problem.until - this.clock.now();
      if (wait === undefined || wait > longestPause || pauses === mostPauses) throw problem;
      this.#options.progress?.(githubMessages.waiting({ seconds: Math.ceil(wait / 1000), host }));
      await this.clock.sleep(Math.max(wait, 0), signal);
    }
  }

  #connect(): Promise<Connection> {
    const { environment, repository, token, spacing } = this.#options;
    this.#connection ??= import('./octokit.ts').then(({ connect }) =>
      connect({
        baseUrl: apiOf(environment, repository),
        token: token.value,
        userAgent: 'worktree-stacks',
        log: environment.log,
        spacing: spacing ?? true,
      }),
    );
    return this.#connection;
  }

  #note(headers: Answer<unknown>['headers']): void {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      Number(headers[`x-ratelimit-${name}`] ?? Number.NaN),
    );
    if (
      limit === undefined ||
      remaining === undefined ||
      reset === undefined ||
      Number.isNaN(limit + remaining + reset)
    )
      return;
    const resource = String(headers['x-ratelimit-resource'] ?? 'core');
    this.#budgets.set(resource, { limit, remaining, resetAt: reset * 1000 });
  }
}

/** The library waits for its turn without looking at signals; whoever calls does not have to. */
async function orCancelled<T>(task: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return task;
  let stop: (() => void) | undefined;
  const cancelled = new Promise<never>((_, reject) => {
    stop = () => reject(Problem.cancelled());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([task, cancelled]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}
