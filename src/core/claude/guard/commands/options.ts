import { knownText, type Argument } from '../shell/argument.ts';

/** The options of a command that take a value, which may be the next word. All others are flags. */
export interface OptionShape {
  /** The letters, as in `-u NAME`. */
  readonly short?: string;
  /** The names, without the dashes, as in `--user NAME`. */
  readonly long?: readonly string[];
}

export interface Option {
  /** The letter, or the name without its dashes. */
  readonly name: string;
  readonly value: Argument | undefined;
}

export interface ParsedOptions {
  readonly options: readonly Option[];
  readonly operands: readonly Argument[];
}

/** Whether a word is an option, or one that is switched off with `+`. A lone dash is none. */
export function isOption(text: string): boolean {
  return /^[-+]./.test(text);
}

/**
 * Parses a command's arguments as getopt does: clusters of letters, values attached or apart, `--name=value`, `--`.
 *
 * @param mixed whether options may follow operands; otherwise everything from the first operand on is one.
 */
export function parseOptions(words: readonly Argument[], shape: OptionShape, mixed: boolean): ParsedOptions {
  const options: Option[] = [];
  const operands: Argument[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const text = knownText(word);
    if (text === '--') {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (text === '' && word.mayVanish && !mixed) continue;
    if (!text.startsWith('-') || text === '-') {
      if (!mixed) return { options, operands: words.slice(index) };
      operands.push(word);
    } else if (text.startsWith('--')) {
      const equals = text.indexOf('=');
      const name = fullName(text.slice(2, equals < 0 ? undefined : equals), shape);
      if (equals >= 0) options.push({ name, value: { ...word, text: text.slice(equals + 1) } });
      else if (shape.long?.includes(name)) options.push({ name, value: words[++index] });
      else options.push({ name, value: undefined });
    } else {
      for (let at = 1; at < text.length; at++) {
        const name = text[at]!;
        if (!shape.short?.includes(name)) {
          options.push({ name, value: undefined });
          continue;
        }
        const attached = text.slice(at + 1);
        options.push({ name, value: attached === '' ? words[++index] : { ...word, text: attached } });
        break;
      }
    }
  }
  return { options, operands };
}

/** Long options may be abbreviated. */
function fullName(name: string, { long = [] }: OptionShape): string {
  return long.includes(name) || name.length < 3 ? name : (long.find((each) => each.startsWith(name)) ?? name);
}

/** The values of an option, by any of its names. */
export function valuesOf({ options }: ParsedOptions, ...names: readonly string[]): Argument[] {
  return options.flatMap(({ name, value }) => (value !== undefined && names.includes(name) ? [value] : []));
}

/** Whether an option was given, by any of its names. */
export function hasOption({ options }: ParsedOptions, ...names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}
