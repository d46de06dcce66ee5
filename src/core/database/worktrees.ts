import { realPathOf } from '../base/paths.ts';
import { readLog } from '../claude/decisionLog.ts';
import { readOperations } from '../operations/store.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { eventsOf, type AgentEvent } from './events.ts';
import type { DatabaseOwner } from './ownership.ts';

/** A worktree with a place for a database. */
export interface DatabaseWorktree extends DatabaseOwner {
  readonly branch: string | undefined;
  /** Its path is the real one, which worktree ids are made of. */
  readonly worktree: Worktree;
}

/** The worktrees that are there, the main one first. */
export async function databaseWorktrees({ worktrees }: Snapshot): Promise<DatabaseWorktree[]> {
  const there = await Promise.all(
    worktrees
      .filter(({ bare, condition }) => !bare && (condition === 'fine' || condition === 'moved'))
      .map(async (worktree) => ({ ...worktree, path: await realPathOf(worktree.path) })),
  );
  return there.map((worktree) => ({
    name: worktree.name,
    root: worktree.path,
    branch: worktree.branch,
    worktree,
    others: there.filter((each) => each !== worktree),
  }));
}

/** Reads what happened in worktrees, from the log of the hooks, the log of operations and the registry. */
export async function readEvents(
  workspace: Workspace,
  all: readonly DatabaseWorktree[],
): Promise<(of: DatabaseWorktree) => readonly AgentEvent[]> {
  const [log, operations] = await Promise.all([readLog(workspace.repository.commonDir), readOperations(workspace)]);
  const sources = { log, operations, worktrees: all.map(({ worktree }) => worktree) };
  return ({ worktree }) => eventsOf(sources, worktree);
}
