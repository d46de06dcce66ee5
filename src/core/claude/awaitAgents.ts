import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../base/environment.ts';
import { stopIfCancelled } from '../base/problem.ts';
import { agentsAtWork, type AgentsAtWork } from './agentsAtWork.ts';
import type { ClaudeSession } from './claudeSessions.ts';
import { LogWatch } from './logWatch.ts';
import type { WatchedWorktree } from './agentStates.ts';

/**
 * What the agents of a worktree do, taken together; `gone`: they were at work, and their processes have ended without a word; `none`: there is
 * none, and none has been at work.
 */
export type AwaitedState = 'waiting' | 'working' | 'done' | 'gone' | 'none';

/** A worktree whose agents are waited for. */
export interface Awaited<T extends WatchedWorktree> {
  readonly worktree: T;
  readonly state: AwaitedState;
  readonly agents: AgentsAtWork | undefined;
}

/** What is waited for, and how long. */
export interface AwaitOptions {
  /** `any`: until the first agent waits for a person or is done; `all`: until none works any more. */
  readonly until: 'any' | 'all';
  /** Milliseconds after which it is given up; default never. */
  readonly timeout: number | undefined;
  readonly signal: AbortSignal;
  /** Asks Claude Code which sessions run; it is asked only while hooks tell of no agent. */
  readonly list: () => Promise<readonly ClaudeSession[]>;
  /** Called when there is something to wait for, before the waiting begins. */
  readonly onWait: () => void;
}

/** The result of waiting. */
export interface Waited<T extends WatchedWorktree> {
  /** All worktrees, as they are now. */
  readonly worktrees: readonly Awaited<T>[];
  /** Those that ended the waiting; empty when the time was over, or there was no agent to wait for. */
  readonly ended: readonly Awaited<T>[];
  readonly why: 'reached' | 'timed-out' | 'no-agent';
}

/** Milliseconds between two readings of the log while agents write much. */
const pause = 250;
/** Milliseconds after which the log is read without news as well: an agent that was killed writes none. */
const atLatest = 10_000;
/** Milliseconds between two questions to Claude Code, which is a large program. */
const betweenQuestions = 30_000;

/**
 * Waits until agents need a person or are done. Reads the log of the hooks when it grows.
 *
 * @throws Problem `cancelled`.
 */
export async function awaitAgents<T extends WatchedWorktree>(
  environment: Environment,
  commonDir: string,
  worktrees: readonly T[],
  { until, timeout, signal, list, onWait }: AwaitOptions,
): Promise<Waited<T>> {
  const begun = performance.now();
  const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : begun + timeout;
  let sessions: readonly ClaudeSession[] = [];
  let asked = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  const read = async (): Promise<Awaited<T>[]> => {
    const states = await readStates(environment, commonDir, worktrees, sessions);
    if (states.some(({ state }) => state !== 'none') && sessions.length === 0) return states;
    if (performance.now() - asked < betweenQuestions) return states;
    asked = performance.now();
    sessions = await list();
    return sessions.length === 0 ? states : readStates(environment, commonDir, worktrees, sessions);
  };
  let wake: () => void = () => undefined;
  let hasNews = false;
  const watch = new LogWatch(commonDir, () => {
    hasNews = true;
    wake();
  });
  const abort = (): void => wake();
  signal.addEventListener('abort', abort);
  const worked = new Set<string>();
  try {
    for (;;) {
      stopIfCancelled(signal);
      watch.begin();
      hasNews = false;
      const states = (await read()).map((each) =>
        each.state === 'none' && worked.has(each.worktree.name) ? { ...each, state: 'gone' as const } : each,
      );
      for (const { worktree, state } of states) if (state === 'working') worked.add(worktree.name);
      const ended = endedBy(states, until, worked);
      if (ended) return { worktrees: states, ended, why: ended.length > 0 ? 'reached' : 'no-agent' };
      const left = deadline - performance.now();
      if (left <= 0) return { worktrees: states, ended: [], why: 'timed-out' };
      if (!isWaiting) onWait();
      isWaiting = true;
      await delay(Math.min(pause, left));
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, Math.min(atLatest, deadline - performance.now())));
        wake = () => (clearTimeout(timer), resolve());
        if (hasNews || signal.aborted) wake();
      });
    }
  } finally {
    signal.removeEventListener('abort', abort);
    watch.dispose();
  }
}

/** The worktrees that end the waiting; none at all where nobody works, so that it would never end; `undefined` while it goes on. */
function endedBy<T extends WatchedWorktree>(
  states: readonly Awaited<T>[],
  until: AwaitOptions['until'],
  worked: ReadonlySet<string>,
): readonly Awaited<T>[] | undefined {
  const isWorking = states.some(({ state }) => state === 'working');
  if (until === 'all') return isWorking ? undefined : states.filter(({ state }) => state !== 'none');
  // Who is done from the start is no news.
  const ended = states.filter(
    ({ worktree, state }) => state === 'waiting' || (state !== 'working' && worked.has(worktree.name)),
  );
  return ended.length > 0 || !isWorking ? ended : undefined;
}

async function readStates<T extends WatchedWorktree>(
  environment: Environment,
  commonDir: string,
  worktrees: readonly T[],
  sessions: readonly ClaudeSession[],
): Promise<Awaited<T>[]> {
  const known = await agentsAtWork(environment, commonDir, worktrees, sessions);
  return worktrees.map((worktree): Awaited<T> => {
    const agents = known.get(worktree.name);
    return { worktree, agents, state: stateOf(agents) };
  });
}

function stateOf(agents: AgentsAtWork | undefined): AwaitedState {
  if (agents?.activity === 'waiting' || agents?.activity === 'working') return agents.activity;
  return agents?.activity === 'idle' || agents?.finished !== undefined ? 'done' : 'none';
}
