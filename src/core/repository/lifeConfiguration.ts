import type { SchemaFault } from '../base/jsonSchema.ts';
import type { Message } from '../messages/message.ts';
import { repositoryMessages } from '../messages/repository.ts';

/** Which ports worktrees get, and how many each. */
export interface PortSettings {
  /** The first and the last port of the range. */
  readonly from: number;
  readonly to: number;
  /** So many for each worktree. */
  readonly each: number;
}

/** How `ports` and `urls` are written in `.worktrees.yml`. */
export interface WrittenPorts {
  ports?: { range?: string; each?: number };
  urls?: Record<string, string>;
}

/** The ports that may be given away: those below belong to the system. */
const limits = { from: 1024, to: 65_535 };
const defaultRange = '20000-29999';
const defaultEach = 3;

/** The port settings with the defaults filled in; `undefined` when the team has not asked for ports. */
export function portSettings({ ports }: WrittenPorts): PortSettings | undefined {
  if (!ports) return undefined;
  const [from = 0, to = 0] = (ports.range ?? defaultRange).split('-').map(Number);
  return { from, to, each: ports.each ?? defaultEach };
}

/** What is wrong with ports and addresses beyond what a schema can say. */
export function faultsOfPorts(written: WrittenPorts): SchemaFault[] {
  const settings = portSettings(written);
  const range = settings && faultOfRange(settings);
  return [...(range ? [{ path: ['ports', 'range'], message: range }] : []), ...faultsOfUrls(written, settings)];
}

function faultOfRange({ from, to, each }: PortSettings): Message | undefined {
  if (from < limits.from || to > limits.to)
    return repositoryMessages.portsBetween({ from: String(limits.from), to: String(limits.to) });
  if (from > to) return repositoryMessages.rangeBackwards();
  return to - from + 1 < each ? repositoryMessages.rangeTooSmall({ count: each }) : undefined;
}

function faultsOfUrls({ urls = {} }: WrittenPorts, settings: PortSettings | undefined): SchemaFault[] {
  return Object.entries(urls).flatMap(([name, url]) =>
    [...url.matchAll(/\{([^{}]*)\}/g)].flatMap(([whole, placeholder = '']) => {
      const message = faultOfPlaceholder(whole, placeholder, settings);
      return message ? [{ path: ['urls', name], message }] : [];
    }),
  );
}

function faultOfPlaceholder(
  whole: string,
  placeholder: string,
  settings: PortSettings | undefined,
): Message | undefined {
  if (['name', 'slug', 'branch'].includes(placeholder)) return undefined;
  const [, number] = /^port(?:_([1-9]\d*))?$/.exec(placeholder) ?? [];
  const isPort = placeholder === 'port' || (number !== undefined && Number(number) > 1);
  if (!isPort)
    return repositoryMessages.unknownPlaceholder({ whole, known: '{port}, {port_2}, {name}, {slug}, {branch}' });
  if (!settings) return repositoryMessages.placeholderWithoutPorts({ whole });
  return Number(number ?? 1) > settings.each
    ? repositoryMessages.placeholderBeyond({ whole, count: settings.each })
    : undefined;
}
