import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { isWithin } from '../base/paths.ts';
import { withoutWaiting } from '../base/plainFile.ts';
import { processExists } from '../base/processes.ts';
import type { Message } from '../messages/message.ts';
import { removeMessages } from '../messages/remove.ts';
import { ancestorsOf, readProcess } from '../base/processTree.ts';
import { standingProcesses } from '../base/standing.ts';

/** A process that works in a worktree. */
export interface LiveSession {
  readonly pid: number;
  /** What it is, for people: the program's name, or what it does. */
  readonly what: string | Message;
}

/**
 * The processes that stand in a folder, and the poll of its pull request. Ourselves, whoever started us and whatever we
 * started are left out, and so is git, whose commands are over in a moment.
 *
 * @param folder a real path. Linux and macOS tell where other processes stand; elsewhere only the poll is found.
 */
export async function findLiveSessions(environment: Environment, folder: string): Promise<LiveSession[]> {
  const [standing, poll] = await Promise.all([findStanding(environment, folder), findPoll(folder)]);
  return poll && !standing.some((each) => each.pid === poll.pid) ? [...standing, poll] : standing;
}

async function findStanding(environment: Environment, folder: string): Promise<LiveSession[]> {
  const inside = (await standingProcesses(environment)).filter((each) => isWithin(folder, each.folder));
  if (inside.length === 0) return [];
  const ancestors = await selfAndAncestors(environment, environment.pid);
  const sessions: LiveSession[] = [];
  for (const { pid, name = (await readProcess(pid))?.name } of inside) {
    if (name === undefined || name === 'git' || ancestors.includes(pid)) continue;
    if ((await selfAndAncestors(environment, pid)).includes(environment.pid)) continue;
    sessions.push({ pid, what: name });
  }
  return sessions;
}

async function selfAndAncestors(environment: Environment, pid: number): Promise<number[]> {
  return [pid, ...(await ancestorsOf({ ...environment, pid })).map((each) => each.pid)];
}

/** A poll writes its process id into the worktree; the marker of a dead one means nothing. */
async function findPoll(folder: string): Promise<LiveSession | undefined> {
  try {
    const marker: unknown = JSON.parse(
      await readFile(join(folder, '.poll-active'), { encoding: 'utf8', flag: withoutWaiting }),
    );
    if (typeof marker !== 'object' || marker === null || !('pid' in marker) || typeof marker.pid !== 'number')
      return undefined;
    return processExists(marker.pid) ? { pid: marker.pid, what: removeMessages.itsPoll() } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The process that a lock's reason names, as Claude Code writes it: `claude session <name> (pid <n> start <t>)`.
 *
 * @returns its id and whether it still runs; `undefined` for any other reason.
 */
export function sessionOfLock(reason: string): { readonly pid: number; readonly alive: boolean } | undefined {
  const pid = /^claude session .*\(pid (\d+)\b.*\)$/s.exec(reason)?.[1];
  return pid === undefined ? undefined : { pid: Number(pid), alive: processExists(Number(pid)) };
}
