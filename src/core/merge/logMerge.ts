import { backupRefs, newOperation } from '../operations/operation.ts';
import { readOperations, rememberOperation } from '../operations/store.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { MergeData } from './mergeData.ts';
import type { MergeTarget } from './target.ts';

/**
 * Writes a merge that is committed to the log, so that it can be undone; once, however often it is called.
 *
 * @returns the operation's id; `undefined` where no branch was merged into.
 */
export async function logMerge(
  workspace: Workspace,
  { root, branch }: Pick<MergeTarget, 'root' | 'branch'>,
  { name, branch: merged, theirs, submodules }: MergeData,
  commit: string,
): Promise<string | undefined> {
  if (branch === undefined) return undefined;
  const there = (await readOperations(workspace)).find(
    (each) => each.merged !== undefined && each.moves.some(({ to }) => to === commit),
  );
  if (there) return there.id;
  const { git } = workspace;
  const from = (await git.text(['rev-parse', '--verify', `${commit}^1`], { cwd: root })).trim();
  const operation = newOperation(workspace, 'merge', `merge ${name} into ${branch}`);
  const ref = `${backupRefs(operation.id)}/${branch}`;
  await git.text(['update-ref', ref, from, ''], { cwd: root, writes: true });
  await rememberOperation(workspace, {
    ...operation,
    state: 'done',
    moves: [{ branch, from, to: commit, worktrees: [] }],
    merged: {
      branch: merged,
      theirs,
      submodules: submodules.filter(({ fate }) => fate === 'merged' || fate === 'forwarded').map(({ path }) => path),
    },
  });
  return operation.id;
}
