import type { Environment } from '../base/environment.ts';
import { agentStates, type AgentState, type WatchedWorktree } from './agentStates.ts';
import type { SessionLister } from './claudeSessions.ts';

/** An agent that works in a worktree. */
export interface LiveAgent {
  readonly pid: number;
  /** What it is, for people. */
  readonly what: string;
}

/**
 * The agents in a worktree: sessions that were started there, and busy sub-agents and team-mates, whose process is elsewhere. The
 * session that asks does not count, the agents that it has started do.
 */
export async function liveAgents(
  environment: Environment,
  lister: Pick<SessionLister, 'list'>,
  commonDir: string,
  worktree: WatchedWorktree,
): Promise<LiveAgent[]> {
  const states = await agentStates(environment, commonDir, [worktree], await lister.list());
  const own = environment.variables['CLAUDE_CODE_SESSION_ID'];
  return (states.get(worktree.name) ?? []).flatMap((state) => {
    const counts = state.agentId === undefined ? state.session !== own : state.activity !== 'idle';
    return counts && state.pid !== undefined ? [{ pid: state.pid, what: describe(state) }] : [];
  });
}

function describe({ agent, agentId, activity }: AgentState): string {
  const who =
    agentId === undefined
      ? `a Claude session${agent === undefined ? '' : ` (${agent})`}`
      : `the agent ${agent ?? agentId}`;
  return activity === 'waiting' ? `${who} that waits for an answer` : who;
}
