/** The options of a level of commands as {@link passedCommandAt} knows them: those that take a value end with an equals sign. */
type OptionNames = readonly string[];

/** A command of `wt` that passes on the command line of another program. */
export interface PassingCommand {
  readonly options: OptionNames;
  /** With one of these its own word is left out. */
  readonly withoutWords: OptionNames;
}

/** What is known of the parser of `wt`. */
export interface PassingTable {
  readonly options: OptionNames;
  readonly help: OptionNames;
  readonly passing: Readonly<Record<string, PassingCommand>>;
}

/**
 * Where the other program's command line begins in `wt exec [options] <name> [options] [--] <command> …`: at the first word behind the
 * name, or behind `--`. From there on nothing is an option of `wt`. The command line of `wt` and its guard both go by this.
 *
 * @param words those after `wt`.
 * @returns `passes`: whether it is such a command at all; `at` is `undefined` where nothing is passed on, or a word is no option of `wt`.
 */
export function passedCommandAt(
  words: readonly string[],
  { options, help, passing }: PassingTable,
): { readonly passes: boolean; readonly at?: number } {
  let command: PassingCommand | undefined;
  let left = 1;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--') {
      if (command) return at + 1 < words.length ? { passes: true, at: at + 1 } : { passes: true };
      continue;
    }
    if (word.length > 1 && word.startsWith('-')) {
      const taken = takeOption(word, command ? [...options, ...command.options] : options);
      if (taken === undefined || help.includes(word)) return { passes: command !== undefined };
      if (command?.withoutWords.includes(word)) left = 0;
      at += taken - 1;
    } else if (!command) {
      command = Object.hasOwn(passing, word) ? passing[word] : undefined;
      if (!command) return { passes: false };
    } else if (left === 0) {
      return { passes: true, at };
    } else left--;
  }
  return { passes: command !== undefined };
}

/** How many words an option takes, itself included; `undefined` for one that is not known. */
function takeOption(word: string, options: OptionNames): 1 | 2 | undefined {
  if (options.includes(word)) return 1;
  if (options.includes(`${word}=`)) return 2;
  const equals = word.indexOf('=');
  if (word.startsWith('--')) return equals > 2 && options.includes(word.slice(0, equals + 1)) ? 1 : undefined;
  // The value of a letter may be glued to it.
  return options.includes(`${word.slice(0, 2)}=`) ? 1 : undefined;
}
