import type { Environment } from '../core/base/environment.ts';
import type { EndSignal } from '../core/base/processSignals.ts';
import type { Output } from './output.ts';
import type { ShellFolder } from './shellFolder.ts';

/** Done, not completed, error: the exit codes that every command keeps to. */
export type ExitCode = 0 | 1 | 2;

/** The exit code of a command of the person's own, which `wt` passes on. */
export type PassedExitCode = number & { readonly passed: true };

/** What a command is run with. */
export interface CommandLine {
  /** With `-C` applied: its `cwd` is where paths start. */
  readonly environment: Environment;
  readonly output: Output;
  /** The words of another program's command line, as they were given; only for commands that pass one on. */
  readonly passed: readonly string[] | undefined;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Lets a command answer such a signal itself, instead of being aborted. */
  readonly takeSignals: (react: (signal: EndSignal) => void) => void;
  /** Whether one of our three streams is a terminal. */
  readonly atTerminal: boolean;
  /** Whether somebody is there to answer a question. */
  readonly mayAsk: boolean;
  /** The shell that it was typed in, which may follow to another folder. */
  readonly shell: ShellFolder;
  /** What is piped into the command. */
  readonly input: NodeJS.ReadStream;
}

/**
 * Runs a command.
 *
 * @param words the arguments, in order; those left out at the end are missing.
 * @param options the command's own options, by their names in camel case.
 */
export type CommandRun = (
  cli: CommandLine,
  words: readonly string[],
  options: CommandOptions,
) => Promise<ExitCode | PassedExitCode>;

/** The values of options: a flag is `true` or missing, one with a value is a text or missing, one that may be repeated is a list. */
export type CommandOptions = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The text that was given to an option, if it was given. */
export function textOption(options: CommandOptions, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The texts that were given to an option that may be repeated. */
export function textsOption(options: CommandOptions, name: string): readonly string[] {
  const value = options[name];
  return typeof value === 'object' ? value : [];
}
