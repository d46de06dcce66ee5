import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { withoutWaiting } from '../base/plainFile.ts';
import { mayBeAlive } from '../base/processes.ts';
import { errorCode } from '../base/problem.ts';

/** Whether somebody watches a worktree's pull request. `dead`: somebody did, and has ended without saying so. */
export type PollState = 'live' | 'dead' | 'none';

/**
 * Reads the marker that a poll leaves in its worktree while it runs. One without a process id, as other tools write it, is taken
 * at its word.
 */
export async function pollStateOf(environment: Environment, worktree: string): Promise<PollState> {
  let text: string;
  try {
    text = await readFile(join(worktree, '.poll-active'), { encoding: 'utf8', flag: withoutWaiting });
  } catch (thrown) {
    const code = errorCode(thrown);
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'none' : 'live';
  }
  const owner = readOwner(text.trim(), environment.host);
  if (owner === undefined) return 'live';
  return (await mayBeAlive(environment, owner)) ? 'live' : 'dead';
}

function readOwner(text: string, thisHost: string): { pid: number; host: string; born?: string } | undefined {
  if (/^\d+$/.test(text)) return { pid: Number(text), host: thisHost };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, host, born } = value as { pid?: unknown; host?: unknown; born?: unknown };
  if (typeof pid !== 'number') return undefined;
  return { pid, host: typeof host === 'string' ? host : thisHost, ...(typeof born === 'string' ? { born } : {}) };
}
