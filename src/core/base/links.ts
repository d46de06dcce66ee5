import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { isAbsolute, join, parse, sep } from 'node:path';

/** No system follows more links than this on one way. */
const mostLinks = 40;

/** The way to a path as the system goes it. */
export interface LinkPath {
  /** Every link on it, each by its real path, in the order in which they are met. */
  readonly links: readonly string[];
  /** Where it ends: a real path, which need not be there; `undefined` where links lead in a circle. */
  readonly end: string | undefined;
}

/**
 * Follows the links on the way to a path, also where that leads to nothing.
 *
 * @param from a real path; links are looked for below it.
 * @param way the rest, relative.
 */
export function followLinks(from: string, way: string): LinkPath {
  const links: string[] = [];
  let at = from;
  const todo = way.split(/[\\/]/);
  for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = join(at, '..');
      continue;
    }
    const next = join(at, name);
    if (!look(next)?.isSymbolicLink()) {
      at = next;
      continue;
    }
    if (links.length === mostLinks) return { links, end: undefined };
    links.push(next);
    const target = readlinkSync(next);
    todo.unshift(...target.slice(isAbsolute(target) ? parse(target).root.length : 0).split(sep));
    if (isAbsolute(target)) at = parse(target).root;
  }
  return { links, end: at };
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
