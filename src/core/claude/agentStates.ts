import { readlink, stat } from 'node:fs/promises';
import type { Environment } from '../base/environment.ts';
import { isWithin, realPathOf } from '../base/paths.ts';
import { mayBeAlive } from '../base/processes.ts';
import type { ClaudeSession } from './claudeSessions.ts';
import { readLog, type LogEntry } from './decisionLog.ts';

/** What an agent does: it works, it waits for a person, or it has nothing to do. */
export type Activity = 'working' | 'waiting' | 'idle';

/** An agent in a worktree: a session, or a sub-agent or team-mate within one. */
export interface AgentState {
  readonly activity: Activity;
  readonly session: string;
  /** The name of the agent or team-mate; `undefined` for a plain session. */
  readonly agent: string | undefined;
  /** Set for sub-agents and team-mates. */
  readonly agentId: string | undefined;
  /** The process of Claude Code, where it is known. */
  readonly pid: number | undefined;
  /** When it began to do what it does, or was last heard of; ISO 8601. `undefined` when only Claude Code's own list has it. */
  readonly since: string | undefined;
}

/** A worktree whose agents are listed. */
export interface WatchedWorktree {
  readonly name: string;
  readonly path: string;
}

/** How much of the end of the log is read, in bytes: some thousand events. */
const logTail = 1024 * 1024;
/** After this time without an event (ms), an agent no longer counts as working. */
const silenceLimit = 60 * 60_000;

/** What an event says its agent does from then on; `ended`: it is no more. Events that say nothing are missing. */
const meaning: Readonly<Record<string, Activity | 'ended'>> = {
  SessionStart: 'idle',
  UserPromptSubmit: 'working',
  PreToolUse: 'working',
  SubagentStart: 'working',
  PermissionRequest: 'waiting',
  TaskCompleted: 'working',
  TeammateIdle: 'idle',
  Stop: 'idle',
  StopFailure: 'idle',
  SubagentStop: 'ended',
  SessionEnd: 'ended',
};

/** Notifications that a person has to answer. */
const calls = new Set(['permission_prompt', 'worker_permission_prompt', 'elicitation_dialog', 'agent_needs_input']);

/**
 * What the agents in each worktree do, by the worktree's name: from what hooks have written down, and from Claude Code's own list,
 * which knows best where it is asked. Agents whose process has ended are left out.
 *
 * @param sessions Claude Code's list; empty where it is not installed.
 */
export async function agentStates(
  environment: Environment,
  commonDir: string,
  worktrees: readonly WatchedWorktree[],
  sessions: readonly ClaudeSession[],
): Promise<ReadonlyMap<string, readonly AgentState[]>> {
  const states = new Map<string, AgentState[]>();
  const add = (name: string, state: AgentState): void => void states.set(name, [...(states.get(name) ?? []), state]);
  const listed = new Map(sessions.map((each) => [each.sessionId, each]));
  const reported = new Set<string>();
  for (const { worktree, state } of await statesFromLog(environment, commonDir)) {
    const known = state.agentId === undefined ? listed.get(state.session) : undefined;
    if (known) reported.add(known.sessionId);
    add(worktree, known ? { ...state, activity: activityOf(known), pid: known.pid } : state);
  }
  const unreported = sessions.filter(({ sessionId }) => !reported.has(sessionId));
  if (unreported.length === 0) return states;
  const roots = await Promise.all(worktrees.map(async ({ name, path }) => ({ name, root: await realPathOf(path) })));
  for (const session of unreported) {
    const cwd = await whereIs(environment, session);
    const [holder] = roots
      .filter(({ root }) => isWithin(root, cwd))
      .sort((one, other) => other.root.length - one.root.length);
    const { sessionId, pid } = session;
    if (holder)
      add(holder.name, {
        activity: activityOf(session),
        session: sessionId,
        agent: undefined,
        agentId: undefined,
        pid,
        since: undefined,
      });
  }
  return states;
}

/** A session's own `cwd` may be outdated after its folder was moved; the system has the current one. */
async function whereIs({ platform }: Environment, { cwd, pid }: ClaudeSession): Promise<string> {
  const there = platform !== 'linux' || (await stat(cwd).catch(() => undefined));
  return (there ? undefined : await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) ?? realPathOf(cwd);
}

/** The most urgent activity: waiting for a person comes before working, and working before idle. */
export function mostPressing(states: readonly AgentState[]): Activity | undefined {
  return (['waiting', 'working', 'idle'] as const).find((activity) =>
    states.some((each) => each.activity === activity),
  );
}

function activityOf({ status }: ClaudeSession): Activity {
  if (status === 'waiting') return 'waiting';
  return status === 'busy' || status === 'shell' ? 'working' : 'idle';
}

interface LoggedState {
  readonly worktree: string;
  readonly state: AgentState;
}

async function statesFromLog(environment: Environment, commonDir: string): Promise<LoggedState[]> {
  const last = new Map<string, LogEntry>();
  const worktrees = new Map<string, string>();
  const ended = new Set<string>();
  for (const entry of await readLog(commonDir, { lastBytes: logTail })) {
    if (entry.session === undefined || activityAfter(entry) === undefined) continue;
    const key = keyOf(entry.session, entry.agentId);
    if (entry.event === 'SessionEnd') ended.add(entry.session);
    else if (entry.agentId === undefined) ended.delete(entry.session);
    last.set(key, entry);
    if (entry.worktree !== undefined) worktrees.set(key, entry.worktree);
  }
  const reported = await Promise.all(
    [...last].map(async ([key, entry]): Promise<LoggedState[]> => {
      const { session = '', agent, agentId, at, client } = entry;
      const worktree = worktrees.get(key);
      const activity = activityAfter(entry);
      if (worktree === undefined || activity === undefined || activity === 'ended' || ended.has(session)) return [];
      if (client && !(await mayBeAlive(environment, client))) return [];
      const silent = environment.now().getTime() - Date.parse(at) > silenceLimit;
      // Without a process to ask, a long pause looks like the end.
      if (silent && !client) return [];
      const state = {
        activity: silent ? ('idle' as const) : activity,
        session,
        agent,
        agentId,
        pid: client?.pid,
        since: at,
      };
      return [{ worktree, state }];
    }),
  );
  return reported.flat();
}

/** Whether an event says that its agent waits for a person from then on. */
export function waitsForPerson(entry: LogEntry): boolean {
  return activityAfter(entry) === 'waiting';
}

function activityAfter(entry: LogEntry): Activity | 'ended' | undefined {
  if (entry.event === 'Notification') return calls.has(entry.detail ?? '') ? 'waiting' : undefined;
  // A team-mate, whose id begins with its name, stops after every turn and stays.
  const { agent, agentId } = entry;
  if (entry.event === 'SubagentStop' && agent !== undefined && agentId?.startsWith(`a${agent}-`)) return 'idle';
  // A team-mate that was sent back goes on working.
  if (entry.event === 'TeammateIdle' && entry.decision === 'block') return 'working';
  return meaning[entry.event];
}

const keyOf = (session: string, agentId: string | undefined): string => `${session}\n${agentId ?? ''}`;
