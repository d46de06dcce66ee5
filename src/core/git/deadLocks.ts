import { readFileSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isWithin } from '../base/paths.ts';
import { gitMessages } from '../messages/git.ts';
import { verbatim, type Message } from '../messages/message.ts';
import { deadLock, hasOpen, lookAt, processIds } from './lockFile.ts';

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
): Message | undefined {
  const found = lookAt(file);
  if (!found) return gitMessages.lockGone();
  if (!found.isFile()) return gitMessages.lockNoFile();
  if (now.getTime() - found.mtimeMs < deadLock) return gitMessages.lockTooFresh();
  const processes = processIds();
  if (processes.length === 0) return gitMessages.lockUsersUnknown();
  for (const pid of processes) {
    const use = useOf(pid, found, places);
    if (use !== undefined && !isBelow(pid, own)) return use;
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
function useOf(pid: string, lock: Stats, places: readonly string[]): Message | undefined {
  let program: string;
  try {
    program = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return undefined;
  }
  // `git commit` closes its lock while an editor is open, and still holds it.
  const isGit = /^(git|jgit|libgit)/i.test(program);
  const open = hasOpen(pid, lock);
  if (isGit && open !== undefined && places.some((place) => isWithin(place, folderOf(pid))))
    return gitMessages.lockWorksThere({ pid, program });
  if (open === true) return gitMessages.lockHasOpen({ pid, program });
  // Of another user's process only the name is seen.
  return isGit && open === undefined ? gitMessages.lockOtherUser({ pid, program }) : undefined;
}

function folderOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** What a lock keeps others from changing. */
export function lockedThing(file: string): Message {
  const name = basename(file, '.lock');
  const branch = /[\\/]refs[\\/]heads[\\/](.+)\.lock$/.exec(file)?.[1];
  if (branch !== undefined) return gitMessages.theBranch({ branch: branch.replaceAll('\\', '/') });
  const ref = /[\\/](refs[\\/].+)\.lock$/.exec(file)?.[1];
  if (ref !== undefined) return verbatim(ref.replaceAll('\\', '/'));
  switch (name) {
    case 'index':
      return gitMessages.theIndex();
    case 'HEAD':
      return gitMessages.theHead();
    case 'config':
      return gitMessages.theConfiguration();
    case 'packed-refs':
      return gitMessages.thePackedRefs();
    case 'shallow':
      return gitMessages.theShallow();
    default:
      return verbatim(`${basename(dirname(file))}/${name}`);
  }
}
