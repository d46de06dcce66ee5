import { hostname } from 'node:os';
import { inAnyCase } from './windowsVariables.ts';
import { silentLog, type Log } from './log.ts';

/**
 * Everything the core needs of the world around it, given by whoever starts it, so that tests and editors decide what
 * it sees: no module below `src/core` reads `process`.
 */
export interface Environment {
  /** The environment variables, as they were at start. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where relative paths that a person typed start. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  readonly host: string;
  /** The JavaScript runtime that runs us, and may run our programs. */
  readonly runtime: string;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * The environment of this very process.
 *
 * @param variables a process that ends before they could change need not copy them.
 */
export function environmentOf(
  from: NodeJS.Process,
  log: Log = silentLog,
  variables: Environment['variables'] = from.platform === 'win32' ? inAnyCase({ ...from.env }) : { ...from.env },
): Environment {
  return {
    variables,
    cwd: from.cwd(),
    platform: from.platform,
    pid: from.pid,
    get host() {
      return hostname();
    },
    runtime: from.execPath,
    now: () => new Date(),
    log,
  };
}
