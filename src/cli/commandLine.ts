import { passedCommandAt, type PassingTable } from '../core/claude/guard/commands/passedCommand.ts';
import { catalogue } from './definitions/catalogue.ts';
import { globalOptions, type WordDefinition } from './definitions/definition.ts';

/** The words of a command line of `wt`. */
export interface SplitCommandLine {
  /** Those that are for `wt`. */
  readonly own: readonly string[];
  /** The command line that `wt exec` passes on; `undefined` where there is none. */
  readonly passed: readonly string[] | undefined;
}

/** Takes the command line of another program out of one of `wt`, so that no word of it is understood as an option. */
export function splitCommandLine(words: readonly string[]): SplitCommandLine {
  const { at } = passedCommandAt(words, passingTable());
  if (at === undefined) return { own: words, passed: undefined };
  const own = words.slice(0, at);
  return { own: own.at(-1) === '--' ? own.slice(0, -1) : own, passed: words.slice(at) };
}

/** What the parser of `wt` knows of commands that pass on another one. */
function passingTable(): PassingTable {
  const passing = catalogue.flatMap(({ name, passes, options = [] }) =>
    passes ? [[name, { options: options.map(nameOf), withoutWords: passes.withoutWords }] as const] : [],
  );
  return { options: globalOptions.map(nameOf), help: ['-h', '--help'], passing: Object.fromEntries(passing) };
}

const nameOf = ({ syntax }: WordDefinition): string => {
  const [name = '', value] = syntax.split(' ');
  return value === undefined ? name : `${name}=`;
};
