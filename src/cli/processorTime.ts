import { cpuUsage } from 'node:process';

/**
 * A clock for the guards, in milliseconds: the processor time that this process has used. On the wall clock a machine on which several
 * agents build and test would take the guard's time away, and what it did not look at for want of time might go through.
 */
export function processorTime(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}
