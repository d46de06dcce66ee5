import { nameKey } from './lines.ts';
import type { SessionDocument, Task } from './sessionDocument.ts';
import { isAssigned } from './tasks.ts';
import { isFinished } from './taskLine.ts';

/** The result of looking up a task by its name. */
export type FoundTask =
  | { readonly found: 'one'; readonly task: Task }
  /** The names that may have been meant, the likeliest first. */
  | { readonly found: 'none'; readonly similar: readonly string[] }
  /** Several tasks of that name, none of which stands out; the lines they begin on, counted from 1. */
  | { readonly found: 'several'; readonly lines: readonly number[] };

/** The most names that are offered. */
const mostSimilar = 8;

/**
 * Finds a task by its name; case, spaces and the stars of bold text do not count. Of several with one name the only one that is pending
 * is meant, else the only one that is not finished.
 */
export function findTask(document: SessionDocument, name: string): FoundTask {
  const wanted = nameKey(name.trim().replace(/^\*\*(.*)\*\*$/s, '$1'));
  const named = document.tasks.filter((task) => nameKey(task.first.name) === wanted);
  const ways: ((task: Task) => boolean)[] = [
    (task) => !isFinished(task.first.mark) && !isAssigned(task),
    (task) => !isFinished(task.first.mark),
    () => true,
  ];
  for (const way of ways) {
    const [task, another] = named.filter(way);
    if (task && !another) return { found: 'one', task };
    if (task) break;
  }
  if (named.length === 0) return { found: 'none', similar: similarNames(document, wanted) };
  const lines = document.blocks.filter(({ task }) => task && named.includes(task)).map(({ line }) => line);
  return { found: 'several', lines };
}

/** The names of open tasks that come close; all of them where none does. */
function similarNames(document: SessionDocument, wanted: string): string[] {
  const open = document.tasks.filter((task) => !isFinished(task.first.mark));
  const rated = open.map((task) => ({ name: task.first.name, closeness: closeness(wanted, nameKey(task.first.name)) }));
  const close = rated.filter((each) => each.closeness > 0).sort((one, other) => other.closeness - one.closeness);
  return [...new Set((close.length > 0 ? close : rated).map((each) => each.name))].slice(0, mostSimilar);
}

/** From 0, nothing in common, to 1, nearly the same. */
function closeness(one: string, other: string): number {
  if (one !== '' && (other.includes(one) || one.includes(other))) return 1;
  const words = (text: string): Set<string> => new Set(text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2));
  const [wordsOfOne, wordsOfOther] = [words(one), words(other)];
  const common = [...wordsOfOne].filter((word) => wordsOfOther.has(word)).length;
  const byWords = common / Math.max(1, wordsOfOne.size, wordsOfOther.size);
  const byLetters = 1 - distance(one.slice(0, 80), other.slice(0, 80)) / Math.max(1, one.length, other.length);
  return Math.max(byWords, byLetters > 0.6 ? byLetters : 0);
}

/** How many letters have to be changed, added or dropped to make one text of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at++) {
      const change = (row[at - 1] ?? 0) + (other[at - 1] === letter ? 0 : 1);
      next.push(Math.min(change, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
