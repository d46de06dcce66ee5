/*
 * Replaces node:os and node:process in `hookProgram.js` (scripts/build.mjs): they are loaded at first use, because loading them takes
 * longer than checking a command.
 */

import type * as os from 'node:os';

const load = require;
/** The host name. `os` without `node:` is not replaced by the build. */
export const hostname = (): string => (load('os') as typeof os).hostname();

export const cpuUsage: NodeJS.Process['cpuUsage'] = (before) => process.cpuUsage(before);
export const kill: NodeJS.Process['kill'] = (pid, signal) => process.kill(pid, signal);
