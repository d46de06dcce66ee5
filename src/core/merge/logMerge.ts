import { backupRefs, newOperation } from '../operations/operation.ts';
import { readOperations, rememberOperation } from '../operations/store.ts';
import { writing, type Merging } from './merging.ts';

/**
 * Writes a merge that is committed to the log, so that it can be undone; once, however often it is called.
 *
 * @returns the operation's id; `undefined` where no branch was merged into.
 */
export async function logMerge(merging: Merging, commit: string): Promise<string | undefined> {
  const { workspace, keeper, source, target } = merging;
  const { branch } = target;
  if (branch === undefined) return undefined;
  const there = (await readOperations(workspace)).find(
    ({ merged, moves }) => merged !== undefined && moves.some(({ to }) => to === commit),
  );
  if (there) return there.id;
  const { git } = workspace;
  const at = writing(merging);
  const from = (await git.text(['rev-parse', '--verify', `${commit}^1`], { cwd: at.cwd })).trim();
  const operation = newOperation(workspace, 'merge', `merge ${source.name} into ${branch}`);
  await git.text(['update-ref', `${backupRefs(operation.id)}/${branch}`, from, ''], at);
  await rememberOperation(workspace, {
    ...operation,
    state: 'done',
    moves: [{ branch, from, to: commit, worktrees: [] }],
    merged: {
      branch: source.branch,
      theirs: keeper.now.theirs,
      submodules: keeper.now.submodules
        .filter(({ fate }) => fate === 'merged' || fate === 'forwarded')
        .map(({ path }) => path),
    },
  });
  return operation.id;
}
