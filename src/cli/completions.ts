import { catalogue } from './definitions/catalogue.ts';
import { globalOptions, type CommandDefinition, type WordDefinition, type WordKind } from './definitions/definition.ts';

/** What may come next on a command line. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What is being typed: words that are known from the start, or a kind of word that has to be looked up. */
export type Expected =
  | { readonly candidates: readonly Candidate[] }
  | { readonly kind: WordKind; readonly prefix: string; readonly also?: readonly Candidate[] };

/**
 * What the last word of a command line can be.
 *
 * @param words those after `wt`, without quotes; the last one is being typed and may be empty.
 */
export function expectedNext(words: readonly string[]): Expected {
  const current = words.at(-1) ?? '';
  const { command, path, operands, pending, optionsEnded } = read(words.slice(0, -1));
  if (pending) return { kind: pending, prefix: '' };
  if (current.startsWith('-') && !optionsEnded) {
    const [name = '', value] = splitOption(current);
    if (value !== undefined) return { kind: kindOf(findOption(command, name)), prefix: `${name}=` };
    return { candidates: optionCandidates(command) };
  }
  if (!command) return { candidates: commandCandidates(path) };
  if (command.passes && operands > 1) return { kind: 'file', prefix: '' };
  const definition = command.words?.[operands] ?? lastVariadic(command);
  if (!definition) return { candidates: [] };
  return { kind: kindOf(definition), prefix: '', also: definition.also ?? [] };
}

/** Reads the words that are complete: which command, how many operands, and whether an option waits for its value. */
function read(words: readonly string[]) {
  let command: CommandDefinition | undefined;
  let path = '';
  let operands = 0;
  let pending: WordKind | undefined;
  let optionsEnded = false;
  for (const word of words) {
    if (pending) {
      pending = undefined;
    } else if (word === '--') {
      optionsEnded = true;
      // Behind it the command follows, even where its worktree is left out.
      if (command?.passes && operands === 0) operands = 1;
    } else if (word.startsWith('-') && !optionsEnded) {
      const option = findOption(command, word);
      if (option && takesValue(option)) pending = kindOf(option);
      if (command?.passes?.withoutWords.includes(word)) operands = 1;
    } else if (command) {
      operands++;
      // What follows the first word of a command that is passed on is that one's.
      if (command.passes && operands > 1) optionsEnded = true;
    } else {
      path = path === '' ? word : `${path} ${word}`;
      command = catalogue.find((each) => each.name === path || each.aliases?.includes(path));
    }
  }
  return { command, path, operands, pending, optionsEnded };
}

/** The next words of the commands that are listed in help, each once. */
function commandCandidates(path: string): Candidate[] {
  const before = path === '' ? '' : `${path} `;
  const next = new Map<string, string>();
  for (const { name, summary, group } of catalogue) {
    if (group === undefined || !name.startsWith(before)) continue;
    const [word = ''] = name.slice(before.length).split(' ');
    if (!next.has(word)) next.set(word, summary);
  }
  return [...next].map(([value, description]) => ({ value, description }));
}

function optionCandidates(command: CommandDefinition | undefined): Candidate[] {
  return [...(command?.options ?? []), ...globalOptions, { syntax: '--help', description: 'print help' }].map(
    ({ syntax, description }) => ({
      value: syntax.split(' ')[0] ?? '',
      description,
    }),
  );
}

function splitOption(word: string): [name: string, value: string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function findOption(command: CommandDefinition | undefined, name: string): WordDefinition | undefined {
  return [...(command?.options ?? []), ...globalOptions].find(
    ({ syntax, short }) => syntax.split(' ')[0] === name || short === name,
  );
}

const takesValue = ({ syntax }: WordDefinition): boolean => syntax.includes(' <');
const kindOf = (definition: WordDefinition | undefined): WordKind => definition?.kind ?? 'free';

function lastVariadic({ words = [] }: CommandDefinition): WordDefinition | undefined {
  const last = words.at(-1);
  return last?.syntax.includes('...') ? last : undefined;
}
