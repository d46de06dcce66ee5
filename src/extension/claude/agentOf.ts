import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { agentFile } from '../../core/claude/agentFiles.ts';
import { agentNameOf } from '../../core/claude/knownWorktrees.ts';
import type { Worktree } from '../../core/worktree/model.ts';

/** The name of the agent that was made for a worktree, if a session that starts in it finds one. */
export async function agentOf(
  mainRoot: string,
  { path, slug }: Pick<Worktree, 'path' | 'slug'>,
): Promise<string | undefined> {
  const own = agentFile(path, slug);
  // A folder of agents in the worktree hides that of the main working tree.
  const file = (await isThere(dirname(own))) ? own : agentFile(mainRoot, slug);
  return (await isThere(file)) ? agentNameOf(slug) : undefined;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
