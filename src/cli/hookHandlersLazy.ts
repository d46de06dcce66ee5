import { repairAgents } from '../core/claude/agentFiles.ts';
import { taskCompleted } from '../core/claude/taskCompleted.ts';
import { Git } from '../core/git/git.ts';
import { agentSubjects, followMoves } from '../core/relocation/followMoves.ts';
import { advanceLifecycle } from '../core/repository/lifecycle.ts';
import { locate } from '../core/repository/identity.ts';
import { readRegistry } from '../core/repository/registry.ts';
import { copiedFrom, ensureStateDirectory, readStateDirectory } from '../core/repository/stateDirectory.ts';
import { readSnapshot } from '../core/snapshot/snapshot.ts';
import type { LazyHandlers } from './hookCall.ts';
import { checkTask } from './hookChecks.ts';
import { createForClaude, openFor, removeForClaude } from './hookWorktrees.ts';

/** The handlers that are in the bundle of `wt`, which the small `hook.js` loads only when it needs them. */
export const lazyHandlers: LazyHandlers = {
  createForClaude,
  removeForClaude,
  decideTask: (environment, input, scope) =>
    taskCompleted(new Git(environment), input, scope, (of) => checkTask(environment, of)),
  async beginWork(environment, root, { path, name }) {
    const { git, repository } = await openFor(environment, root.mainRoot, root);
    // Git's spelling of the root counts, as in `wt state context`.
    const { worktreeRoot = path } = await locate(git, path);
    const others = [...(await readRegistry(repository)).worktrees.values()].map((each) => each.path);
    // A copy of another worktree's state is for a person to remove.
    if (!(await copiedFrom(await readStateDirectory(worktreeRoot), [repository.mainRoot, ...others])))
      await ensureStateDirectory(worktreeRoot);
    if (name !== undefined) await advanceLifecycle(environment, repository, name, 'active');
  },
  async updateAgents(environment, root, programs) {
    const workspace = await openFor(environment, root.mainRoot, root);
    const snapshot = await readSnapshot(workspace, { withChanges: false });
    await repairAgents(workspace, agentSubjects(snapshot));
    await followMoves(workspace, snapshot, { programs });
  },
};
