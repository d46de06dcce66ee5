import { verbatim, type Message } from '../messages/message.ts';
import { Problem, type ProblemDetails, type ProblemReason } from '../base/problem.ts';
import { githubMessages } from '../messages/github.ts';
import { linesOf, reasonOf, wordsOf } from './refusalWords.ts';

/** What GitHub answered instead of doing what it was asked to do. */
export class HostProblem extends Problem {
  /** The HTTP status; `undefined` when there was no answer at all. */
  readonly status: number | undefined;
  /** GitHub's own words, one for each thing that was wrong. */
  readonly words: readonly string[];
  /** For `rate-limited`: when it may be asked again, in milliseconds since 1970. */
  readonly until: number | undefined;

  constructor(
    reason: ProblemReason,
    message: Message,
    details: ProblemDetails & {
      readonly status?: number | undefined;
      readonly words?: readonly string[];
      readonly until?: number | undefined;
    },
  ) {
    super(reason, message, details);
    this.status = details.status;
    this.words = details.words ?? [];
    this.until = details.until;
  }
}

/** The part of a failed request of GitHub's library that is looked at. */
interface Failed {
  readonly name?: string;
  readonly message?: string;
  readonly status?: number;
  readonly response?: {
    readonly headers?: Readonly<Record<string, string | number | undefined>>;
    readonly data?: unknown;
  };
  readonly headers?: Readonly<Record<string, string | number | undefined>>;
  readonly errors?: readonly { readonly type?: string; readonly message?: string }[];
}

/** What a failure is told with. */
export interface FailureContext {
  /** What was asked for, after "GitHub did not …": "open the pull request of login-form". */
  readonly what: Message;
  readonly host: string;
  /** Where the token is from; never the token. */
  readonly tokenFrom: string;
  /** What a person can do when the token is not accepted; default: sign in with `gh`. */
  readonly renew?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Turns what GitHub's library throws into a problem for a person. */
export function hostProblem(thrown: unknown, context: FailureContext): HostProblem {
  const failed = thrown as Failed;
  const { what, host } = context;
  const headers = failed.response?.headers ?? failed.headers ?? {};
  const words = wordsOf(failed);
  const until = limitedUntil(failed, headers, words, context.now);
  const status = failed.response || failed.headers ? (failed.status ?? 200) : undefined;
  const details = { status, words, items: linesOf(words), cause: thrown, outcome: 'incomplete' as const };
  if (until !== undefined) {
    const minutes = Math.max(1, Math.ceil((until - context.now) / 60_000));
    return new HostProblem('rate-limited', githubMessages.didNotTakes({ host, what }), {
      ...details,
      until,
      next: githubMessages.tryAgainIn({ count: minutes }),
    });
  }
  if (status === undefined) {
    return new HostProblem(
      'offline',
      githubMessages.couldNotAsked({ host, what, networkMessage: networkMessage(failed) }),
      {
        ...details,
        items: [],
        next: githubMessages.checkNetwork(),
      },
    );
  }
  if (status === 401) {
    return new HostProblem('no-token', githubMessages.doesNotAccept({ host, tokenFrom: context.tokenFrom }), {
      ...details,
      next: context.renew === undefined ? githubMessages.signInAnew({ host }) : verbatim(context.renew),
    });
  }
  const { reason, others } = reasonOf(words);
  const signOn = /url=(\S+)/.exec(String(headers['x-github-sso'] ?? ''))?.[1];
  const permissions = String(headers['x-accepted-github-permissions'] ?? '')
    .replace(/=/g, ': ')
    .replace(/[,;]\s*/g, ', ');
  const unseen = status === 404 || failed.errors?.some(({ type }) => type === 'NOT_FOUND') === true;
  const next = signOn
    ? githubMessages.authoriseToken({ address: signOn })
    : status === 403 && permissions !== ''
      ? githubMessages.giveTokenPermission({ source: context.tokenFrom, permissions })
      : unseen || status === 403
        ? githubMessages.checkToken({ source: context.tokenFrom })
        : status >= 500
          ? githubMessages.tryLater()
          : undefined;
  // What a query does not find may only be hidden.
  const isTold = reason !== undefined && !(unseen && status < 300);
  return new HostProblem(
    unseen ? 'not-found' : 'host-refused',
    githubMessages.refused({ host, what, why: whyOf(status, isTold ? reason : undefined, unseen) }),
    { ...details, items: isTold ? others : details.items, next },
  );
}

/** The host's own reason, where it gives one beside the status. */
function whyOf(status: number, reason: string | undefined, unseen: boolean): Message | string {
  if (unseen && reason === undefined) return githubMessages.noSuchThing();
  const code = status < 300 ? '' : githubMessages.http({ status });
  return reason === undefined ? code : githubMessages.hostReason({ reason, code });
}

/** When a request that was refused because of too many may be made again; `undefined` when it was refused for another reason. */
function limitedUntil(
  failed: Failed,
  headers: Readonly<Record<string, string | number | undefined>>,
  words: readonly string[],
  now: number,
): number | undefined {
  const byQuery = failed.errors?.some(({ type }) => type === 'RATE_LIMITED' || type === 'RATE_LIMIT') ?? false;
  if (!byQuery && failed.status !== 403 && failed.status !== 429) return undefined;
  const after = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && after >= 0) return now + after * 1000;
  const reset = Number(headers['x-ratelimit-reset']) * 1000;
  if (byQuery || String(headers['x-ratelimit-remaining']) === '0') return reset > 0 ? reset : now + 60_000;
  if (failed.status === 429 || words.some((each) => /rate limit/i.test(each))) return now + 60_000;
  return undefined;
}

function networkMessage({ name, message }: Failed): Message | string {
  if (name === 'TimeoutError') return githubMessages.noAnswerInTime();
  return message?.replace(/\.$/, '') ?? githubMessages.requestFailed();
}
