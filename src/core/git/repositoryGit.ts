import type { Conversation } from './conversation.ts';
import type { GitAnswer } from './gitError.ts';
import type { GitOptions } from './gitProcess.ts';

/** The ways to run git; `Git` says what each gives. */
export interface GitCommands {
  run(args: readonly string[], options: GitOptions): Promise<GitAnswer>;
  text(args: readonly string[], options: GitOptions): Promise<string>;
  line(args: readonly string[], options: GitOptions): Promise<string | undefined>;
  bytes(args: readonly string[], options: GitOptions): Promise<Buffer>;
  nul(args: readonly string[], options: GitOptions): Promise<string[]>;
  converse<T>(
    args: readonly string[],
    options: Omit<GitOptions, 'input' | 'silenceLimit'>,
    talk: (conversation: Conversation) => Promise<T>,
  ): Promise<T>;
}

/** How git is run in a repository: its folder is the git directory unless another one is named. */
export type InRepository = Omit<GitOptions, 'cwd'> & { readonly cwd?: string | undefined };

/** Git bound to one git directory, which every command is told with `--git-dir`. Same answers and errors as `Git`. */
export class RepositoryGit {
  readonly gitDir: string;
  readonly #git: GitCommands;

  constructor(git: GitCommands, gitDir: string) {
    this.#git = git;
    this.gitDir = gitDir;
  }

  /** Runs git and gives its answer, whatever the exit code. */
  run(args: readonly string[], options: InRepository = {}): Promise<GitAnswer> {
    return this.#git.run(this.#args(args), this.#options(options));
  }

  /**
   * The standard output of a command that must succeed.
   *
   * @throws Problem with git's own words when the exit code is not 0.
   */
  text(args: readonly string[], options: InRepository = {}): Promise<string> {
    return this.#git.text(this.#args(args), this.#options(options));
  }

  /** The standard output without its last line break, or `undefined` when the exit code is not 0. */
  line(args: readonly string[], options: InRepository = {}): Promise<string | undefined> {
    return this.#git.line(this.#args(args), this.#options(options));
  }

  /**
   * The standard output of a command that must succeed, byte for byte.
   *
   * @throws Problem with git's own words when the exit code is not 0.
   */
  bytes(args: readonly string[], options: InRepository = {}): Promise<Buffer> {
    return this.#git.bytes(this.#args(args), this.#options(options));
  }

  /**
   * The fields of a command that must succeed and separates them with NUL (`-z`), without empty ones.
   *
   * @throws Problem with git's own words when the exit code is not 0.
   */
  nul(args: readonly string[], options: InRepository = {}): Promise<string[]> {
    return this.#git.nul(this.#args(args), this.#options(options));
  }

  /**
   * The refs that match names or patterns of `git for-each-ref`, each as the values of the fields that are asked for.
   *
   * @param fields names of `for-each-ref`, such as `refname`, `objectname`; none whose value may hold a line break.
   * @param patterns names of refs, folders of refs or patterns; options such as `--contains=…` may come first.
   * @throws Problem with git's own words when the exit code is not 0.
   */
  async refs<const Fields extends readonly string[]>(
    fields: Fields,
    patterns: readonly string[],
    options: InRepository = {},
  ): Promise<{ [Index in keyof Fields]: string }[]> {
    const format = `--format=${fields.map((field) => `%(${field})`).join('%00')}`;
    const output = await this.text(['for-each-ref', format, ...patterns], options);
    return output.split('\n').flatMap((line) => {
      if (line === '') return [];
      const values = line.split('\0');
      return [fields.map((_, index) => values[index] ?? '') as { [Index in keyof Fields]: string }];
    });
  }

  /** Whether a commit is another one, or in its history; not when one of them is not here. */
  async isAncestor(commit: string, of: string, options: InRepository = {}): Promise<boolean> {
    return (await this.run(['merge-base', '--is-ancestor', commit, of], options)).exitCode === 0;
  }

  /** Speaks with a git process that goes on running, see `Git.converse`. */
  converse<T>(
    args: readonly string[],
    options: Omit<InRepository, 'input' | 'silenceLimit'>,
    talk: (conversation: Conversation) => Promise<T>,
  ): Promise<T> {
    return this.#git.converse(this.#args(args), this.#options(options), talk);
  }

  #args(args: readonly string[]): readonly string[] {
    return [`--git-dir=${this.gitDir}`, ...args];
  }

  #options<O extends Omit<InRepository, 'input' | 'silenceLimit'>>(options: O): O & { cwd: string } {
    return { ...options, cwd: options.cwd ?? this.gitDir };
  }
}

/** The fields of a NUL-separated output, without empty ones. */
export function fieldsOf(output: string): string[] {
  return output.split('\0').filter((field) => field !== '');
}
