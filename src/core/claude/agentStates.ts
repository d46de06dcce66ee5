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
  /**
   * Of one that works when it was last heard of, else when it began to wait or to be idle; ISO 8601. `undefined` when only Claude
   * Code's own list has it.
   */
  readonly since: string | undefined;
  /** What one that waits wants to be allowed, where that was reported: the tool, and its command or file. */
  readonly asks?: { readonly tool: string; readonly words: string | undefined };
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

/** What is known of the agents of a repository. */
export interface KnownAgents {
  /** What those that are there now do, by the worktree's name. */
  readonly states: ReadonlyMap<string, readonly AgentState[]>;
  /**
   * When the last turn ended that an agent had in a worktree, also of one that is gone; by the worktree's name, ISO 8601. One whose
   * session a person has ended is left out: they were there.
   */
  readonly finished: ReadonlyMap<string, string>;
}

/** As {@link readAgents}, only what those do that are there now. */
export async function agentStates(...of: Parameters<typeof readAgents>): Promise<KnownAgents['states']> {
  return (await readAgents(...of)).states;
}

/**
 * What the agents in each worktree do, by the worktree's name: from what hooks have written down, and from Claude Code's own list,
 * which knows best where it is asked. Agents whose process has ended are left out.
 *
 * @param sessions Claude Code's list; empty where it is not installed.
 */
export async function readAgents(
  environment: Environment,
  commonDir: string,
  worktrees: readonly WatchedWorktree[],
  sessions: readonly ClaudeSession[],
): Promise<KnownAgents> {
  const states = new Map<string, AgentState[]>();
  const add = (name: string, state: AgentState): void => void states.set(name, [...(states.get(name) ?? []), state]);
  const listed = new Map(sessions.map((each) => [each.sessionId, each]));
  const reported = new Set<string>();
  const logged = await statesFromLog(environment, commonDir);
  const finished = new Map<string, string>();
  for (const { worktree, at } of logged.finished) if (at > (finished.get(worktree) ?? '')) finished.set(worktree, at);
  for (const { worktree, state } of logged.states) {
    const known = state.agentId === undefined ? listed.get(state.session) : undefined;
    if (known) reported.add(known.sessionId);
    add(worktree, known ? { ...state, activity: activityOf(known), pid: known.pid } : state);
  }
  const unreported = sessions.filter(({ sessionId }) => !reported.has(sessionId));
  if (unreported.length === 0) return { states, finished };
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
  return { states, finished };
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

/** What the log says of one agent, event by event. */
interface Track {
  readonly last: LogEntry;
  readonly activity: Activity | 'ended';
  readonly worktree: string | undefined;
  /** When it began to do what it does now. */
  readonly began: string;
  /** It was asked for something, and has not come to the end of that yet. */
  readonly busy: boolean;
  readonly finished: string | undefined;
  /** What it wants to be allowed. */
  readonly asks: AgentState['asks'];
}

function follow(before: Track | undefined, entry: LogEntry, activity: Activity | 'ended'): Track {
  const busy = activity === 'working' || activity === 'waiting';
  return {
    last: entry,
    activity,
    worktree: entry.worktree ?? before?.worktree,
    // One wait may be reported twice: as a question about a tool, and as a notification.
    began: before?.activity === activity ? before.began : entry.at,
    busy,
    asks: activity === 'waiting' ? (asked(entry) ?? before?.asks) : undefined,
    finished: busy ? undefined : before?.busy ? entry.at : before?.finished,
  };
}

function asked({ event, tool, words }: LogEntry): AgentState['asks'] {
  return event === 'PermissionRequest' && tool !== undefined ? { tool, words } : undefined;
}

interface Logged {
  readonly states: readonly LoggedState[];
  readonly finished: readonly { readonly worktree: string; readonly at: string }[];
}

async function statesFromLog(environment: Environment, commonDir: string): Promise<Logged> {
  const tracks = new Map<string, Track>();
  const ends = new Map<string, LogEntry>();
  for (const entry of await readLog(commonDir, { lastBytes: logTail })) {
    const activity = activityAfter(entry);
    if (entry.session === undefined || activity === undefined) continue;
    const key = keyOf(entry.session, entry.agentId);
    if (entry.event === 'SessionEnd') ends.set(entry.session, entry);
    else if (entry.agentId === undefined) ends.delete(entry.session);
    tracks.set(key, follow(tracks.get(key), entry, activity));
  }
  const all = [...tracks.values()];
  const states = await Promise.all(all.map((track) => stateOf(environment, track, ends)));
  const finished = all.flatMap(({ worktree, finished: at, last }) => {
    const end = ends.get(last.session ?? '');
    // A run without a terminal ends by itself, for no reason that has a name.
    return worktree === undefined || at === undefined || (end && end.detail !== 'other') ? [] : [{ worktree, at }];
  });
  return { states: states.flatMap((state) => state ?? []), finished };
}

/** What an agent does now; `undefined` for one that is gone. */
async function stateOf(
  environment: Environment,
  { last, activity, worktree, began, asks }: Track,
  ends: ReadonlyMap<string, LogEntry>,
): Promise<LoggedState | undefined> {
  const { session = '', agent, agentId, at, client } = last;
  if (worktree === undefined || activity === 'ended' || ends.has(session)) return undefined;
  if (client && !(await mayBeAlive(environment, client))) return undefined;
  const silent = environment.now().getTime() - Date.parse(at) > silenceLimit;
  // Without a process to ask, a long pause looks like the end.
  if (silent && !client) return undefined;
  // A question stays open until somebody answers it, however long that takes.
  const quiet = silent && activity === 'working';
  const since = activity === 'working' ? at : began;
  const doing = { activity: quiet ? ('idle' as const) : activity, since, ...(asks ? { asks } : {}) };
  return { worktree, state: { ...doing, session, agent, agentId, pid: client?.pid } };
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
