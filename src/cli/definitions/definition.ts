/** What a word on the command line is, so that shells can complete it. */
export type WordKind =
  'worktree' | 'task' | 'branch' | 'file' | 'folder' | 'shell' | 'command' | 'program' | 'subject' | 'free';

/** One argument or one option, as help, parser and completion need it. */
export interface WordDefinition {
  /** As commander writes it: `<name>`, `[name]`, `<files...>`; for an option `--base <branch>` or `--json`. */
  readonly syntax: string;
  readonly description: string;
  /** An option's short name, `-b`. */
  readonly short?: string;
  /** What its value is. Default `free`; without meaning for a flag. */
  readonly kind?: WordKind;
  /** What it may be besides what its kind finds, with what that means; completions offer it. */
  readonly also?: readonly { readonly value: string; readonly description: string }[];
  /** An option that may be given several times, once for each value. */
  readonly repeats?: boolean;
}

/** One command: what help, the parser and the completions know of it. Its code is `commands/<name in camel case>.ts`. */
export interface CommandDefinition {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The heading it is listed under; a command without one is for machines and is not listed. */
  readonly group?: string;
  /** One line, beginning with a verb in lower case. */
  readonly summary: string;
  /** It goes on until something happens elsewhere: an agent has to run it in the background, and its guard sees to that. */
  readonly waits?: boolean;
  /**
   * It runs the command that stands behind its own words: from there on, everything is passed on as it is. With one of these options its
   * own words are left out.
   */
  readonly passes?: { readonly withoutWords: readonly string[] };
  /** What else there is to say, as whole sentences. */
  readonly details?: string;
  readonly words?: readonly WordDefinition[];
  readonly options?: readonly WordDefinition[];
  /** Commands to copy, with what they do. */
  readonly examples?: readonly (readonly [command: string, effect: string])[];
}

/** The worktree that a command is for. */
export const worktreeWord: WordDefinition = {
  syntax: '<name>',
  description: 'a worktree: its name, folder, branch or path; `.` for the current one, `@` or `^` for the main one',
  kind: 'worktree',
};

/** The options that every command has. */
export const globalOptions: readonly WordDefinition[] = [
  { syntax: '--json', description: 'print the answer as JSON (see `wt schema`)' },
  { syntax: '-C <path>', description: 'run as if started in <path>', kind: 'folder' },
  { syntax: '--verbose', description: 'log every step and git command to standard error' },
  { syntax: '--no-color', description: 'do not use colors (see also NO_COLOR and FORCE_COLOR)' },
];
