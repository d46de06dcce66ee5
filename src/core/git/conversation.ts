import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { Problem } from '../base/problem.ts';
import { startedProcess } from '../base/process.ts';
import type { GitAnswer } from './gitError.ts';
import { gitMessages } from '../messages/git.ts';

/** How a git process is started that is spoken with. */
interface ConversationOptions {
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A git process that is spoken with: it reads a line, answers, and waits for the next one. For commands that would otherwise be
 * started once for each object, and for transactions that are held open while something else is done.
 */
export class Conversation {
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #ended: Promise<number | undefined>;
  readonly #errors: Buffer[] = [];
  #unread: Buffer = Buffer.alloc(0);
  #open = true;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /**
   * Starts git.
   *
   * @param options.signal ends the process; whatever is waited for then fails with the problem `cancelled`.
   * @throws what Node says where it cannot be started.
   */
  static async begin(
    binary: string,
    args: readonly string[],
    { cwd, variables, signal }: ConversationOptions,
  ): Promise<Conversation> {
    const how = { cwd, env: variables, stdio: 'pipe', ...(signal ? { signal } : {}) } as const;
    const child = await startedProcess(binary, args, how);
    const { stdin, stdout, stderr } = child;
    if (!stdin || !stdout || !stderr) throw new TypeError('a process without pipes');
    return new Conversation(child, stdin, stdout, stderr);
  }

  private constructor(child: ChildProcess, stdin: Writable, stdout: Readable, stderr: Readable) {
    this.#child = child;
    this.#input = stdin;
    // Git ends without reading all of it when it has refused a line; its exit code and words tell why.
    stdin.on('error', () => undefined);
    stdout.on('data', (bytes: Buffer) => {
      this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
      this.#wake?.();
    });
    stderr.on('data', (bytes: Buffer) => this.#errors.push(bytes));
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#failure = error;
        resolve(undefined);
      });
      this.#child.once('close', (code) => resolve(code ?? undefined));
    }).then((code) => {
      this.#open = false;
      this.#wake?.();
      return code as number | undefined;
    });
  }

  /** Says something to git. */
  say(text: string | Uint8Array): void {
    if (this.#open) this.#input.write(text);
  }

  /** The next line of git's answers, without its line break; `undefined` when git has ended. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#unread.indexOf(10);
      if (end >= 0) {
        const line = this.#unread.toString('utf8', 0, end);
        this.#unread = this.#unread.subarray(end + 1);
        return line;
      }
      if (!(await this.#more())) return undefined;
    }
  }

  /** The next so many bytes of git's answers; `undefined` when git has ended before. */
  async bytes(count: number): Promise<Buffer | undefined> {
    while (this.#unread.length < count) if (!(await this.#more())) return undefined;
    const bytes = this.#unread.subarray(0, count);
    this.#unread = this.#unread.subarray(count);
    return bytes;
  }

  /** Waits until there is more to read; whether there can be. */
  async #more(): Promise<boolean> {
    if (!this.#open) return false;
    await new Promise<void>((resolve) => (this.#wake = resolve));
    return true;
  }

  /** What git wrote to standard error so far. */
  get words(): string {
    return Buffer.concat(this.#errors).toString('utf8');
  }

  /** Says nothing more, and waits until git has ended. What it said last and was not read is the answer's standard output. */
  async end(): Promise<GitAnswer> {
    this.#input.end();
    const code = await this.#ended;
    const stderr = this.words;
    if (code === undefined) {
      throw new Problem('git-failed', gitMessages.notRunToItsEnd({ reason: this.#failure?.message ?? stderr.trim() }), {
        cause: this.#failure,
      });
    }
    return { exitCode: code, stdout: this.#unread.toString('utf8'), stderr };
  }

  /** Ends the process, if it still runs, and waits for that. */
  async stop(): Promise<void> {
    if (this.#open) {
      // A transaction that is not committed is given up at the end of its input; only a process that does not listen is killed.
      this.#input.end();
      const timer = setTimeout(() => this.#child.kill(), 5_000);
      await this.#ended;
      clearTimeout(timer);
    }
  }
}
