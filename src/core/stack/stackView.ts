import type { RecordedPullRequest } from '../repository/registry.ts';
import { standingOf as recordedStanding, type Standing } from '../repository/standing.ts';
import { Distances, type DistanceCache } from '../snapshot/distances.ts';
import type { Distance } from '../worktree/model.ts';
import { tipsOf } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { StackBranch } from './model.ts';
import { readOperations } from '../operations/store.ts';
import type { Operation } from '../operations/operation.ts';
import type { StackState } from './readStack.ts';

/** A branch as it is shown in its stack. */
export interface ShownBranch extends StackBranch {
  /** How many stacked branches it stands on, one over the other, itself counted: 1 is next to the trunk. */
  readonly position: number;
  /** Commits that only it has, and that only its base has; `undefined` when unknown. */
  readonly distance: Distance | undefined;
  /** Its base has commits that it does not have. */
  readonly needsRestack: boolean;
  readonly standing: Standing;
  readonly pullRequest: RecordedPullRequest | undefined;
  /** The operation that has stopped with it, or because of which it waits. */
  readonly stopped: Operation | undefined;
}

/** A branch that stacks stand on, and what stands on it. */
export interface ShownRoot {
  /** The branch; `undefined` for branches whose bases form a ring. */
  readonly branch: string | undefined;
  readonly kind: 'trunk' | 'other' | 'gone' | 'ring';
  /** Its stacked branches: each with its depth, 0 first, right behind the one that it stands on. */
  readonly branches: readonly { readonly depth: number; readonly shown: ShownBranch }[];
}

/**
 * All stacks as they are shown: trunk first, whatever stands there or not, then other bases. Linear in the number of branches.
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
  const positions = new Map<string, number>();
  const shown = new Map<string, ShownBranch>();
  for (const branch of stack.branches.values()) {
    const position = (branch.parent === undefined ? 0 : (positions.get(branch.parent) ?? 0)) + 1;
    positions.set(branch.branch, position);
    const distance = distances.get(branch.branch);
    const pullRequest = branch.entry?.pr ?? undefined;
    shown.set(branch.branch, {
      ...branch,
      ...{ position, distance, pullRequest },
      needsRestack: (distance?.behind ?? 0) > 0,
      standing: standingOf(branch, distance),
      stopped: stopped.get(branch.branch),
    });
  }
  return roots(state, shown);
}

function roots({ stack, branches }: StackState, shown: ReadonlyMap<string, ShownBranch>): ShownRoot[] {
  const bottoms = new Map<string | undefined, string[]>();
  if (stack.trunk !== undefined) bottoms.set(stack.trunk, []);
  for (const { branch, parent, base, broken } of shown.values()) {
    if (parent !== undefined) continue;
    const root = broken === 'cycle' ? undefined : base;
    const same = bottoms.get(root);
    if (same) same.push(branch);
    else bottoms.set(root, [branch]);
  }
  return [...bottoms].map(([root, all]) => ({
    branch: root,
    kind: root === undefined ? 'ring' : root === stack.trunk ? 'trunk' : kindOf(root),
    branches: all.flatMap((bottom) => below(bottom)),
  }));

  function kindOf(branch: string): 'other' | 'gone' {
    const isThere =
      branches.local.has(branch) || [...shown.values()].some((each) => each.base === branch && each.broken !== 'gone');
    return isThere ? 'other' : 'gone';
  }

  function below(bottom: string): { depth: number; shown: ShownBranch }[] {
    const found: { depth: number; shown: ShownBranch }[] = [];
    const waiting = [{ branch: bottom, depth: 0 }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const each = shown.get(next.branch);
      if (each) found.push({ depth: next.depth, shown: each });
      for (const child of [...(stack.children.get(next.branch) ?? [])].reverse())
        waiting.push({ branch: child, depth: next.depth + 1 });
    }
    return found;
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

/** What the registry says, and what the history says for certain. */
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
