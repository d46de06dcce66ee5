import { agentsAtWork, type AgentsAtWork } from '../core/claude/agentsAtWork.ts';
import { SessionLister } from '../core/claude/claudeSessions.ts';
import { liveAgents, type LiveAgent } from '../core/claude/liveAgents.ts';
import { runFactsOf, type RunFacts } from '../core/claude/runs/runFacts.ts';
import { messageOf } from '../core/base/problem.ts';
import type { Snapshot, Worktree } from '../core/worktree/model.ts';
import type { Workspace } from '../core/worktree/workspace.ts';

/**
 * Finds the agents that live in a worktree. On Linux from what hooks have written down: sessions that were started there show by where
 * their process stands, and asking Claude Code would take longer than all the rest. Elsewhere it is asked, once.
 */
export function agentFinder({ environment, repository }: Workspace): (worktree: Worktree) => Promise<LiveAgent[]> {
  const lister = environment.platform === 'linux' ? { list: async () => [] } : new SessionLister(environment);
  return (worktree) => liveAgents(environment, lister, repository.commonDir, worktree);
}

/**
 * What agents do in each worktree, by its name, from what hooks have written down: a command that only looks does not wait for Claude
 * Code's own list. That the log cannot be read is no reason to show nothing at all.
 */
export async function agentsTold(
  { environment }: Workspace,
  { repository, worktrees }: Snapshot,
): Promise<ReadonlyMap<string, AgentsAtWork>> {
  try {
    return await agentsAtWork(environment, repository.commonDir, worktrees, []);
  } catch (thrown) {
    environment.log.warn(`What agents do could not be read: ${messageOf(thrown)}`);
    return new Map();
  }
}

/** The workflow that has claimed a worktree, where one has. */
export async function runIn(
  { environment, repository }: Workspace,
  { path, condition }: Worktree,
): Promise<RunFacts | undefined> {
  return condition === 'fine' ? runFactsOf(environment, repository.commonDir, path) : undefined;
}
