import { readRegistry } from '../repository/registry.ts';
import type { Snapshot } from '../worktree/model.ts';
import { readSnapshot, type SnapshotSources } from '../snapshot/snapshot.ts';
import { readAllBranches, type Branches } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { buildStack, type Stack } from './model.ts';

/** The stacks of a repository, and what they were put together from. */
export interface StackState {
  readonly stack: Stack;
  readonly snapshot: Snapshot;
  readonly branches: Branches;
}

/**
 * Reads the stacks of a repository as they are now. A snapshot that is read for it has neither changes nor last commits.
 *
 * @param options.snapshot a fresh one, if there is one; likewise `options.branches`.
 * @throws Problem `unreadable-file` for the registry: the bases are unknown without it.
 */
export async function readStack(
  workspace: Workspace,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly snapshot?: Snapshot | undefined;
    readonly branches?: Branches | undefined;
  } = {},
): Promise<StackState> {
  const { repository, configuration } = workspace;
  const { signal } = options;
  // A snapshot that is read here has read the branches too.
  let seen = options.branches;
  const onSources = (sources: SnapshotSources): void => void (seen ??= sources.branches);
  const [snapshot, registry] = await Promise.all([
    options.snapshot ?? readSnapshot(workspace, { signal, withChanges: false, withCommits: false, onSources }),
    readRegistry(repository),
  ]);
  const branches = seen ?? (await readAllBranches(workspace, signal));
  const stack = buildStack(snapshot, branches, registry.worktrees, configuration.stack.remote);
  return { stack, snapshot, branches };
}
