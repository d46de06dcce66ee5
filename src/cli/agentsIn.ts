import { SessionLister } from '../core/claude/claudeSessions.ts';
import { liveAgents, type LiveAgent } from '../core/claude/liveAgents.ts';
import type { Worktree } from '../core/worktrees/model.ts';
import type { Workspace } from '../core/worktrees/workspace.ts';

/**
 * Finds the agents that live in a worktree. On Linux from what hooks have written down: sessions that were started there show by where
 * their process stands, and asking Claude Code would take longer than all the rest. Elsewhere it is asked, once.
 */
export function agentFinder({ environment, repository }: Workspace): (worktree: Worktree) => Promise<LiveAgent[]> {
  const lister = environment.platform === 'linux' ? { list: async () => [] } : new SessionLister(environment);
  return (worktree) => liveAgents(environment, lister, repository.commonDir, worktree);
}
