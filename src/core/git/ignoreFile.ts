/** Patterns that can be compared without git. */
interface Patterns {
  /** One names whatever is beside the file, and in the folders below. */
  everything: boolean;
  /** Names in every folder; with a slash at the end only those of folders. */
  readonly names: Set<string>;
  /** The same of paths from the folder of the file. */
  readonly paths: Set<string>;
  /** Ends of names in every folder. */
  readonly endings: Set<string>;
}

/** What a file of ignore patterns says, as far as that can be told without git: gitignore(5). */
export interface IgnoreFile {
  readonly ignored: Readonly<Patterns>;
  /** What patterns with `!` take back. */
  readonly takenBack: Readonly<Patterns>;
  /** It takes something back by a pattern that only git understands. */
  readonly isUnclear: boolean;
}

/** What rules say of a file or folder: it is ignored, nothing that is sure, or only git can tell. */
export type Ruling = 'ignored' | 'none' | 'unclear';

/**
 * Reads a file of ignore patterns. Of those with wildcards a star before the end of a name and two before a name are understood. Other
 * patterns that ignore are left out: what they alone ignore has to be asked of git.
 */
export function parseIgnoreFile(text: string): IgnoreFile {
  const [ignored, takenBack] = [noPatterns(), noPatterns()];
  let isUnclear = false;
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    const written = line.replace(/ *\r?$/, '');
    if (written === '' || written.startsWith('#')) continue;
    const back = written.startsWith('!');
    const isUnderstood = add(back ? takenBack : ignored, back ? written.slice(1) : written);
    isUnclear ||= back && !isUnderstood;
  }
  return { ignored, takenBack, isUnclear };
}

/** @param path from the folder of the rules, with slashes; that of a folder has one at its end. */
export function ruleOn({ ignored, takenBack, isUnclear }: IgnoreFile, path: string): Ruling {
  if (isUnclear || matches(takenBack, path)) return 'unclear';
  return matches(ignored, path) ? 'ignored' : 'none';
}

/** Whether rules surely ignore all that is beside their file and below. */
export function ignoresEverything({ ignored, takenBack, isUnclear }: IgnoreFile): boolean {
  const { everything, names, paths, endings } = takenBack;
  return ignored.everything && !isUnclear && !everything && names.size + paths.size + endings.size === 0;
}

const noPatterns = (): Patterns => ({ everything: false, names: new Set(), paths: new Set(), endings: new Set() });

/** @returns whether the pattern is one that is understood. */
function add(patterns: Patterns, pattern: string): boolean {
  const [, ending] = /^\*([^*?[\\/]+)$/.exec(pattern) ?? [];
  const plain = pattern.replace(/^\*\*\/(?=[^/]+\/?$)/, '');
  if (pattern === '*') patterns.everything = true;
  else if (ending !== undefined) patterns.endings.add(ending);
  else if (/[*?[\\]/.test(plain)) return false;
  // A slash anywhere but at the end ties a pattern to the folder of its file.
  else if (/\/./.test(plain)) patterns.paths.add(plain.replace(/^\//, ''));
  else patterns.names.add(plain);
  return true;
}

function matches({ everything, names, paths, endings }: Readonly<Patterns>, path: string): boolean {
  const isFolder = path.endsWith('/');
  const plain = isFolder ? path.slice(0, -1) : path;
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  if (everything || names.has(name) || paths.has(plain)) return true;
  if (isFolder && (names.has(`${name}/`) || paths.has(path))) return true;
  return [...endings].some((ending) => name.endsWith(ending));
}
