import { Problem } from '../base/problem.ts';
import { mergePairs, type TriedMerge } from '../git/mergePairs.ts';
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
  let base = source.head;
  const merge = async (ours: string, theirs: string): Promise<Pick<TriedMerge, 'clean' | 'tree' | 'files'>> => {
    if (ours === source.headTree || ours === theirs) return { clean: true, tree: theirs, files: [] };
    if (theirs === source.headTree) return { clean: true, tree: ours, files: [] };
    base ??= await commit(source.headTree);
    const pair = { one: await commit(ours, base), other: await commit(theirs, base) };
    const [merged] = await mergePairs(repo, [pair], { settings, signal });
    if (!merged) throw new Error('two commits on one base have no common commit');
    return merged;
  };
  const work = await merge(ground.state.work, source.state.work);
  const isSame = source.state.work === source.state.index && ground.state.work === ground.state.index;
  const index = isSame ? work : await merge(ground.state.index, source.state.index);
  const names = { from: source.place.name, to: ground.place.name };
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
