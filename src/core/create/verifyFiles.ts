import { copyFile, lstat, readFile, readlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { Problem } from '../base/problem.ts';
import type { CreateData } from './createData.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

/** A copy of the index in the git directory, while files are verified. */
export const freshIndex = 'wt-fresh-index';
/** So many files that look different are read again; they are named up to this number. */
const mostFiles = 100;

/**
 * Makes sure that the files of a fresh checkout are what the commit says: git ends with 0 in cases where it could not write one. What
 * git noted of each file as it wrote it is compared with the disk, which reads no file.
 *
 * @param gitDir the git directory of the worktree, whose index git has just written.
 * @returns sentences about files that share one place on a disk which does not tell upper from lower case.
 * @throws Problem `not-writable` (outcome incomplete) that names the files.
 */
export async function verifyFiles(
  { git }: Workspace,
  { name, path }: Pick<CreateData, 'name' | 'path'>,
  gitDir: string,
  signal: AbortSignal | undefined,
): Promise<Message[]> {
  // Git reads every file again that is as young as the index. Seen from an hour later, none is.
  const index = join(gitDir, freshIndex);
  let differing: string[];
  try {
    await copyFile(join(gitDir, 'index'), index);
    const later = new Date((await lstat(index)).mtimeMs + 3_600_000);
    await utimes(index, later, later);
    const args = ['-c', 'core.fsmonitor=false', 'diff-files', '-z', '--name-only', '--ignore-submodules=all'];
    differing = await git.nul(args, { cwd: path, signal, variables: { GIT_INDEX_FILE: index } });
  } finally {
    await rm(index, { force: true });
  }
  if (differing.length === 0) return [];
  const wrong: string[] = [];
  for (const file of differing.slice(0, mostFiles)) if (!(await isWritten(git, path, file, signal))) wrong.push(file);
  if (wrong.length === 0) return [];
  const tracked = await git.nul(['ls-files', '-z'], { cwd: path, signal });
  const twins = new Map<string, string[]>();
  for (const file of tracked) twins.set(alike(file), [...(twins.get(alike(file)) ?? []), file]);
  const collided = wrong.filter((file) => (twins.get(alike(file))?.length ?? 0) > 1);
  const missing = wrong.filter((file) => !collided.includes(file));
  if (missing.length === 0) {
    return [...new Set(collided.map(alike))].map((each) => {
      const files = twins.get(each) ?? [];
      return createMessages.oneFile({ files: files.join(' and ') });
    });
  }
  throw new Problem('not-writable', createMessages.checkedOutWrongly({ name, count: missing.length }), {
    next: createMessages.checkDiskSpace(),
    items: missing.slice(0, 20),
    file: join(path, missing[0] ?? ''),
    outcome: 'incomplete',
  });
}

/** Whether a file holds, byte for byte, what git would write there now of what the index has. */
export async function isWritten(
  git: Workspace['git'],
  root: string,
  file: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const place = join(root, file);
  const there = await lstat(place).catch(() => undefined);
  if (!there || there.isDirectory()) return false;
  const bytes = there.isSymbolicLink() ? Buffer.from(await readlink(place)) : await readFile(place);
  const whole = await git.bytes(['cat-file', '--filters', `:${file}`], { cwd: root, signal });
  return bytes.equals(whole);
}

function alike(file: string): string {
  return file.normalize('NFC').toLowerCase();
}
