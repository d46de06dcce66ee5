import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { isOnIn } from '../git/configText.ts';
import { ignoresEverything, parseIgnoreFile, ruleOn, type IgnoreFile, type Ruling } from '../git/ignoreFile.ts';
import { readTrackedFiles, recordedFile, type TrackedFolder } from '../git/indexFile.ts';
import type { StatusEntry } from '../git/status.ts';
import { mayNameIgnoreFile } from '../git/ownIgnoreFile.ts';
import { compareWithRecord, hasRecordedContent, isRacy, type FileSystemRules } from '../git/recordedFile.ts';

/** With more files git, which looks with several threads, is quicker; and the size of an index (bytes) that surely has more. */
const [mostFiles, largestIndex] = [3000, 2 * 1024 * 1024];
/** What looking at a file may cost (ms), once so much time has gone (ms): more is a disk that is far away. */
const [dearestLook, trial] = [0.15, 200];
/** With more files than this that may be ignored by the user's own rules a tree is left to git. */
const mostDoubts = 50;
/** The most files of a tree, and bytes of them together, that are read because their times tell nothing. */
const [mostRead, mostBytes] = [200, 4 * 1024 * 1024];

/** What a look at a working tree tells of it. */
export interface TreeLook {
  /** The id of the tree that the index is of. */
  readonly tree: string;
  /** Tracked files that are changed or deleted. */
  readonly entries: readonly StatusEntry[];
  /** What else is there and may be ignored by the user's own rules: paths from the root, those of folders with a slash at the end. */
  readonly doubts: readonly string[];
}

/** A folder on the way through a working tree. */
interface Step {
  readonly folder: string;
  /** From the root; with a slash at its end if it is not that. */
  readonly path: string;
  readonly tracked: TrackedFolder;
  /** Of this folder and those above, the innermost first, with their paths. */
  readonly rules: readonly (readonly [from: string, rules: IgnoreFile])[];
}

/** What has become of a tracked file, by the place of its entry in the index and its path. */
type Find = (entry: number, path: string) => 'same' | 'changed' | 'deleted' | 'unclear';

/** Looks at working trees of one repository, one after the other, with what they have in common. */
export class Looks {
  readonly #system: FileSystemRules;
  /** The repository's own rules, in which those of all trees end. */
  readonly #exclude: IgnoreFile;
  /** By the text that they were read from: most trees have the same. */
  readonly #rules = new Map<string, IgnoreFile>();
  #looked = 0;
  #took = 0;

  constructor(commonDir: string, platform: NodeJS.Platform) {
    const config = textOf(join(commonDir, 'config'));
    // A working tree may have a configuration of its own.
    const modes = isOnIn(config, 'extensions', 'worktreeconfig') || isOnIn(config, 'core', 'filemode');
    this.#system = { isWindows: platform === 'win32', modes: modes !== false };
    this.#exclude = this.#rulesIn(textOf(join(commonDir, 'info', 'exclude')));
  }

  /** Whether the disk answers so slowly that git, which asks for many files at a time, should do it. */
  get areDear(): boolean {
    return this.#took > trial && this.#took > this.#looked * dearestLook;
  }

  /** Looks at one tree. @returns `undefined` when something in it can be told by git only. */
  at(root: string, gitDir: string): TreeLook | undefined {
    const begun = performance.now();
    try {
      const read = readIndex(join(gitDir, 'index'));
      if (!read) return undefined;
      const { index, written } = read;
      const tracked = readTrackedFiles(index, mostFiles);
      if (tracked?.tree === undefined) return undefined;
      let [files, bytes] = [0, 0];
      const find: Find = (entry, path) => {
        const record = recordedFile(index, entry);
        const stats = lstatSync(path, { throwIfNoEntry: false });
        if (!stats) return 'deleted';
        const finding = compareWithRecord(record, stats, this.#system);
        if (finding === 'changed' || finding === 'unclear') return finding;
        if (finding === 'same' && !isRacy(record, written)) return 'same';
        bytes += stats.size;
        return ++files <= mostRead && bytes <= mostBytes && hasRecordedContent(record, path) ? 'same' : 'unclear';
      };
      const entries: StatusEntry[] = [];
      const doubts: string[] = [];
      const steps: Step[] = [{ folder: root, path: '', tracked: tracked.root, rules: [['', this.#exclude]] }];
      for (let step = steps.pop(); step; step = steps.pop()) {
        const rules = this.#lookInto(step, find, { entries, doubts });
        if (!rules || doubts.length > mostDoubts) return undefined;
        const { folder, path } = step;
        for (const [name, inner] of step.tracked.folders)
          steps.push({ folder: `${folder}/${name}`, path: `${path}${name}/`, tracked: inner, rules });
      }
      if (doubts.length > 0 && mayNameIgnoreFile(textOf(join(gitDir, 'config.worktree')))) return undefined;
      entries.sort((one, other) => (one.path < other.path ? -1 : 1));
      return { tree: tracked.tree, entries, doubts };
    } catch {
      // Whatever cannot be read is told by git, in its words.
      return undefined;
    } finally {
      this.#took += performance.now() - begun;
    }
  }

  /**
   * Looks into a folder: at its tracked files and folders, and at what else is there.
   *
   * @returns the rules for what is in it; `undefined` when only git can tell.
   */
  #lookInto(
    { folder, path, tracked, rules }: Step,
    find: Find,
    { entries, doubts }: { readonly entries: StatusEntry[]; readonly doubts: string[] },
  ): Step['rules'] | undefined {
    const others: Dirent[] = [];
    let folders = 0;
    let own: IgnoreFile | undefined;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const { name } = entry;
      // Git reads such a file whether it is tracked or not, and not through a link.
      if (name === '.gitignore' && entry.isFile()) own = this.#rulesIn(readFileSync(`${folder}/.gitignore`, 'utf8'));
      if (tracked.folders.has(name) && entry.isDirectory()) folders++;
      // One in an inner folder makes that a repository of its own.
      else if (!tracked.files.has(name) && (name !== '.git' || path !== '')) others.push(entry);
    }
    if (folders !== tracked.folders.size) return undefined;
    for (const [name, file] of tracked.files) {
      this.#looked++;
      const finding = find(file, `${folder}/${name}`);
      if (finding === 'unclear') return undefined;
      if (finding === 'same') continue;
      entries.push({ kind: 'changed', code: finding === 'deleted' ? '.D' : '.M', path: path + name });
    }
    const all: Step['rules'] = own ? [[path, own], ...rules] : rules;
    for (const entry of others) {
      const ruling = this.#ruleOn(entry, { folder, path, rules: all });
      if (ruling === 'unclear') return undefined;
      if (ruling === 'none') doubts.push(path + entry.name + (entry.isDirectory() ? '/' : ''));
    }
    return all;
  }

  #ruleOn(entry: Dirent, { folder, path, rules }: Pick<Step, 'folder' | 'path' | 'rules'>): Ruling {
    const { name } = entry;
    const isFolder = entry.isDirectory();
    if (name === '.git' || name.includes('\uFFFD')) return 'unclear';
    const whole = path + name + (isFolder ? '/' : '');
    for (const [from, each] of rules) {
      const ruling = ruleOn(each, whole.slice(from.length));
      if (ruling !== 'none') return ruling;
    }
    return isFolder && this.#ignoresItself(`${folder}/${name}`) ? 'ignored' : 'none';
  }

  /** Whether a folder has rules of its own that ignore all that is in it, as virtual environments and caches of Python have. */
  #ignoresItself(folder: string): boolean {
    const entries = readdirSync(folder, { withFileTypes: true });
    if (entries.length > mostFiles || entries.some(({ name }) => name === '.git')) return false;
    if (!entries.some((entry) => entry.name === '.gitignore' && entry.isFile())) return false;
    return ignoresEverything(this.#rulesIn(readFileSync(`${folder}/.gitignore`, 'utf8')));
  }

  #rulesIn(text: string): IgnoreFile {
    const rules = this.#rules.get(text) ?? parseIgnoreFile(text);
    this.#rules.set(text, rules);
    return rules;
  }
}

/**
 * The bytes of an index and when they were written (ms since 1970), of the same file though git may put another in its place; `undefined`
 * where it is too large.
 */
function readIndex(path: string): { readonly index: Buffer; readonly written: number } | undefined {
  const file = openSync(path, 'r');
  try {
    const { mtimeMs, size } = fstatSync(file);
    return size > largestIndex ? undefined : { written: mtimeMs, index: readFileSync(file) };
  } finally {
    closeSync(file);
  }
}

/** The text of a file, empty where it cannot be read. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
