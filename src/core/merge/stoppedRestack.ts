import { Problem } from '../base/problem.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Operation } from '../operations/operation.ts';
import { isAbout, stoppedOperation } from '../restack/resume.ts';
import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { commandsOf, readUnderWay } from './underWay.ts';

/**
 * The restack that a person means who continues, skips or aborts one in a worktree. Something else that is under way there is not passed
 * over for a restack elsewhere.
 *
 * @throws Problem `in-use` that names the commands of what is under way there instead; otherwise as `stoppedOperation`.
 */
export async function stoppedRestackOf(workspace: Workspace, worktree: Worktree): Promise<Operation> {
  const { name, path, branch } = worktree;
  const underWay = await readUnderWay(workspace, worktree);
  const found = await stoppedOperation(workspace, branch).catch((thrown: unknown) => {
    if (underWay && Problem.is(thrown)) return undefined;
    throw thrown;
  });
  // A branch may wait for a restack while something else is under way in its worktree, unless that is a rebase of its own.
  const meant =
    !underWay || underWay.by === 'restack' || (underWay.operation !== 'rebase' && found && isAbout(found, branch));
  if (found && meant) return found;
  const { goOn, abort } = commandsOf(underWay ?? { by: 'git', operation: 'rebase' });
  const what =
    underWay?.by === 'merge'
      ? mergeMessages.mergeUnderWayIn({ merged: underWay.merge.name, name })
      : mergeMessages.begunWithGit({ operation: underWay?.operation ?? 'rebase', name });
  throw new Problem('in-use', what, {
    next: mergeMessages.continueItWith({ path, goOn, abort, operation: underWay?.operation ?? 'rebase' }),
    outcome: 'incomplete',
  });
}
