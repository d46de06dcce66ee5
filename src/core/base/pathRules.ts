import { errorCode } from './problem.ts';

/** What the rules need of `node:path`, of its `win32` or its `posix`. */
export interface PathFunctions {
  readonly basename: (path: string) => string;
  readonly dirname: (path: string) => string;
  readonly join: (...parts: string[]) => string;
  readonly parse: (path: string) => { readonly root: string };
  readonly relative: (from: string, to: string) => string;
  readonly resolve: (...parts: string[]) => string;
  readonly sep: string;
}

/** What the comparison of paths asks of a system; tests give one of another kind. */
export interface PathSystem {
  readonly path: PathFunctions;
  /** The real path of what is there: links followed, names as the disk has them. */
  readonly realpath: (path: string) => Promise<string>;
  /** The same, at once. */
  readonly realpathNow: (path: string) => string;
  /**
   * What tells the file or folder at a path from every other one; `undefined` where nothing is, or it does not tell. A link is itself.
   */
  readonly identityOf: (path: string) => string | undefined;
}

/** How paths are compared on a system. Paths that are not absolute start at the current folder. */
export interface PathRules {
  readonly path: PathFunctions;
  /** An absolute path in the one form that is compared, the letter of a drive a capital one; the spelling of names stays. */
  readonly absolute: (path: string) => string;
  /**
   * The real path of something that need not exist: links are followed as far as there is something to follow that can be looked at, the
   * rest is appended as it stands. A disk that is away or a folder that is closed to us is no reason to fail.
   */
  readonly realPathOf: (path: string) => Promise<string>;
  /** The real path, asked for at once; the path itself where nothing is there. */
  readonly realPathNow: (path: string) => string;
  /** A path with its letters as the disk has them; one that goes through a link stays as it is. */
  readonly asOnDisk: (path: string) => string;
  /** Whether two paths are one, links not followed. */
  readonly samePath: (one: string, other: string) => boolean;
  /** Whether two paths name the same place on disk, links followed. */
  readonly samePlace: (one: string, other: string) => Promise<boolean>;
  /** The same, at once. */
  readonly samePlaceNow: (one: string, other: string) => boolean;
  /** Whether `path` is `folder` or below it. Links are not followed: give real paths of both where they matter. */
  readonly isWithin: (folder: string, path: string) => boolean;
  /** The rest of a path below a folder, spelled as it is there, '' for the folder itself; `undefined` for paths elsewhere. */
  readonly pathBelow: (folder: string, path: string) => string | undefined;
  /** A path for people and scripts: relative to the folder if it lies within it, else whole; with forward slashes when relative. */
  readonly displayPath: (folder: string, file: string) => string;
  /** A path as seen from a folder, with forward slashes; absolute on another drive or share. */
  readonly relativeTo: (folder: string, file: string) => string;
  /** A path with forward slashes, as git writes them into its own files on every system; other programs on Windows read them as well. */
  readonly withSlashes: (file: string) => string;
  /** The folders that hold a path, from the path itself up to its root. */
  readonly upFrom: (path: string) => Iterable<string>;
}

/**
 * Makes the rules of a system. Paths that are spelled alike cost no question. Where two differ in the case of letters alone, or in how an
 * accent is written, the disk is asked whether it tells these names apart: macOS, Windows and Linux all have disks of both kinds, and
 * folders too. The answer is kept for the folder.
 */
export function pathRules(system: PathSystem): PathRules {
  const { dirname, basename, join, parse, resolve, sep } = system.path;
  const windows = sep === '\\';
  const known = new Map<string, boolean>();

  const absolute = (path: string): string => {
    const whole = resolve(path);
    if (!windows) return whole;
    const plain = whole.startsWith('\\\\') ? withoutPrefix(whole, resolve) : whole;
    // VS Code writes the letter of a drive small, everything else a capital one.
    return /^[a-z]:/.test(plain) ? plain.slice(0, 1).toUpperCase() + plain.slice(1) : plain;
  };

  function* upFrom(path: string): Iterable<string> {
    let at = absolute(path);
    for (let above = dirname(at); ; above = dirname(at)) {
      yield at;
      if (above === at) return;
      at = above;
    }
  }

  const realPathOf = async (path: string): Promise<string> => {
    const whole = absolute(path);
    try {
      return await system.realpath(whole);
    } catch (thrown) {
      if (errorCode(thrown) === undefined) throw thrown;
      const parent = dirname(whole);
      if (parent === whole) return whole;
      return join(await realPathOf(parent), basename(whole));
    }
  };

  const realPathNow = (path: string): string => {
    try {
      return system.realpathNow(absolute(path));
    } catch {
      return path;
    }
  };

  /** Whether the disk takes two names for one that only differ in case, or in how their accents are written. */
  const takesForOne = (folder: string, one: string, other: string): boolean => {
    const accents = one.normalize('NFC') === other.normalize('NFC');
    const key = `${accents ? 'accents' : 'case'} ${folder}`;
    let answer = known.get(key);
    if (answer === undefined) known.set(key, (answer = askDisk(folder, one, other) ?? askAbove(folder)));
    return answer;
  };

  const askDisk = (folder: string, one: string, other: string): boolean | undefined => {
    const [first, second] = [one, other].map((name) => system.identityOf(join(folder, name)));
    return first === undefined && second === undefined ? undefined : first === second;
  };

  /** Neither name is there: a name of the way to the folder, in other letters, tells as much. */
  const askAbove = (folder: string): boolean => {
    for (const at of upFrom(folder)) {
      const name = basename(at);
      const other = inOtherCase(name);
      const answer = other === name ? undefined : askDisk(dirname(at), name, other);
      if (answer !== undefined) return answer;
    }
    return windows;
  };

  const pathBelow = (folder: string, path: string): string | undefined => {
    // Most questions are about paths that are spelled alike; the parts of a path are split for the others only.
    if (path.startsWith(folder) && (path.length === folder.length || path[folder.length] === sep)) {
      const rest = path.slice(folder.length + 1);
      if (isPlain(rest)) return rest;
    }
    const above = absolute(folder);
    const below = absolute(path);
    if (above === below) return '';
    const start = above.endsWith(sep) ? above : above + sep;
    if (below.startsWith(start)) return below.slice(start.length);
    const [aboveFolded, belowFolded] = [folded(above), folded(below)];
    if (belowFolded !== aboveFolded && !belowFolded.startsWith(folded(start))) return undefined;
    // They differ in letters that some disks do not tell apart.
    const roots = [parse(above).root, parse(below).root] as const;
    const names = above.slice(roots[0].length).split(sep);
    const others = below.slice(roots[1].length).split(sep);
    let at = roots[0];
    if (names[0] === '') names.shift();
    for (const [index, name] of names.entries()) {
      const other = others[index] ?? '';
      if (name !== other && (folded(name) !== folded(other) || !takesForOne(at, name, other))) return undefined;
      at = join(at, name);
    }
    return others.slice(names.length).join(sep);
  };

  /** What lies below a folder in a text, where nothing has to be resolved. */
  const isPlain = (rest: string): boolean =>
    !rest.includes('..') &&
    !rest.includes(sep + sep) &&
    !rest.includes(`${sep}.${sep}`) &&
    !/^\.?[\\/]|[\\/]\.?$|^\.$/.test(rest) &&
    !(windows && rest.includes('/'));

  const samePath = (one: string, other: string): boolean => one === other || pathBelow(one, other) === '';

  const asOnDisk = (path: string): string => {
    const real = realPathNow(path);
    return samePath(real, path) ? real : path;
  };

  /** Node climbs from one share of a server to another, where no way leads. */
  const seenFrom = (folder: string, file: string): string =>
    folded(parse(folder).root) === folded(parse(file).root) ? system.path.relative(folder, file) : file;

  const withSlashes = (file: string): string => (windows ? file.split(sep).join('/') : file);

  return {
    path: system.path,
    withSlashes,
    displayPath: (folder, file) => {
      const below = pathBelow(folder, file);
      return below === undefined ? file : withSlashes(below) || '.';
    },
    relativeTo: (folder, file) => withSlashes(pathBelow(folder, file) ?? seenFrom(absolute(folder), absolute(file))),
    absolute,
    upFrom,
    realPathOf,
    realPathNow,
    asOnDisk,
    samePath,
    samePlace: async (one, other) => samePath(one, other) || samePath(await realPathOf(one), await realPathOf(other)),
    samePlaceNow: (one, other) => samePath(one, other) || samePath(realPathNow(one), realPathNow(other)),
    isWithin: (folder, path) => pathBelow(folder, path) !== undefined,
    pathBelow,
  };
}

/** Names as no disk tells them apart that takes small and capital letters, and the two ways to write an accent, for the same. */
function folded(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text.toLowerCase() : text.normalize('NFC').toLowerCase().normalize('NFC');
}

function inOtherCase(name: string): string {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
}

/**
 * A path of Windows without the prefix that turns its rules off (`\\?\C:\r`, `\\?\UNC\server\share`, `\\.\C:\r`), where it means the same
 * without: pipes, volumes without a letter and names that only exist with the prefix keep it.
 */
function withoutPrefix(path: string, resolve: (path: string) => string): string {
  const [, network, rest] = /^\\\\[?.]\\(UNC\\(?=[^\\]))?(.*)$/is.exec(path) ?? [];
  if (rest === undefined || (network === undefined && !/^[a-z]:(?:\\|$)/i.test(rest))) return path;
  const plain = network === undefined ? (rest.length === 2 ? `${rest}\\` : rest) : `\\\\${rest}`;
  const settled = resolve(plain);
  // The root of a share is written with a backslash behind it, and without.
  const strange = /[. ](?:\\|$)|\//.test(plain) || (settled !== plain && settled !== `${plain}\\`);
  return strange ? path : settled;
}
