import { Problem } from '../base/problem.ts';
import { reclaimMessages } from '../messages/reclaim.ts';

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, '': 86_400_000 };

/**
 * For how long nothing may have changed, in milliseconds: `7d`, `12h`, `30m`; a plain number counts days.
 *
 * @throws Problem `usage`.
 */
export function idleTime(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)([mhd]?)$/.exec(text.trim()) ?? [];
  const factor = units[unit];
  if (number !== '' && factor !== undefined) return Number(number) * factor;
  throw new Problem('usage', reclaimMessages.noIdleTime({ text: JSON.stringify(text) }), {
    next: reclaimMessages.giveIdleTime(),
  });
}
