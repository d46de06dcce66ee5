import { Problem, type ProblemReason } from '../core/base/problem.ts';
import type { Log } from '../core/base/log.ts';
import { coloursFor, hasColour, type Colours } from './colour.ts';
import { ProgressLine } from './progressLine.ts';
import type { Remedy } from '../core/messages/remedy.ts';
import { cliMessages } from './cliMessages.ts';
import { isMessage, textOf, type Message, verbatim } from '../core/messages/message.ts';

/** A failure as `--json` prints it; schemas/failure.schema.json. */
export interface FailureJson {
  readonly success: false;
  readonly error: {
    readonly reason: ProblemReason | 'fault';
    /** The id of the message; missing for what another program has said. */
    readonly id?: string;
    readonly message: string;
    readonly next?: string;
    /** What helps, as data; see {@link Remedy}. */
    readonly remedies?: readonly Remedy[];
    readonly file?: string;
    readonly line?: number;
    readonly items?: readonly string[];
  };
}

/** What the person asked of the output, on the command line and in the environment. */
export interface OutputWishes {
  readonly json: boolean;
  readonly verbose: boolean;
  readonly noColour: boolean;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * The two streams of a command. Standard output carries the answer and nothing else; everything that is told along the way goes to
 * standard error.
 */
export class Output {
  readonly json: boolean;
  /** Colours for the answer. */
  readonly colours: Colours;
  /** Whether the answer may hold colours, for programs that make their own. */
  readonly coloured: boolean;
  /** Colours for messages. */
  readonly messageColours: Colours;
  /** Columns of the terminal that the answer goes to; `undefined` where it goes to a file or a pipe. */
  readonly width: number | undefined;
  readonly #stdout: NodeJS.WriteStream;
  readonly #stderr: NodeJS.WriteStream;
  readonly #verbose: boolean;
  readonly #line: ProgressLine;

  constructor(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream, wishes: OutputWishes) {
    this.json = wishes.json;
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#verbose = wishes.verbose;
    this.coloured = hasColour(stdout, wishes.variables, wishes.noColour);
    this.colours = coloursFor(stdout, wishes.variables, wishes.noColour);
    this.messageColours = coloursFor(stderr, wishes.variables, wishes.noColour);
    this.width = stdout.isTTY ? stdout.columns || 80 : undefined;
    this.#line = new ProgressLine(stderr, this.messageColours);
  }

  /** Prints a part of the answer as it is. */
  write(text: string | Uint8Array): void {
    this.#line.clear();
    this.#stdout.write(text);
  }

  /** Prints the answer, with a line break behind it; nothing at all for an empty one. */
  answer(text: string): void {
    if (text !== '') this.write(`${text}\n`);
  }

  /** Prints the answer as JSON. */
  answerJson(value: unknown): void {
    const plain = (_key: string, each: unknown): unknown => (isMessage(each) ? textOf(each) : each);
    this.write(`${JSON.stringify(value, plain, 2)}\n`);
  }

  /** Tells the person something; never part of the answer. */
  tell(text: Message | string): void {
    this.#line.clear();
    this.#stderr.write(`${textOf(text)}\n`);
  }

  /** Passes on what another program prints, as it is. */
  pass(text: string): void {
    this.#line.clear();
    this.#stderr.write(text);
    this.#line.passed(text);
  }

  /** Tells of a problem that did not stop the command. */
  warn(problem: Problem): void {
    this.tell(this.#describe(this.messageColours.yellow('warning:'), problem));
  }

  /**
   * Passes on bytes that another program printed, as a whole, and waits until they are taken.
   *
   * @param to whose colours and terminal are meant: those of the answer, or of the messages.
   * @returns whether anybody still reads that stream.
   */
  relay(to: 'answer' | 'messages', bytes: Uint8Array): Promise<boolean> {
    const stream = to === 'answer' ? this.#stdout : this.#stderr;
    return new Promise((taken) => stream.write(bytes, (error) => taken(error == null)));
  }

  /** Tells why the command did not do what it was asked to do. */
  fail(problem: Problem): void {
    this.report(problem);
    if (this.json) this.answerJson(failureJson(problem));
  }

  /** The same, where the command has more to answer and prints its JSON itself. */
  report(problem: Problem): void {
    this.tell(this.#describe(this.messageColours.red('wt:'), problem));
  }

  /** Names what is waited for, on a terminal, if it takes long. */
  readonly progress = (step: Message | string | undefined): void => {
    const text = step === undefined ? '' : textOf(step);
    if (!this.#verbose) this.#line.show(text);
    else if (text !== '') this.tell(this.messageColours.dim(text));
  };

  /** Nothing is waited for any more. */
  done(): void {
    this.#line.stop();
  }

  /** Where the core's log goes: standard error with `--verbose`, nowhere without. */
  log(): Log {
    const tell = (text: string): void => (this.#verbose ? this.tell(this.messageColours.dim(text)) : undefined);
    return { debug: tell, info: tell, warn: tell, error: tell };
  }

  #describe(label: string, problem: Problem): string {
    const lines = [`${label} ${problem.message}`];
    if (problem.next !== undefined) lines.push(`${this.messageColours.cyan('next:')} ${problem.next}`);
    for (const item of problem.items) lines.push(`  ${item}`);
    return lines.join('\n');
  }
}

/** A failure as a program gets to read it. */
export function failureJson(problem: Problem): FailureJson {
  const { id, message, next, remedies, file, line, items } = problem;
  return {
    success: false,
    error: {
      reason: problem instanceof Fault ? 'fault' : problem.reason,
      ...(id === verbatim('').id ? {} : { id }),
      message,
      ...(next === undefined ? {} : { next }),
      ...(remedies.length === 0 ? {} : { remedies }),
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(items.length === 0 ? {} : { items }),
    },
  };
}

/** A fault of our own, told like a problem, so that nobody has to read a stack trace. */
export class Fault extends Problem {
  constructor(thrown: unknown) {
    const words = thrown instanceof Error ? thrown.message : String(thrown);
    super('unsupported', cliMessages.faultWtItself({ detail: words.split('\n')[0] ?? '' }), {
      next: cliMessages.sameCommandVerbose(),
      cause: thrown,
    });
  }
}
