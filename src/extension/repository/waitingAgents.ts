import type { AgentState } from '../../core/claude/agentStates.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { RepositoryModel } from './repositoryModel.ts';

/** An agent that waits for a person, and where. Of a session and its sub-agents it is the one that has waited longest. */
export interface WaitingAgent {
  readonly model: RepositoryModel;
  readonly worktree: Worktree;
  readonly agent: AgentState;
  /** The last event that belongs to this wait, ISO 8601; `undefined` where only Claude Code itself tells of it. */
  readonly until: string | undefined;
}

/** The agents that wait for a person, the one that has waited longest first. */
export function waitingAgents(models: readonly RepositoryModel[]): WaitingAgent[] {
  const found = models.flatMap((model) => {
    const { worktrees = [], agents } = model.state ?? {};
    return worktrees.flatMap((worktree) => bySession(model, worktree, agents?.get(worktree.name)?.agents ?? []));
  });
  return found.sort((one, other) => timeOf(one).localeCompare(timeOf(other)));
}

/** One question of a session may be reported of the session, and of the sub-agent that asks. */
function bySession(model: RepositoryModel, worktree: Worktree, agents: readonly AgentState[]): WaitingAgent[] {
  const sessions = new Map<string, AgentState[]>();
  for (const agent of agents) {
    if (agent.activity !== 'waiting') continue;
    sessions.set(agent.session, [...(sessions.get(agent.session) ?? []), agent]);
  }
  return [...sessions.values()].flatMap((all) => {
    const times = all.map(({ since = '' }) => since).sort();
    const agent = all.find(({ since = '' }) => since === times[0]);
    return agent ? [{ model, worktree, agent, until: times.at(-1) || undefined }] : [];
  });
}

const timeOf = ({ agent }: WaitingAgent): string => agent.since ?? '';
