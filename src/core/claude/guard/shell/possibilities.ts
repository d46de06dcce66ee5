import { unknownText, type Texts } from './argument.ts';

/** More possibilities of one thing than this are not followed: the rest of them is unknown. */
export const mostPossibilities = 32;

/** The possibilities, or as many as are followed and one that is unknown for those that were left out. */
export function limited<T>(values: readonly T[]): readonly (T | string)[] {
  return values.length <= mostPossibilities ? values : [...values.slice(0, mostPossibilities - 1), unknownText];
}

/**
 * Every list with every one of the choices behind it. Where that would be too many, the lists stay as many as they are and get
 * something unknown instead. Lists are changed in place where that is enough: words can be many.
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

/** What two texts give together, one behind the other. */
export function concatenated(first: Texts, second: Texts): Texts {
  if (first.length * second.length > mostPossibilities) return first.map((text) => text + unknownText);
  return first.flatMap((text) => second.map((more) => shortEnough(text + more)));
}

/** A script can double a text over and over. */
function shortEnough(text: string): string {
  return text.length > 1_000_000 ? unknownText : text;
}
