import { remediesOf, textOf, type Message, verbatim } from '../messages/message.ts';
import { distinctRemedies, type Remedy } from '../messages/remedy.ts';
import { baseMessages } from '../messages/base.ts';

/**
 * Why something did not happen, as a word that a program can branch on; which reason of that kind is its `id`, and the sentence for people
 * its `message`.
 */
export type ProblemReason =
  | 'usage'
  | 'cancelled'
  | 'no-git'
  | 'old-git'
  | 'git-failed'
  | 'no-repository'
  | 'unsafe-repository'
  | 'unreadable-file'
  | 'not-writable'
  | 'locked-by-another'
  | 'invalid-name'
  | 'taken'
  | 'in-use'
  | 'not-found'
  | 'ambiguous'
  | 'outside-repository'
  | 'not-ignored'
  | 'would-lose-work'
  | 'setup-failed'
  | 'hook-failed'
  | 'text-failed'
  | 'dirty'
  | 'conflicts'
  | 'checks-failed'
  | 'not-approved'
  | 'inconsistent'
  | 'unsupported'
  | 'offline'
  | 'no-token'
  | 'rate-limited'
  | 'host-refused'
  | 'push-refused';

/** What a person gets to know beside the message of a {@link Problem}. */
export interface ProblemDetails {
  /** The command or act that helps, without a full stop. */
  readonly next?: Message | undefined;
  /** What helps, beside what the next step has as data: what a button does in VS Code. */
  readonly remedies?: readonly Remedy[];
  /** The file that is wrong, as an absolute path. */
  readonly file?: string;
  /** The line in it, counted from 1. */
  readonly line?: number;
  /** Further lines: the files that are dirty, git's own words. */
  readonly items?: readonly (string | Message)[];
  /**
   * `incomplete`: the operation did not complete for a reason that the person can change (exit code 1);
   * `error`: it could not even be tried (exit code 2). Default `error`.
   */
  readonly outcome?: 'incomplete' | 'error';
  readonly cause?: unknown;
}

/**
 * A failure that is told to a person: one sentence that says what did not happen and why, and the next step.
 * Everything that the core throws on purpose is one of these; anything else is a bug.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly reason: ProblemReason;
  /** What did not happen and why, as data; `message` has it in English. */
  readonly what: Message;
  /** The next step as data; `next` has it in English. */
  readonly nextStep: Message | undefined;
  readonly next: string | undefined;
  /** What helps, as data: the terminal tells it in the next step, VS Code has a button for each. */
  readonly remedies: readonly Remedy[];
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** The further lines in English; as data they are its `lines`. */
  readonly items: readonly string[];
  readonly lines: readonly (string | Message)[];
  readonly outcome: 'incomplete' | 'error';

  constructor(reason: ProblemReason, what: Message, details: ProblemDetails = {}) {
    super(textOf(what), details.cause === undefined ? undefined : { cause: details.cause });
    this.reason = reason;
    this.what = what;
    this.next = details.next && textOf(details.next);
    this.nextStep = details.next;
    const steps = [details.next, what].flatMap((each) => (each ? remediesOf(each) : []));
    this.remedies = distinctRemedies([...(details.remedies ?? []), ...steps]);
    this.file = details.file;
    this.line = details.line;
    this.lines = details.items ?? [];
    this.items = this.lines.map((each) => textOf(each));
    this.outcome = details.outcome ?? 'error';
  }

  /** The id of what it says, `create.pathIsTaken`: the same in every language and wording. */
  get id(): string {
    return this.what.id;
  }

  /** What it says, for a failure after which something was left: a cancellation promises that nothing was. */
  get whatElse(): Message {
    return this.id === baseMessages.cancelled.id ? baseMessages.onlyCancelled() : this.what;
  }

  /** Whether a thrown value is a problem, of the given reason if one is named. */
  static is(thrown: unknown, reason?: ProblemReason): thrown is Problem {
    return thrown instanceof Problem && (reason === undefined || thrown.reason === reason);
  }

  /** The problem of an operation that the person called off. */
  static cancelled(): Problem {
    return new Problem('cancelled', baseMessages.cancelled(), { outcome: 'incomplete' });
  }
}

/** Throws {@link Problem.cancelled} once the signal is aborted. */
export function stopIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw Problem.cancelled();
}

/** What anything that was thrown says, as data. */
export function whatOf(thrown: unknown): Message {
  return thrown instanceof Problem ? thrown.what : verbatim(messageOf(thrown));
}

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The `code` of a Node system error (`ENOENT`, …), if the value is one. */
export function errorCode(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}
