import { groupBy, pairByName, type Trio } from './pairing.ts';
import type { Task } from './sessionDocument.ts';

/** One task as the three versions have it. */
export type TaskTrio = Trio<Task>;

/**
 * Pairs the tasks of three versions: by name, and one that was renamed on a side by its content apart from the name.
 *
 * @returns the trios by the tasks of ours and theirs.
 */
export function pairTasks(base: readonly Task[], ours: readonly Task[], theirs: readonly Task[]): Map<Task, TaskTrio> {
  const byName = pairByName(base, ours, theirs);
  const sides = { base: fingerprints(base), ours: fingerprints(ours), theirs: fingerprints(theirs) };
  const trios = joinRenamed(joinRenamed(byName, 'ours', sides), 'theirs', sides);
  return new Map(
    trios.flatMap((trio) => [trio.ours, trio.theirs].flatMap((task) => (task ? [[task, trio] as const] : []))),
  );
}

type Prints = ReadonlyMap<Task, string>;

/** Joins a task of the base that is gone from a side with a new one there that has the same content under another name. */
function joinRenamed(
  trios: readonly TaskTrio[],
  side: 'ours' | 'theirs',
  prints: Readonly<Record<'base' | 'ours' | 'theirs', Prints>>,
): TaskTrio[] {
  const other = side === 'ours' ? 'theirs' : 'ours';
  const gone = new Map<string, TaskTrio>();
  for (const trio of trios) {
    const print = trio.base && prints.base.get(trio.base);
    if (print !== undefined && !trio[side]) gone.set(print, trio);
  }
  const joined = new Map<TaskTrio, TaskTrio | undefined>();
  for (const now of trios) {
    const task = now[side];
    const print = task && !now.base ? prints[side].get(task) : undefined;
    const old = print === undefined ? undefined : gone.get(print);
    // Where the other side has both names, they are two tasks.
    if (!old || !task || (old[other] && now[other])) continue;
    joined.set(old, { ...old, [side]: task, [other]: old[other] ?? now[other] });
    joined.set(now, undefined);
  }
  return trios.flatMap((trio) => {
    const result = joined.has(trio) ? joined.get(trio) : trio;
    return result ? [result] : [];
  });
}

/** The content of tasks apart from their names, as far as it is unique in the version. */
function fingerprints(tasks: readonly Task[]): Prints {
  const prints = groupBy(tasks, (task) =>
    [task.first.rest, ...task.rest]
      .map((line) => line.trim())
      .join('\n')
      .trim(),
  );
  const telling = new Map<Task, string>();
  for (const [print, [task, ...more]] of prints) {
    // A path, or a sentence of some length; a short command alone is said of many tasks.
    const tells = print.length >= 40 || /[\w.-]\/[\w.-]/.test(print);
    if (task && more.length === 0 && tells) telling.set(task, print);
  }
  return telling;
}
