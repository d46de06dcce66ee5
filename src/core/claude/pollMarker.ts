import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { mayBeAlive, type ProcessIdentity } from '../base/processes.ts';
import { errorCode } from '../base/problem.ts';

/** The file in a worktree that says that its pull request is watched. */
export const markerName = '.poll-active';

/**
 * So old, in milliseconds, a marker gets before it counts as dead where nothing proves that its process lives: it is empty, another tool
 * has written it, its process id may be another process's by now, or it is of another host. Our own polls write theirs anew every minute.
 */
export const markerAgeLimit = 15 * 60_000;

/** More than any marker holds, in bytes. */
const mostBytes = 4096;

/** Whether somebody watches a worktree's pull request. `dead`: somebody did, and has ended without saying so. */
export type PollState = 'live' | 'dead' | 'none';

/** What a marker says. */
export interface MarkerReading {
  readonly state: PollState;
  /** The process that it names; `undefined` for one that names none. */
  readonly owner: ProcessIdentity | undefined;
}

/** Reads whether a poll watches a worktree's pull request, from the marker that it leaves there while it runs. */
export async function pollStateOf(environment: Environment, worktree: string): Promise<PollState> {
  return (await readMarker(environment, worktree)).state;
}

/** Reads the marker in a worktree; never fails. One that cannot be read counts as live. */
export async function readMarker(environment: Environment, worktree: string): Promise<MarkerReading> {
  const file = join(worktree, markerName);
  let text = '';
  let written: number;
  try {
    const there = await stat(file);
    written = there.mtimeMs;
    // Reading what is no file may never end.
    if (there.isFile() && there.size <= mostBytes) text = await readFile(file, 'utf8').catch(() => '');
  } catch (thrown) {
    const code = errorCode(thrown);
    return { state: code === 'ENOENT' || code === 'ENOTDIR' ? 'none' : 'live', owner: undefined };
  }
  const { owner, heartbeat } = parse(text.trim(), environment.host);
  if (owner && owner.host === environment.host) {
    if (!(await mayBeAlive(environment, owner))) return { state: 'dead', owner };
    // It is the very process that has written it, however long ago.
    if (owner.born !== undefined) return { state: 'live', owner };
  }
  const age = environment.now().getTime() - (heartbeat ?? written);
  // A time in the future is no sign of life either.
  return { state: Math.abs(age) <= markerAgeLimit ? 'live' : 'dead', owner };
}

function parse(
  text: string,
  thisHost: string,
): { readonly owner?: ProcessIdentity; readonly heartbeat?: number | undefined } {
  if (/^\d+$/.test(text)) return { owner: { pid: Number(text), host: thisHost } };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  if (typeof value !== 'object' || value === null) return {};
  const { pid, host, born, heartbeat } = value as Record<string, unknown>;
  if (typeof pid !== 'number') return {};
  const beaten = typeof heartbeat === 'string' ? Date.parse(heartbeat) : NaN;
  return {
    owner: { pid, host: typeof host === 'string' ? host : thisHost, ...(typeof born === 'string' ? { born } : {}) },
    heartbeat: Number.isNaN(beaten) ? undefined : beaten,
  };
}
