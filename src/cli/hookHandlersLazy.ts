import type { Environment } from '../core/base/environment.ts';
import { repairAgents } from '../core/claude/agentFiles.ts';
import type { HookAnswer } from '../core/claude/hookAnswer.ts';
import type { HookInput } from '../core/claude/hookInput.ts';
import type { Scope } from '../core/claude/scope.ts';
import { taskCompleted as judgeTask } from '../core/claude/taskCompleted.ts';
import type { FoundRoot } from '../core/claude/mainRoot.ts';
import { Git } from '../core/git/git.ts';
import { advanceLifecycle } from '../core/repository/lifecycle.ts';
import type { Programs } from '../core/repository/launchers.ts';
import { agentSubjects, followMoves } from '../core/relocation/followMoves.ts';
import { readSnapshot } from '../core/snapshot/snapshot.ts';
import { gateOfTask } from './hookChecks.ts';
import { openFor } from './hookWorktrees.ts';

/*
 * What hooks need rarely and what takes long to load: git, YAML, locks. It is in the bundle of `wt`, which the small
 * `hook.js` loads only then.
 */

export { createForClaude, removeForClaude } from './hookWorktrees.ts';

/** Answers the TaskCompleted hook. */
export function taskCompleted(environment: Environment, input: HookInput, scope: Scope): Promise<HookAnswer> {
  return judgeTask(environment, new Git(environment), input, scope, (of) => gateOfTask(environment, of));
}

/** Somebody works in a worktree: it is not only made any more. */
export async function beginWork(environment: Environment, { worktree, root }: WorktreeScope): Promise<void> {
  const { repository } = await openFor(environment, root.mainRoot, root);
  await advanceLifecycle(environment, repository, worktree.name, 'active');
}

/**
 * Makes what sessions read match the worktrees, wherever these were found: the registry, the state file, the generated agents and the
 * launchers that their guards start.
 */
export async function mendAgents(environment: Environment, root: FoundRoot, programs: Programs): Promise<void> {
  const workspace = await openFor(environment, root.mainRoot, root);
  const snapshot = await readSnapshot(workspace, { withChanges: false });
  await repairAgents(workspace, agentSubjects(snapshot));
  await followMoves(workspace, snapshot, { programs });
}

type WorktreeScope = Extract<Scope, { kind: 'worktree' }>;
