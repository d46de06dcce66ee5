import type { Choice } from '../../core/session/model.ts';
import type { SavedChoice } from './savedChoices.ts';

/** What a person wants otherwise than the rules, by entry. */
export interface Wishes {
  /** Whose lines count; an entry that has one is reviewed. */
  readonly choices: ReadonlyMap<string, Choice>;
  /** What they wrote in its place. */
  readonly edits: ReadonlyMap<string, string>;
}

/** Nothing was decided otherwise yet. */
export const noWishes: Wishes = { choices: new Map(), edits: new Map() };

/** What was remembered; an earlier version had no edits. */
export function wishesOf(saved: SavedChoice | undefined): Wishes {
  return { choices: new Map(saved?.choices), edits: new Map(saved?.edits) };
}

/** The same map without a key. */
export function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([each]) => each !== key));
}
