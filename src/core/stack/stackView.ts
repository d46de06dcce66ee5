import { naturalOrder } from '../base/naturalOrder.ts';
import type { RecordedPullRequest } from '../repository/registry.ts';
import { standingOf as recordedStanding, type Standing } from '../repository/standing.ts';
import { Distances, type DistanceCache } from '../snapshot/distances.ts';
import type { Distance } from '../worktree/model.ts';
import { tipsOf } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { StackGraph } from './graph.ts';
import type { BrokenEdge, StackBranch } from './model.ts';
import { readOperations } from '../operations/store.ts';
import type { Operation } from '../operations/operation.ts';
import type { StackState } from './readStack.ts';

/** A branch as it is shown in its stack. */
export interface ShownBranch extends StackBranch {
  /** The length of its chain: 1 is next to the trunk. */
  readonly position: number;
  /** Why its base cannot be followed. */
  readonly broken: BrokenEdge | undefined;
  /** Commits that only it has, and that only its base has; `undefined` when unknown. */
  readonly distance: Distance | undefined;
  /** Its base has commits that it does not have. */
  readonly needsRestack: boolean;
  readonly standing: Standing;
  readonly pullRequest: RecordedPullRequest | undefined;
  /** The operation that has stopped with it, or because of which it waits. */
  readonly stopped: Operation | undefined;
}

/** A base outside of the stacks, and the branches that are based on it. */
export interface ShownRoot {
  /** `undefined` for branches whose bases form a cycle. */
  readonly branch: string | undefined;
  readonly kind: 'trunk' | 'other' | 'gone' | 'cycle';
  /** Its dependents, direct or not: each right below its parent, depth 0 directly on the base. */
  readonly branches: readonly { readonly depth: number; readonly shown: ShownBranch }[];
}

/**
 * All stacks as they are shown: the trunk first, even without dependents, then other bases; those on the same base by their names. Apart from
 * that order it is linear in the number of branches.
 *
 * @param options.operations those that are remembered, where they have been read already.
 */
export async function viewStacks(
  workspace: Workspace,
  state: StackState,
  options: {
    readonly signal?: AbortSignal | undefined;
    readonly cache?: DistanceCache | undefined;
    readonly operations?: readonly Operation[] | undefined;
  } = {},
): Promise<readonly ShownRoot[]> {
  const { stack } = state;
  const [distances, operations] = await Promise.all([
    readDistances(workspace, state, options),
    options.operations ?? readOperations(workspace),
  ]);
  const stopped = stoppedBranches(operations);
  const shown = new Map<string, ShownBranch>();
  for (const branch of stack.branches.values()) {
    const parent = stack.parent(branch.branch);
    const position = (parent ? (shown.get(parent.branch)?.position ?? 0) : 0) + 1;
    const distance = distances.get(branch.branch);
    const pullRequest = branch.entry?.pr ?? undefined;
    shown.set(branch.branch, {
      ...branch,
      ...{ position, distance, pullRequest, broken: stack.broken(branch) },
      needsRestack: (distance?.behind ?? 0) > 0,
      standing: standingOf(branch, distance),
      stopped: stopped.get(branch.branch),
    });
  }
  return rootsOf(state, shown.values());
}

function rootsOf({ stack, branches }: StackState, shown: Iterable<ShownBranch>): ShownRoot[] {
  const graph = new StackGraph([...shown].sort((one, other) => naturalOrder.compare(one.name, other.name)));
  const bases = new Set(stack.trunk === undefined ? [] : [stack.trunk]);
  const rootless: ShownRoot['branches'][number][] = [];
  for (const each of graph.branches.values()) {
    if (each.broken === 'cycle' || each.base === undefined) rootless.push({ depth: 0, shown: each });
    else if (!graph.parent(each.branch)) bases.add(each.base);
  }
  const roots = [...bases].map((branch): ShownRoot => {
    const branches = graph.walk(branch).map(({ branch: each, depth }) => ({ depth, shown: each }));
    return { branch, kind: kindOf(branch), branches };
  });
  return rootless.length === 0 ? roots : [...roots, { branch: undefined, kind: 'cycle', branches: rootless }];

  function kindOf(branch: string): ShownRoot['kind'] {
    if (branch === stack.trunk) return 'trunk';
    const isThere = branches.local.has(branch) || graph.children(branch).some(({ baseExists }) => baseExists);
    return isThere ? 'other' : 'gone';
  }
}

async function readDistances(
  { git, repository, configuration }: Workspace,
  { stack, branches }: StackState,
  options: { readonly signal?: AbortSignal | undefined; readonly cache?: DistanceCache | undefined },
): Promise<Map<string, Distance>> {
  const { remote } = configuration.stack;
  const pairs = [...stack.branches.values()].flatMap(({ branch, tip, base }) => {
    const { local, remote: there } =
      base === undefined ? { local: undefined, remote: undefined } : tipsOf(branches, base, remote);
    const others = base === stack.trunk ? [there, local] : [local ?? there];
    return others.flatMap((other) => (other === undefined ? [] : [{ branch, one: tip, other }]));
  });
  const read = await Distances.read(git, repository.commonDir, pairs, options);
  const found = new Map<string, Distance>();
  for (const pair of pairs) {
    const distance = read.of(pair);
    const before = found.get(pair.branch);
    // Of trunk here and on the remote, the one that is further on counts.
    if (distance && (!before || distance.behind > before.behind)) found.set(pair.branch, distance);
  }
  return found;
}

/** The recorded standing, or merged where the history proves it. */
function standingOf({ entry, tip, baseCommit }: StackBranch, distance: Distance | undefined): Standing {
  const recorded = recordedStanding(entry, tip);
  if (recorded === 'merged') return 'merged';
  return distance?.ahead === 0 && baseCommit !== undefined && baseCommit !== tip ? 'merged' : recorded;
}

function stoppedBranches(operations: readonly Operation[]): Map<string, Operation> {
  const found = new Map<string, Operation>();
  for (const operation of operations) {
    if (operation.state !== 'stopped') continue;
    for (const branch of [operation.stop?.branch, ...operation.remaining])
      if (branch !== undefined) found.set(branch, operation);
  }
  return found;
}
