import { lstatSync, readFileSync, readdirSync, readlinkSync, rmSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { isWithin } from '../base/paths.ts';
import { Problem, errorCode } from '../base/problem.ts';
import { shellWord } from '../base/shellWord.ts';

/** A lock of git's that is older than this, in milliseconds, belongs to a process that has died, most likely. */
export const oldLock = 10 * 60 * 1000;
/** One that is to be taken for dead must be older than this, in milliseconds, whatever else speaks for it. */
export const deadLock = 24 * 60 * 60 * 1000;

/**
 * The problem that git's words tell of when it found a lock in its way; `undefined` when they tell of none.
 *
 * @param words what git wrote to standard error.
 * @param folder where git ran: what it names is relative to that.
 */
export function lockProblem(words: string, folder?: string): Problem | undefined {
  const named =
    /Unable to create '([^']+\.lock)': File exists/.exec(words)?.[1] ??
    /could not lock config file (.+?): File exists/.exec(words)?.[1]?.concat('.lock') ??
    /unable to (?:create|lock) '?([^':\n]+\.lock)'?: File exists/i.exec(words)?.[1];
  if (named === undefined) return undefined;
  const file = isAbsolute(named) || folder === undefined ? named : join(folder, named);
  const items = words
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(0, 20);
  const age = ageOfLock(file);
  if (age === undefined || age < oldLock) {
    return new Problem('locked-by-another', `Another git command is running in this repository: it holds ${file}.`, {
      file,
      next: `try again when it has ended; if none runs any more, remove that file (\`rm ${shellWord(file)}\`)`,
      items,
      outcome: 'incomplete',
    });
  }
  return new Problem(
    'locked-by-another',
    `A lock of git's is in the way: ${file} is ${ageWords(age)} old, so the git command that made it has died, most likely.`,
    {
      file,
      next: `${age > deadLock ? 'run `wt doctor --fix`, which removes it when nothing uses it; or ' : ''}see that no git command runs here, and \`rm ${shellWord(file)}\``,
      items,
      outcome: 'incomplete',
    },
  );
}

/**
 * Removes the locks that a git process which has ended could not remove itself: they were its own, and would be in the way of whoever
 * comes next. Where we cannot remove them either they stay.
 *
 * @param words what git wrote to standard error.
 * @param folder where git ran.
 */
export function removeLeftLocks(words: string, folder: string): void {
  for (const [, named = ''] of words.matchAll(/unable to unlink '([^'\n]+\.lock)': /g)) {
    try {
      rmSync(isAbsolute(named) ? named : join(folder, named), { force: true });
    } catch {
      // The next git command names it.
    }
  }
}

/** How old a lock is, in milliseconds; `undefined` when it is not there. */
export function ageOfLock(file: string, now: Date = new Date()): number | undefined {
  const found = look(file);
  return found && now.getTime() - found.mtimeMs;
}

/** A length of time for people: minutes, hours or days. */
export function ageWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 100) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** Every lock of git's own in a repository, in its worktrees' git directories too: absolute paths. */
export function findLocks(commonDir: string): string[] {
  const linked = join(commonDir, 'worktrees');
  const gitDirs = [commonDir, ...entriesOf(linked).map(({ name }) => join(linked, name))];
  const flat = ['', 'info', 'objects/info', 'objects/info/commit-graphs', 'objects/pack', 'reftable'];
  return [
    ...flat.flatMap((folder) => locksIn(join(commonDir, folder))),
    ...gitDirs.slice(1).flatMap((gitDir) => [...locksIn(gitDir), ...locksIn(join(gitDir, 'info'))]),
    ...gitDirs.flatMap((gitDir) => locksBelow(join(gitDir, 'refs'))),
  ];
}

function locksIn(folder: string): string[] {
  return entriesOf(folder)
    .filter(({ name, folder: isFolder }) => !isFolder && name.endsWith('.lock'))
    .map(({ name }) => join(folder, name));
}

function locksBelow(folder: string): string[] {
  const below = entriesOf(folder).filter(({ folder: isFolder }) => isFolder);
  return [...locksIn(folder), ...below.flatMap(({ name }) => locksBelow(join(folder, name)))];
}

function entriesOf(folder: string): { readonly name: string; readonly folder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      folder: entry.isDirectory(),
    }));
  } catch {
    return [];
  }
}

/**
 * Why a lock cannot be taken for that of a dead process; `undefined` when it can: it is old, no process has it open, and no git command
 * works in the repository. Only Linux lets us look at other processes.
 *
 * @param file the lock.
 * @param places the git directory of the repository, and the roots of its working trees: real paths.
 */
export function whyNotDead(
  file: string,
  places: readonly string[],
  { now, pid: own }: { readonly now: Date; readonly pid: number },
): string | undefined {
  const found = look(file);
  if (!found) return 'it is gone';
  if (!found.isFile()) return 'it is no file';
  if (now.getTime() - found.mtimeMs < deadLock) return 'it is too fresh: its process may be alive';
  const processes = entriesOf('/proc').filter(({ name }) => /^\d+$/.test(name));
  if (processes.length === 0) return 'this system does not tell which processes use it';
  for (const { name: pid } of processes) {
    const use = useOf(pid, found, places);
    if (use !== undefined && !isBelow(pid, own)) return `process ${pid} ${use}`;
  }
  return undefined;
}

/** Whether a process was started by another one, or by what that has started: git commands that we run ourselves hold no old lock. */
function isBelow(pid: string, own: number): boolean {
  let at = pid;
  for (let steps = 0; steps < 8 && at !== '0'; steps++) {
    if (at === String(own)) return true;
    try {
      // The name of the program, in parentheses, may hold anything.
      at = /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${at}/stat`, 'utf8'))?.[1] ?? '0';
    } catch {
      return false;
    }
  }
  return false;
}

/** What a process has to do with a lock; `undefined` when it has nothing to do with it, as far as that can be seen. */
function useOf(pid: string, lock: Stats, places: readonly string[]): string | undefined {
  let program: string;
  try {
    program = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
  // `git commit` closes its lock while an editor is open, and still holds it.
  const isGit = /^(git|jgit|libgit)/i.test(program);
  try {
    if (isGit && places.some((place) => isWithin(place, readlinkSync(`/proc/${pid}/cwd`))))
      return `(${program}) works there`;
    for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
      const open = statOf(`/proc/${pid}/fd/${descriptor}`);
      if (open?.ino === lock.ino && open.dev === lock.dev) return `(${program}) has it open`;
    }
    return undefined;
  } catch (thrown) {
    const code = errorCode(thrown);
    // Of another user's process only the name is seen.
    return isGit && (code === 'EACCES' || code === 'EPERM')
      ? `(${program}) is another user's, and may use it`
      : undefined;
  }
}

function look(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

/** What a lock keeps others from changing, for people: `the index`, `the branch x`. */
export function lockedThing(file: string): string {
  const name = basename(file, '.lock');
  const branch = /[\\/]refs[\\/]heads[\\/](.+)\.lock$/.exec(file)?.[1];
  if (branch !== undefined) return `the branch ${branch.replaceAll('\\', '/')}`;
  const ref = /[\\/](refs[\\/].+)\.lock$/.exec(file)?.[1];
  if (ref !== undefined) return ref.replaceAll('\\', '/');
  switch (name) {
    case 'index':
      return 'the index';
    case 'HEAD':
      return 'what is checked out';
    case 'config':
      return 'the configuration of git';
    case 'packed-refs':
      return 'the list of packed branches';
    case 'shallow':
      return 'the depth of this shallow clone';
    default:
      return `${basename(dirname(file))}/${name}`;
  }
}
