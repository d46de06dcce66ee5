import type { Argument, Texts } from './shell/argument.ts';
import type { Finding } from './decision.ts';
import type { Scope } from './shell/scope.ts';

/** A program that would run, with its arguments. */
export interface Call {
  /** The program's name, without folder and in lower case. */
  readonly name: string;
  /** The arguments behind the name. */
  readonly words: readonly Argument[];
  readonly scope: Scope;
  /**
   * Whether the call was only found among the arguments of a program that may run them, or not. Then what is plainly forbidden
   * counts, and what is merely not known does not.
   */
  readonly suspected: boolean;
}

/** A `git` command that neither git nor the script defines: an alias of the user's, or a program called `git-<verb>`. */
export interface UnknownVerb {
  readonly verb: string;
  readonly words: readonly Argument[];
  /** Where git would run. */
  readonly directory: string;
}

export interface ScriptOptions {
  /** Its positional parameters; as around it if left out. */
  readonly positional?: readonly Argument[];
  /** Where it was found, for the reason: "in sh -c". */
  readonly where?: string;
}

/** What the rules for single programs can ask of whoever reads the script. */
export interface Judge {
  /** Whether there is nothing left to find out. */
  readonly stopped: boolean;
  /** Whether the session goes on while the command runs. */
  readonly background: boolean;
  /** Says that the command must not run. The first finding is the one that is told. */
  deny(finding: Finding): void;
  /** Remembers a text that could not be analysed; if it names what is forbidden, the command must not run. */
  doubt(text: string): void;
  /** Judges a text that the shell would run; gives what it prints, as far as that is known. */
  script(text: string, scope: Scope, options?: ScriptOptions): Texts;
  /** Judges a text whose substitutions the shell would carry out, while the rest of it is data. */
  expansion(text: string, scope: Scope): void;
  /** Judges a program and its arguments. */
  command(words: readonly Argument[], scope: Scope, suspected?: boolean): Texts;
  /** Judges programs and their arguments that may stand anywhere among the arguments of a program that is not known. */
  commandsAmong(words: readonly Argument[], scope: Scope): void;
  /** Asks for the alias behind a verb of git to be looked up, once everything else is judged. */
  lookUp(unknown: UnknownVerb): void;
}

/** Judges one program; gives what it prints, if that is known. */
export type Handler = (call: Call, judge: Judge) => Texts | undefined;
