import { Problem } from '../base/problem.ts';
import { mergePairs } from '../git/mergePairs.ts';
import { carryMessages } from '../messages/carry.ts';
import type { WorkState } from '../operations/operation.ts';
import { author } from '../remove/backupTree.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { UncommittedWork } from './readWork.ts';

/** A new file stays where it is, also when the other side has renamed its folder: git would call that a conflict. */
const settings = ['-c', 'merge.directoryRenames=false'];

/** What is in a worktree that work is carried to. */
export type Ground = Pick<UncommittedWork, 'state'> & {
  readonly place: { readonly name: string; readonly path: string };
};

/**
 * Merges uncommitted work onto what there is in another worktree, three-way, with the commit that the work stands on as the base: the
 * files, and what is staged by itself. Nothing but git's object store changes.
 *
 * @returns the state of the other worktree afterwards.
 * @throws Problem `conflicts` that names the files.
 */
export async function mergeWork(
  workspace: Workspace,
  source: UncommittedWork,
  ground: Ground,
  signal?: AbortSignal,
): Promise<WorkState> {
  const { git, repository } = workspace;
  const repo = git.in(repository.commonDir);
  const commit = async (tree: string, ...parents: string[]): Promise<string> => {
    const args = ['commit-tree', tree, ...parents.flatMap((each) => ['-p', each]), '-m', 'Uncommitted work'];
    return (await repo.text(args, { writes: true, signal, variables: author })).trim();
  };
  const base = source.head ?? (await commit(source.headTree));
  const [work, index] = await mergePairs(
    repo,
    [
      { one: await commit(ground.state.work, base), other: await commit(source.state.work, base) },
      { one: await commit(ground.state.index, base), other: await commit(source.state.index, base) },
    ],
    { settings, signal },
  );
  const names = { from: source.place.name, to: ground.place.name };
  if (!work || !index) throw new Error('two commits on one base have no common commit');
  if (!work.clean) {
    throw new Problem('conflicts', carryMessages.wouldConflict(names), {
      next: carryMessages.commitAndRebase({ path: source.place.path }),
      items: [...work.files].sort(),
      outcome: 'incomplete',
    });
  }
  if (!index.clean) {
    throw new Problem('conflicts', carryMessages.stagedWouldConflict(names), {
      next: carryMessages.unstageFirst({ path: source.place.path }),
      items: [...index.files].sort(),
      outcome: 'incomplete',
    });
  }
  return { work: work.tree, index: index.tree, intent: [], bytes: [] };
}
