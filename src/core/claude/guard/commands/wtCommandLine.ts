import { anyCharacter, anyText, knownText, type Argument } from '../shell/argument.ts';
import { wtTable } from './wtTable.ts';

/** The words of a command line, as one level of commands splits them. */
interface Parted {
  readonly operands: readonly Argument[];
  /** Everything from the first option that this level does not know. */
  readonly unknown: readonly Argument[];
  /** Whether an option ends the command line: nothing runs. */
  readonly ended: boolean;
}

/**
 * The command of `wt` that waits until something happens, if a command line starts one. It is parsed as commander does: global options
 * may be anywhere, an unknown option ends the words of its level, and nothing may be abbreviated.
 *
 * A partly unknown word that is not the value of an option may be anything or nothing, so it is skipped.
 */
export function waitingCommand(words: readonly Argument[]): string | undefined {
  const { operands, unknown, ended } = part(words, wtTable.options);
  if (ended) return undefined;
  const command = operands.find(isKnown);
  const name = command === undefined ? '' : knownText(command);
  const options = Object.hasOwn(wtTable.waiting, name) ? wtTable.waiting[name] : undefined;
  if (options === undefined) return undefined;
  const asksForHelp = part(unknown, options).unknown.some((word) => wtTable.help.includes(knownText(word)));
  return asksForHelp ? undefined : name;
}

/** Commander's `parseOptions`, for the kinds of options that there are. */
function part(words: readonly Argument[], options: readonly string[]): Parted {
  const operands: Argument[] = [];
  const unknown: Argument[] = [];
  let dest = operands;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const text = knownText(word);
    if (text === '--') {
      if (dest === unknown) dest.push(word);
      dest.push(...words.slice(at + 1));
      break;
    }
    if (text.length > 1 && text.startsWith('-')) {
      const taken = takeOption(text, options);
      if (taken === 'ends') return { operands, unknown, ended: true };
      if (taken === 'takes-next' && ++at >= words.length) return { operands, unknown, ended: true };
      if (taken !== 'unknown') continue;
      // The next word may be its value; only the next level knows.
      if (isKnown(word)) dest = unknown;
    }
    dest.push(word);
  }
  return { operands, unknown, ended: false };
}

function takeOption(text: string, options: readonly string[]): 'ends' | 'takes-next' | 'taken' | 'unknown' {
  if (wtTable.ending.includes(text)) return options === wtTable.options ? 'ends' : 'unknown';
  if (options.includes(text)) return 'taken';
  if (options.includes(`${text}=`)) return 'takes-next';
  const equals = text.indexOf('=');
  if (text.startsWith('--')) return equals > 2 && options.includes(text.slice(0, equals + 1)) ? 'taken' : 'unknown';
  // Letters in one word: flags, and the rest is the value of the first one that takes one.
  const letter = text.slice(0, 2);
  if (text.length === 2) return 'unknown';
  if (options.includes(`${letter}=`)) return 'taken';
  if (wtTable.ending.includes(letter) && options === wtTable.options) return 'ends';
  return options.includes(letter) ? takeOption(`-${text.slice(2)}`, options) : 'unknown';
}

/** Whether a word is certainly there, and completely known. */
export function isKnown(word: Argument): boolean {
  const { text, mayVanish } = word;
  if ((text === '' && mayVanish) || text.includes(anyText) || text.includes(anyCharacter)) return false;
  return knownText(word).length + (text.endsWith('\r') ? 1 : 0) === text.length;
}
