import type { Argument, Texts } from '../shell/argument.ts';
import type { Evaluator } from '../shell/evaluator.ts';
import type { ShellState } from '../shell/shellState.ts';
import type { Violation } from './violation.ts';

/** A command that would run, with its arguments. */
export interface Call {
  /** The command's name, without folder and in lower case. */
  readonly name: string;
  /** The arguments after the name. */
  readonly words: readonly Argument[];
  readonly state: ShellState;
  /**
   * Whether the call was only found among the arguments of a command that may or may not run them. Then only what is certainly
   * forbidden counts, not what is merely unknown.
   */
  readonly suspected: boolean;
}

/** A `git` command that neither git nor the script defines: one of the user's aliases, or an executable named `git-<verb>`. */
export interface UnknownVerb {
  readonly verb: string;
  readonly words: readonly Argument[];
  /** Where git would run. */
  readonly directory: string;
}

/** What a rule for a single command can ask of the guard. */
export interface Guard extends Evaluator {
  /** Whether the command runs as a background task. */
  readonly background: boolean;
  /** Denies the whole command. The first violation gives the reason. */
  deny(violation: Violation): void;
  command(words: readonly Argument[], state: ShellState, suspected?: boolean): Texts;
  /** Checks every known command that stands among the arguments of an unknown one. */
  commandsAmong(words: readonly Argument[], state: ShellState): void;
  /** Has the alias behind a git verb looked up once everything else is checked. */
  lookUp(unknown: UnknownVerb): void;
}

/** Checks one command. Returns what it prints, if that is known. */
export type Rule = (call: Call, guard: Guard) => Texts | undefined;

/** The names of commands, separated by blanks, and the rule for all of them. */
export type RuleGroup = readonly [names: string, rule: Rule];
