import type { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { GitPluginError, simpleGit } from 'simple-git';
import type { Environment } from '../base/environment.ts';
import { limitTo, type Limit } from '../base/concurrency.ts';
import { stopIfCancelled, type Problem } from '../base/problem.ts';
import { untilStarted } from '../base/startAgain.ts';
import { Conversation } from './conversation.ts';
import { gitProblem, type GitAnswer } from './gitError.ts';
import { allowedVariables, settingsFor, unguarded, variablesFor, type GitOptions } from './gitProcess.ts';
import { gitNotRun } from './gitNotRun.ts';
import { removeLeftLocks } from './lockFile.ts';
import { programOnPath } from '../base/windowsCommand.ts';
import { fieldsOf, RepositoryGit, type GitCommands } from './repositoryGit.ts';

/** How often and how long, in milliseconds, git is tried again when another process of its kind was half-way. */
const lockPauses = [50, 100, 200, 400, 800, 1600];

/**
 * Whether git failed only because another process was half-way: it holds a lock that we want, or is just making a worktree,
 * whose record has its files one after the other, and which every command that looks at worktrees stumbles over meanwhile.
 */
function willPass(words: string, writes: boolean): boolean {
  if (/failed to read .*[\\/]worktrees[\\/][^\\/]+[\\/]commondir/.test(words)) return true;
  return writes && /\.lock': File exists|could not lock config file/.test(words);
}

/**
 * simple-git waits 50 ms for the output of a process that has ended in silence, in case it is late. It cannot be, since both
 * streams have been read to their ends by then; nothing of nothing tells simple-git so.
 */
function endAtOnce(stdout: EventEmitter): void {
  stdout.once('end', () => stdout.emit('data', Buffer.alloc(0)));
}

/** None at all, whatever simple-git's types say, is what a process leaves that was killed or has crashed. */
function isExitCode(code: unknown): boolean {
  return typeof code === 'number' && code >= 0;
}

/**
 * The one door to git. Every process runs in a clean environment (no repository-local `GIT_*`, no prompt, no pager, no
 * editor), at most a few at a time, and can be cancelled. Exit codes are answers, not exceptions.
 *
 * Output is read as UTF-8; a path that is not valid UTF-8 comes back with replacement characters.
 */
export class Git implements GitCommands {
  readonly binary: string;
  /** What is started for it. */
  readonly #program: string;
  readonly #environment: Environment;
  readonly #limit: Limit;

  /**
   * @param environment whose variables, log and clock are used.
   * @param options.binary git's program; default `git` from the path.
   * @param options.concurrency the most git processes at a time; by default two more than there are processors, at least six.
   */
  constructor(environment: Environment, options: { binary?: string; concurrency?: number } = {}) {
    this.binary = options.binary ?? 'git';
    const { platform, variables } = environment;
    // Windows would look for a bare name in the folder that it is started in first, and that is anybody's repository.
    this.#program = platform === 'win32' ? (programOnPath(this.binary, variables) ?? this.binary) : this.binary;
    this.#environment = environment;
    this.#limit = limitTo(options.concurrency ?? Math.max(6, availableParallelism() + 2));
  }

  /** Runs git and gives its answer, whatever the exit code. */
  run(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    return this.#limit(async () => {
      for (const pause of lockPauses) {
        const answer = await this.#once(args, options);
        if (answer.exitCode === 0 || !willPass(answer.stderr, options.writes ?? false)) return answer;
        await delay(pause, undefined, options.signal ? { signal: options.signal } : {}).catch(() =>
          stopIfCancelled(options.signal),
        );
      }
      return this.#once(args, options);
    });
  }

  /**
   * The standard output of a command that must succeed.
   *
   * @throws Problem with git's own words when the exit code is not 0.
   */
  async text(args: readonly string[], options: GitOptions): Promise<string> {
    const answer = await this.run(args, options);
    if (answer.exitCode !== 0) throw gitProblem(args, answer);
    return answer.stdout;
  }

  /** The standard output without its last line break, or `undefined` when the exit code is not 0. */
  async line(args: readonly string[], options: GitOptions): Promise<string | undefined> {
    const answer = await this.run(args, options);
    return answer.exitCode === 0 ? answer.stdout.replace(/\n$/, '') : undefined;
  }

  /**
   * The fields of a command that must succeed and separates them with NUL (`-z`), without empty ones.
   *
   * @throws Problem with git's own words when the exit code is not 0.
   */
  async nul(args: readonly string[], options: GitOptions): Promise<string[]> {
    return fieldsOf(await this.text(args, options));
  }

  /** Git bound to one git directory, which is named to it instead of found: `safe.bareRepository=explicit` forbids finding it. */
  in(gitDir: string): RepositoryGit {
    return new RepositoryGit(this, gitDir);
  }

  /**
   * The standard output of a command that must succeed, byte for byte: for output that holds what is in files.
   *
   * @throws Problem with git's own words when the exit code is not 0.
   */
  async bytes(args: readonly string[], options: GitOptions): Promise<Buffer> {
    let bytes = Buffer.alloc(0);
    const answer = await this.#limit(() => this.#once(args, options, (chunks) => (bytes = Buffer.concat(chunks))));
    if (answer.exitCode !== 0) throw gitProblem(args, answer);
    return bytes;
  }

  /**
   * Speaks with a git process that goes on running: line by line, as it answers. It has ended when this returns, and counts
   * for none of those that may run at a time, since others are run meanwhile.
   *
   * @param options of these the input, the limit of silence and trying again do not apply.
   * @throws Problem when git cannot be started or is killed, `cancelled`; whatever the talk throws.
   */
  async converse<T>(
    args: readonly string[],
    options: Omit<GitOptions, 'input' | 'silenceLimit'>,
    talk: (conversation: Conversation) => Promise<T>,
  ): Promise<T> {
    const { cwd, signal } = options;
    this.#environment.log.debug(`[git] ${args.join(' ')} (a conversation) in ${cwd}`);
    stopIfCancelled(signal);
    const variables = variablesFor(this.#environment.variables, options);
    const conversation = await Conversation.begin(this.#program, [...settingsFor(options), ...args], {
      cwd,
      signal,
      variables,
    }).catch(async (thrown) => {
      stopIfCancelled(signal);
      throw await this.#notRun(args, cwd, thrown);
    });
    try {
      return await talk(conversation);
    } catch (thrown) {
      stopIfCancelled(signal);
      throw thrown;
    } finally {
      await conversation.stop();
      removeLeftLocks(conversation.words, cwd);
    }
  }

  #notRun(args: readonly string[], cwd: string, thrown: unknown): Promise<Problem> {
    return gitNotRun({ binary: this.binary, cwd, variables: this.#environment.variables }, args, thrown);
  }

  async #once(
    args: readonly string[],
    options: GitOptions,
    keepBytes?: (chunks: readonly Buffer[]) => void,
  ): Promise<GitAnswer> {
    try {
      return await untilStarted(() => this.#process(args, options, keepBytes), options.signal);
    } catch (thrown) {
      stopIfCancelled(options.signal);
      throw await this.#notRun(args, options.cwd, thrown);
    }
  }

  /** Runs one process to its end. */
  async #process(
    args: readonly string[],
    options: GitOptions,
    keepBytes?: (chunks: readonly Buffer[]) => void,
  ): Promise<GitAnswer> {
    stopIfCancelled(options.signal);
    const started = performance.now();
    let exitCode: number | undefined;
    let stderr = '';
    try {
      const git = simpleGit({
        baseDir: options.cwd,
        ...(this.#program === 'git' ? {} : { binary: this.#program }),
        trimmed: false,
        maxConcurrentProcesses: 1,
        allowEnvironment: allowedVariables,
        completion: { onClose: true, onExit: false },
        unsafe: unguarded,
        timeout: { block: options.silenceLimit ?? (options.writes ? 0 : 60_000) },
        ...(options.signal ? { abort: options.signal } : {}),
        // Bytes also when there are none: for an empty text simple-git would leave it open, and a command or hook that reads it waits.
        input: () => Buffer.from((options.input ?? '') as string),
        errors: (error, result) => {
          // simple-git calls exit code 1 without words a success and every other one a failure; here the code is the answer,
          // and only a process that did not start (negative), was ended by a signal (none) or was stopped by a plugin is a failure.
          stderr = Buffer.concat(result.stdErr).toString('utf8');
          if (error instanceof GitPluginError) return error;
          if (!isExitCode(result.exitCode)) return new Error(stderr.split('\n')[0] || 'it was ended by a signal');
          exitCode = result.exitCode;
          keepBytes?.(result.stdOut);
          return undefined;
        },
      })
        .env(variablesFor(this.#environment.variables, options))
        .outputHandler((_, stdout) => endAtOnce(stdout));
      const stdout = await git.raw([...settingsFor(options), ...args]);
      removeLeftLocks(stderr, options.cwd);
      return { exitCode: exitCode ?? 0, stdout, stderr };
    } finally {
      const took = Math.round(performance.now() - started);
      this.#environment.log.debug(`[git] ${args.join(' ')} (${took} ms, exit ${exitCode ?? 'none'}) in ${options.cwd}`);
    }
  }
}
