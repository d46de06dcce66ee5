import type { SchemaFault } from '../base/jsonSchema.ts';
import { faultsOfTime, milliseconds, type WrittenTime } from './timeLimit.ts';

/** The moments in the life of a worktree at which commands of the team and of the user run. */
export const hookEvents = [
  'after_create',
  'before_merge',
  'after_merge',
  'before_remove',
  'after_remove',
  'after_switch',
] as const;

/** One of {@link hookEvents}. */
export type HookEvent = (typeof hookEvents)[number];

/** A command that runs at such a moment. */
export interface HookCommand {
  /** The command, for the user's shell. */
  readonly run: string;
  /** Nothing waits for it. */
  readonly background: boolean;
  /** It is ended after so many milliseconds. */
  readonly timeout: number;
}

/** The commands of each event, in their order. */
export type Hooks = Readonly<Record<HookEvent, readonly HookCommand[]>>;

/** How a command is written in `.worktrees.yml`. */
type WrittenCommand = string | { run: string; background?: boolean; timeout?: WrittenTime };

/** How `hooks` are written in `.worktrees.yml`, and in the user's own file. */
export interface WrittenHooks {
  hooks?: { timeout?: WrittenTime } & Partial<Record<HookEvent, string | WrittenCommand[]>>;
}

const defaultTimeout = '10m';

/** The commands with the defaults filled in; none for an event that is not there. */
export function hooksOf({ hooks }: WrittenHooks): Hooks {
  const general = hooks?.timeout ?? defaultTimeout;
  const commands = (event: HookEvent): HookCommand[] =>
    listOf(hooks?.[event]).map((each) => {
      const { run, background = false, timeout = general } = typeof each === 'string' ? { run: each } : each;
      return { run, background, timeout: milliseconds(timeout) };
    });
  return Object.fromEntries(hookEvents.map((event) => [event, commands(event)])) as unknown as Hooks;
}

/** What is wrong with the times of hooks beyond what a schema can say. */
export function faultsOfHooks({ hooks = {} }: WrittenHooks): SchemaFault[] {
  return [
    ...faultsOfTime(['hooks', 'timeout'], hooks.timeout),
    ...hookEvents.flatMap((event) =>
      listOf(hooks[event]).flatMap((each, index) =>
        faultsOfTime(['hooks', event, index, 'timeout'], typeof each === 'string' ? undefined : each.timeout),
      ),
    ),
  ];
}

function listOf(written: string | WrittenCommand[] | undefined): WrittenCommand[] {
  return typeof written === 'string' ? [written] : (written ?? []);
}
