import { posix, win32 } from 'node:path';
import type { PathSystem } from '../../src/core/base/pathRules.ts';

/** A disk that is not there: what it holds, and what it makes of names. */
export interface Disk {
  readonly system: 'windows' | 'posix';
  /** The files and folders, as the disk spells them; those above are there too. */
  readonly holds: readonly string[];
  /** It takes names for one that only differ in case. */
  readonly ignoresCase: boolean;
  /** It takes names for one that only differ in how accents are written. */
  readonly ignoresForm?: boolean;
  /** Other names of the same folder: short names of Windows, links, drives that stand for a folder on a server. */
  readonly links?: Readonly<Record<string, string>>;
}

/** A system with such a disk, and how often it was asked. */
export function pathSystem(disk: Disk): PathSystem & { asked: number } {
  const path = disk.system === 'windows' ? win32 : posix;
  const fold = (text: string): string => {
    const form = disk.ignoresForm ? text.normalize('NFC') : text;
    return disk.ignoresCase ? form.toLowerCase() : form;
  };
  const onDisk = new Map<string, string>();
  for (const each of disk.holds)
    for (let at = path.resolve(each); !onDisk.has(fold(at)); at = path.dirname(at)) onDisk.set(fold(at), at);
  const links = Object.entries(disk.links ?? {}).map(([from, to]) => [fold(from), to] as const);
  /** The real path; `undefined` where nothing is. */
  const find = (name: string): string | undefined => {
    let whole = path.resolve(name);
    for (const [from, to] of links)
      if (fold(whole) === from || fold(whole).startsWith(from + path.sep))
        whole = path.join(to, whole.slice(from.length));
    return onDisk.get(fold(whole));
  };
  const realpathNow = (name: string): string => {
    const found = find(name);
    if (found === undefined) throw Object.assign(new Error(`ENOENT: ${name}`), { code: 'ENOENT' });
    return found;
  };
  const system = {
    asked: 0,
    path: {
      ...path,
      resolve: (...parts: string[]) => path.resolve(disk.system === 'windows' ? 'C:\\' : '/', ...parts),
    },
    realpath: async (name: string) => realpathNow(name),
    realpathNow,
    identityOf: (name: string) => {
      system.asked++;
      return find(name);
    },
  };
  return system;
}
