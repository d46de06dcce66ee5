import type { Argument, Texts } from './argument.ts';
import type { ShellState } from './shellState.ts';

/** How a text is run as a script. */
export interface ScriptOptions {
  /** Its positional parameters; those of the script around it if left out. */
  readonly positional?: readonly Argument[];
  /** Where it was found, for the reason: "in sh -c". */
  readonly where?: string;
}

/** Decides on what a script runs. The reader of scripts reports to it and knows nothing of single commands. */
export interface Evaluator {
  /** Whether the decision is made, or the budget spent. */
  readonly stopped: boolean;
  /** Takes a text that could not be analysed: it is searched for forbidden keywords. */
  reportUnreadable(text: string): void;
  /** Checks a text that the shell would run. Returns what it prints, as far as that is known. */
  script(text: string, state: ShellState, options?: ScriptOptions): Texts;
  /** Checks the substitutions in a text of which the rest is data. */
  expansion(text: string, state: ShellState): void;
  /** Checks a command and its arguments. Returns what it prints, as far as that is known. */
  command(words: readonly Argument[], state: ShellState): Texts;
}
