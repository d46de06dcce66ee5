import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { quoted } from '../worktrees/quoted.ts';
import { readSettledRecord } from '../worktrees/read/worktreeRecord.ts';
import type { Workspace } from '../worktrees/workspace.ts';
import type { TreePlace } from './busy.ts';

/** The lock that a git command holds on the index of a worktree, or left behind when it died. */
export interface IndexLock {
  readonly file: string;
  /** When it was made, in milliseconds ago. */
  readonly age: number;
  /** The process that has it open; `none` when no process that we can see has, `unknown` where the system does not tell. */
  readonly holder: number | 'none' | 'unknown';
}

/** Reads the lock; `undefined` when there is none. */
export async function readIndexLock({ environment }: Workspace, place: TreePlace): Promise<IndexLock | undefined> {
  const file = join(place.gitDir, 'index.lock');
  const found = await stat(file).catch(() => undefined);
  if (!found) return undefined;
  const holder = environment.platform === 'linux' ? await holderOf(file) : 'unknown';
  return { file, age: Math.max(0, environment.now().getTime() - found.mtimeMs), holder };
}

/** The lock as a sentence part: which file, how old, who holds it. */
export function lockWords({ file, age, holder }: IndexLock): string {
  const who =
    holder === 'unknown'
      ? ''
      : holder === 'none'
        ? '; no running process has it open'
        : `; process ${holder} has it open`;
  return `its index is locked by ${file} (${ageWords(age)} old${who})`;
}

/** What to do about a lock. */
export function lockSteps(place: TreePlace, { file, holder }: IndexLock): string {
  if (typeof holder === 'number') return `wait until process ${holder} has ended, then run the same again`;
  return `if no git command is running in ${place.path}, remove it with \`rm ${quoted(file)}\`, then run the same again`;
}

/**
 * The failure of an operation that a lock is in the way of.
 *
 * @param what did not happen, as a sentence without its end.
 */
export function indexLockProblem(place: TreePlace, lock: IndexLock, what: string): Problem {
  return new Problem('locked-by-another', `${what}: ${lockWords(lock)}.`, {
    file: lock.file,
    next: lockSteps(place, lock),
    outcome: 'incomplete',
  });
}

/**
 * Refuses what an index that is locked is in the way of. A git command that is over in a moment is waited for.
 *
 * @param what did not happen, as a sentence without its end.
 * @throws Problem `locked-by-another` that names the lock.
 */
export async function refuseLocked(workspace: Workspace, place: TreePlace, what: string): Promise<void> {
  const { indexLocked } = await readSettledRecord(place.gitDir);
  const lock = indexLocked ? await readIndexLock(workspace, place) : undefined;
  if (lock) throw indexLockProblem(place, lock, what);
}

/** Git keeps its lock open until it has written the index. */
async function holderOf(file: string): Promise<number | 'none'> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const folder = `/proc/${pid}/fd`;
      const open = await readdir(folder).catch((): string[] => []);
      const targets = await Promise.all(open.map((fd) => readlink(join(folder, fd)).catch(() => '')));
      return targets.includes(file) ? Number(pid) : undefined;
    }),
  );
  return found.find((pid) => pid !== undefined) ?? 'none';
}

function ageWords(age: number): string {
  const units: readonly (readonly [size: number, name: string])[] = [
    [24 * 60 * 60_000, 'day'],
    [60 * 60_000, 'hour'],
    [60_000, 'minute'],
    [1_000, 'second'],
  ];
  const [size, name] = units.find(([least]) => age >= least) ?? [1_000, 'second'];
  const count = Math.floor(age / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
