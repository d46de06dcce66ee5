import type { SchemaFault } from '../base/jsonSchema.ts';
import { repositoryMessages } from '../messages/repository.ts';

/** A time as people write it in a configuration: `90s`, `10m`, `1h`, or a number of seconds. */
export type WrittenTime = string | number;

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** A written time in milliseconds. Longer than what a timer of Node can wait for is as good as for ever. */
export function milliseconds(time: WrittenTime): number {
  const [, number = '0', unit = 's'] = /^([\d.]+)\s*([smh])?$/.exec(String(time)) ?? [];
  return Math.min(Number(number) * (units[unit] ?? 1000), 2 ** 31 - 1);
}

/** What is wrong with a time beyond what a schema can say: that it is none at all. */
export function faultsOfTime(path: SchemaFault['path'], time: WrittenTime | undefined): SchemaFault[] {
  return time !== undefined && milliseconds(time) <= 0 ? [{ path, message: repositoryMessages.noTimeAtAll() }] : [];
}
