import type { Handler } from '../judge.ts';

/** The names of programs, parted by blanks, and who judges them. */
export type Group = readonly [names: string, handler: Handler];

/**
 * Whether a list of names, parted by blanks or lines, holds one. The lists stay texts: a hook is a process of its own, and looks up a
 * handful of names in its life, for which making sets and maps of hundreds would take longer than all the rest.
 */
export function isAmong(names: string, name: string): boolean {
  const at = names.indexOf(name);
  if (at < 0 || name === '') return false;
  const isEnd = (character: string | undefined): boolean =>
    character === undefined || character === ' ' || character === '\n';
  if (isEnd(names[at - 1]) && isEnd(names[at + name.length])) return !name.includes(' ') && !name.includes('\n');
  return isAmong(names.slice(at + 1), name);
}
