/*
 * What hooks use of node:os and node:process, taken at its first use: to load the two takes a guard longer than to judge a command.
 * scripts/build.mjs puts this in their place in `hookProgram.js`.
 */

import type * as os from 'node:os';

const load = require;
/** The name of this machine. The module is called by its other name, which the build leaves alone. */
export const hostname = (): string => (load('os') as typeof os).hostname();

export const cpuUsage: NodeJS.Process['cpuUsage'] = (before) => process.cpuUsage(before);
export const kill: NodeJS.Process['kill'] = (pid, signal) => process.kill(pid, signal);
