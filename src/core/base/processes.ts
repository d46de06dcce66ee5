import { readFile } from 'node:fs/promises';
import { kill } from 'node:process';
import type { Environment } from './environment.ts';
import { errorCode } from './problem.ts';

/** Names a process across restarts of the machine's pid counter. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** The kernel's start time of the process where it can be had (Linux: clock ticks since boot), to tell reused pids apart. */
  readonly born?: string;
}

/** This process, as others may find it written in a lock or a pending operation. */
export async function identityOf(environment: Environment): Promise<ProcessIdentity> {
  const born = await bornAt(environment.platform, environment.pid);
  return { pid: environment.pid, host: environment.host, ...(born === undefined ? {} : { born }) };
}

/**
 * Whether the process may still run. A process of another host is taken to be alive: this host cannot know.
 */
export async function mayBeAlive(environment: Environment, identity: ProcessIdentity): Promise<boolean> {
  if (identity.host !== environment.host) return true;
  if (!processExists(identity.pid)) return false;
  if (identity.born === undefined) return true;
  const born = await bornAt(environment.platform, identity.pid);
  return born === undefined || born === identity.born;
}

/** Whether any process has this id now; one that we may not signal counts. */
export function processExists(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    kill(pid, 0);
    return true;
  } catch (thrown) {
    return errorCode(thrown) === 'EPERM';
  }
}

async function bornAt(platform: NodeJS.Platform, pid: number): Promise<string | undefined> {
  if (platform !== 'linux') return undefined;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold spaces and brackets; what follows the last one is regular.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended: it holds no lock any more, its parent just has not asked yet.
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}
