import { samePlace } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import type { Message } from '../messages/message.ts';
import type { Worktree } from '../worktree/model.ts';
import { programVariables } from '../worktree/programVariables.ts';
import type { WorktreeVariables } from '../worktree/variables.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { readSnapshot } from './snapshot.ts';

/** The worktree whose root a folder is; `undefined` where there is none, or it cannot be found out. */
export async function worktreeAt(workspace: Workspace, root: string): Promise<Worktree | undefined> {
  try {
    const { worktrees } = await readSnapshot(workspace, { withChanges: false });
    for (const each of worktrees) if (await samePlace(each.path, root)) return each;
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
  }
  return undefined;
}

/** The variables of the worktree whose root a folder is ({@link programVariables}); none where it is no worktree. */
export async function variablesAt(
  workspace: Workspace,
  root: string,
  warn?: (note: Message) => void,
): Promise<WorktreeVariables> {
  const worktree = await worktreeAt(workspace, root);
  return worktree ? programVariables(workspace, worktree, warn) : {};
}
