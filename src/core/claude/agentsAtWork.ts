import type { Environment } from '../base/environment.ts';
import { mostPressing, readAgents, type Activity, type AgentState, type WatchedWorktree } from './agentStates.ts';
import type { ClaudeSession } from './claudeSessions.ts';
import { readLog, type LogEntry } from './decisionLog.ts';

/** What there is to say of the agents of one worktree. */
export interface AgentsAtWork {
  /** What the one does that most asks for a person; `undefined` when there is none. */
  readonly activity: Activity | undefined;
  readonly agents: readonly AgentState[];
  /** When the last turn ended, ISO 8601; `undefined` while one works or waits, and where none had a turn that ended by itself. */
  readonly finished: string | undefined;
  /** How often those that are there now were refused something. */
  readonly denied: number;
  /** The last refusal that the log knows of, also of an agent that is gone. */
  readonly lastDenied: LogEntry | undefined;
}

/** How much of the end of the log is searched for refusals, in bytes. */
const logTail = 1024 * 1024;

/** Whether a hook refused something: a tool, the end of a turn, or that a task is done. */
export function isRefusal({ decision }: LogEntry): boolean {
  return decision === 'deny' || decision === 'block';
}

/**
 * What agents do in each worktree, and what they were refused there; by the worktree's name. Worktrees of which there is nothing to
 * say are left out.
 *
 * @param sessions as {@link agentStates} takes them.
 */
export async function agentsAtWork(
  environment: Environment,
  commonDir: string,
  worktrees: readonly WatchedWorktree[],
  sessions: readonly ClaudeSession[],
): Promise<ReadonlyMap<string, AgentsAtWork>> {
  const [{ states, finished }, entries] = await Promise.all([
    readAgents(environment, commonDir, worktrees, sessions),
    readLog(commonDir, { lastBytes: logTail }),
  ]);
  const refusals = new Map<string | undefined, LogEntry[]>();
  for (const entry of entries.filter(isRefusal)) {
    const sofar = refusals.get(entry.worktree);
    if (sofar) sofar.push(entry);
    else refusals.set(entry.worktree, [entry]);
  }
  return new Map(
    worktrees.flatMap(({ name }) => {
      const agents = states.get(name) ?? [];
      const refused = refusals.get(name) ?? [];
      if (agents.length === 0 && refused.length === 0 && !finished.has(name)) return [];
      const here = new Set(agents.map(({ session }) => session));
      const denied = refused.filter(({ session }) => session !== undefined && here.has(session)).length;
      const activity = mostPressing(agents);
      const done = activity === undefined || activity === 'idle' ? finished.get(name) : undefined;
      return [[name, { activity, agents, finished: done, denied, lastDenied: refused.at(-1) }] as const];
    }),
  );
}
