import { cpuUsage } from 'node:process';

/**
 * The processor time that this process has used (ms): the clock for the guards' limits. By wall time, a busy machine would use up the
 * limits, and a command that was not checked in time might pass.
 */
export function processorTime(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}
