import type { Environment } from '../../base/environment.ts';
import { mayBeAlive } from '../../base/processes.ts';
import { processOf, type ActiveRun } from '../../repository/activeRun.ts';
import type { SessionLister } from '../claudeSessions.ts';
import { readLog, type LogEntry } from '../decisionLog.ts';

/**
 * Whether a workflow, or a session, still runs. `live`: its process does. `dead`: it does not. `unknown`: nothing can be checked from
 * here, so a workflow counts as running.
 */
export type RunState = 'live' | 'dead' | 'unknown';

/** How much of the end of the log is read, in bytes. */
const logTail = 1024 * 1024;

const isEnd = ({ event }: LogEntry): boolean => event === 'SessionEnd';

/** Whether a session of Claude Code runs, as far as hooks have written that down: its last event is no end, and its client runs. */
export async function sessionStateOf(environment: Environment, commonDir: string, session: string): Promise<RunState> {
  const log = await readLog(commonDir, { lastBytes: logTail });
  // Not each line names the client.
  const last = log.findLast(
    (entry) => entry.session === session && entry.agentId === undefined && (isEnd(entry) || entry.client !== undefined),
  );
  if (!last) return 'unknown';
  if (isEnd(last) || last.client === undefined) return 'dead';
  return (await mayBeAlive(environment, last.client)) ? 'live' : 'dead';
}

/**
 * Finds out whether a workflow still runs: its process does, or its session does, which may have been resumed in another one.
 *
 * @param lister asks Claude Code as well, which takes long; without it only hooks tell of sessions.
 */
export async function runStateOf(
  environment: Environment,
  commonDir: string,
  run: ActiveRun,
  lister?: Pick<SessionLister, 'list'>,
): Promise<RunState> {
  const { session_id: session } = run;
  const owner = processOf(run, environment.host);
  // Nothing is known here of processes of another computer.
  if (owner && owner.host !== environment.host) return 'unknown';
  if (owner && (await mayBeAlive(environment, owner))) return 'live';
  if (session === null) return owner ? 'dead' : 'unknown';
  const state = await sessionStateOf(environment, commonDir, session);
  if (state === 'live' || (await lister?.list())?.some(({ sessionId }) => sessionId === session)) return 'live';
  return owner ? 'dead' : state;
}
