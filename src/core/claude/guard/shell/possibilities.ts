import { unknownText, type Texts } from './argument.ts';

/** At most this many possibilities are followed; the others count as unknown. */
export const mostPossibilities = 32;

/** The possibilities, up to the limit; an unknown one replaces the rest. */
export function limited<T>(values: readonly T[]): readonly (T | string)[] {
  return values.length <= mostPossibilities ? values : [...values.slice(0, mostPossibilities - 1), unknownText];
}

/**
 * Appends every choice to every list. If that gives too many lists, each gets something unknown appended instead. A single choice is
 * appended in place, because there can be many words.
 */
export function combined<T>(lists: T[][], choices: readonly (readonly T[])[], unknown: T): T[][] {
  if (lists.length * choices.length > mostPossibilities) {
    for (const list of lists) list.push(unknown);
    return lists;
  }
  const [only] = choices;
  if (choices.length !== 1 || only === undefined) {
    return lists.flatMap((list) => choices.map((choice) => [...list, ...choice]));
  }
  for (const list of lists) for (const each of only) list.push(each);
  return lists;
}

/** Two texts concatenated. */
export function concatenated(first: Texts, second: Texts): Texts {
  if (first.length * second.length > mostPossibilities) return first.map((text) => text + unknownText);
  return first.flatMap((text) => second.map((more) => shortEnough(text + more)));
}

/** A script can double a text again and again. */
function shortEnough(text: string): string {
  return text.length > 1_000_000 ? unknownText : text;
}
