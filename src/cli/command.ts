import type { Environment } from '../core/base/environment.ts';
import type { Output } from './output.ts';

/** Done, not completed, error: the exit codes that every command keeps to. */
export type ExitCode = 0 | 1 | 2;

/** What a command is run with. */
export interface CommandLine {
  /** With `-C` applied: its `cwd` is where paths start. */
  readonly environment: Environment;
  readonly output: Output;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Whether somebody is there to answer a question. */
  readonly mayAsk: boolean;
  /** What is piped into the command. */
  readonly input: NodeJS.ReadStream;
}

/**
 * Runs a command.
 *
 * @param words the arguments, in order; those left out at the end are missing.
 * @param options the command's own options, by their names in camel case.
 */
export type CommandRun = (cli: CommandLine, words: readonly string[], options: CommandOptions) => Promise<ExitCode>;

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

/** What a word on the command line is, so that shells can complete it. */
export type WordKind = 'worktree' | 'task' | 'branch' | 'file' | 'folder' | 'shell' | 'command' | 'free';

/** One argument or one option, as help, parser and completion need it. */
export interface WordDefinition {
  /** As commander writes it: `<name>`, `[name]`, `<files...>`; for an option `--base <branch>` or `--json`. */
  readonly syntax: string;
  readonly description: string;
  /** What its value is. Default `free`; without meaning for a flag. */
  readonly kind?: WordKind;
  /** An option that may be given several times, once for each value. */
  readonly repeats?: boolean;
}

/** One command: what help, the parser and the completions know of it before it is loaded. */
export interface CommandDefinition {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The heading it is listed under; a command without one is for machines and is not listed. */
  readonly group?: string;
  /** One line, beginning with a verb in lower case. */
  readonly summary: string;
  /** It goes on until something happens elsewhere: an agent has to run it in the background, and its guard sees to that. */
  readonly waits?: boolean;
  /** What else there is to say, as whole sentences. */
  readonly details?: string;
  readonly words?: readonly WordDefinition[];
  readonly options?: readonly WordDefinition[];
  /** Commands to copy, with what they do. */
  readonly examples?: readonly (readonly [command: string, effect: string])[];
  /** Loads the command, when it is run and not before: starting up costs nothing for the others. */
  readonly load: () => Promise<{ readonly run: CommandRun }>;
}
