import { admit, type Removed } from '../core/remove/remove.ts';
import type { RemoveOptions } from '../core/remove/removeOptions.ts';
import type { Removal } from '../core/remove/inspect.ts';

/**
 * What a removal would do, in the shape of what it has done; what is backed up only it can tell.
 *
 * @throws Problem when it would not be removed.
 */
export function wouldRemove(removal: Removal, how: Pick<RemoveOptions, 'force' | 'drop'>): Removed {
  const { ignored } = admit(removal, how);
  const { worktree, branch, dependents, newBase } = removal;
  const from = worktree.branch;
  return {
    name: worktree.name,
    path: worktree.path,
    branchDeleted: branch?.decision === 'delete',
    ...(branch?.decision === 'keep' ? { branchKept: { name: branch.name, why: branch.why } } : {}),
    operation: undefined,
    backups: [],
    ignored: {
      kept: ignored.kept.length === 0 ? undefined : { folder: undefined, entries: ignored.kept },
      gone: ignored.gone.filter(({ size }) => size.closed === undefined),
      stuck: ignored.gone.filter(({ size }) => size.closed !== undefined),
    },
    dependents:
      from === undefined || newBase === undefined ? [] : dependents.map((name) => ({ name, from, to: newBase })),
    clearedActive: false,
    tasks: [],
    notes: [],
  };
}
