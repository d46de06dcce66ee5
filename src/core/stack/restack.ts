import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { Progress, Snapshot } from '../worktree/model.ts';
import type { Branches } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { applyBatch } from './apply.ts';
import { fetchBases } from './fetchBases.ts';
import type { PullRequests } from './pullRequestLookup.ts';
import { indexLockProblem } from './indexLock.ts';
import { newOperationId, readOperations, type Batch, type Operation, type Stop } from '../operations/operationLog.ts';
import type { BranchPlan, RestackPlan } from './plan.ts';
import { recordMerge } from '../lifecycle/outcome.ts';
import { planRestack } from './planRestack.ts';
import { readStack, type StackState } from './readStack.ts';
import { driveStop } from './pausedRebase.ts';
import { refuseRing, refuseStopped, selectBranches, stackedBranch } from './selection.ts';
import { verify } from './verify.ts';
import { wantedOf } from './wantedBranches.ts';
import { readPushRemotes } from '../git/pushRemotes.ts';

/** What a person asks for. */
export interface RestackWish {
  /** The worktree whose branch it is about. */
  readonly worktree: { readonly name: string; readonly branch: string | undefined; readonly main: boolean };
  /** Everything in its stack too, not only itself. */
  readonly wholeStack?: boolean | undefined;
  /** What it is to stand on from now on. */
  readonly onto?: string | undefined;
  /** The commit after which its own commits begin. */
  readonly since?: string | undefined;
  /** It is about the change of what stands on what: for the words in the log. */
  readonly move?: boolean | undefined;
}

/** How it is done. */
export interface RestackOptions {
  /** Ask neither the remote nor the host. */
  readonly offline?: boolean | undefined;
  readonly host?: PullRequests | undefined;
  /** What the remote has was fetched just now. */
  readonly fetched?: boolean | undefined;
  /** Read just now, for whoever has it. */
  readonly snapshot?: Snapshot | undefined;
  /** Likewise. */
  readonly allBranches?: Branches | undefined;
  /** For {@link planWish}: try whether each working tree could follow, as somebody who is shown the plan wants to know. Default false. */
  readonly tryTrees?: boolean | undefined;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a restack has done. */
export interface Restacked {
  /** Of each branch what became of it. Those that wait for a conflict further down are among them. */
  readonly branches: readonly BranchPlan[];
  /** As it is remembered; `undefined` when there was nothing to do. */
  readonly operation: Operation | undefined;
  /** Where it waits for a person. */
  readonly stop: Stop | undefined;
  readonly notes: readonly string[];
}

/**
 * Works out a restack and touches nothing but what is fetched from the remote.
 *
 * @throws Problem `usage`, `in-use` for a branch of an operation that has stopped, and whatever {@link planRestack} throws.
 */
export async function planWish(
  workspace: Workspace,
  wish: RestackWish,
  options: RestackOptions = {},
): Promise<RestackPlan> {
  const { signal, progress } = options;
  let state = await readStack(workspace, { signal, snapshot: options.snapshot, branches: options.allBranches });
  const branch = stackedBranch(state.stack, wish.worktree);
  const operations = await readOperations(workspace);
  const onto = wish.onto === undefined ? undefined : branchNamed(state, wish.onto);
  if (onto !== undefined) refuseRing(state.stack, branch, onto);
  let fetched: string | undefined;
  if (!options.offline && !options.fetched) {
    progress?.('Asking the remote for news');
    const names = selectBranches(state.stack, branch.branch, { wholeStack: wish.wholeStack ?? false, onto });
    const { git, repository, configuration } = workspace;
    const from = { configured: configuration.stack.remote, tracked: state.branches.remote.oids.keys() };
    const remotes = await readPushRemotes(git, repository.commonDir, names, from, signal);
    const wanted = wantedOf(workspace, state, names, onto, remotes);
    fetched = (await fetchBases(workspace, state, signal, wanted)).sentence;
    // With other news than commits, such as another name of the trunk, what was read before does not hold.
    state = await readStack(workspace, { signal, snapshot: fetched === undefined ? state.snapshot : undefined });
  }
  const { since, wholeStack = false } = wish;
  const branches = selectBranches(state.stack, branch.branch, { wholeStack, onto });
  refuseStopped(operations, branches);
  progress?.('Trying it in memory');
  const host = options.offline ? undefined : options.host;
  const plan = await planRestack(
    workspace,
    state,
    {
      branches,
      ...(onto === undefined ? {} : { onto }),
      ...(since === undefined ? {} : { since }),
      subject: branch.branch,
    },
    {
      host,
      operations,
      progress,
      signal,
      tryTrees: options.tryTrees ?? false,
      fetch: !options.offline,
      takeOver: true,
    },
  );
  return fetched === undefined ? plan : { ...plan, notes: [fetched, ...plan.notes] };
}

/** Whether carrying a plan out would do anything: move a branch, change what the registry says, or stop at a conflict. */
export function changesAnything({ branches }: RestackPlan): boolean {
  const { moves, entries, stop } = batchOf(branches);
  return moves.length > 0 || entries.length > 0 || stop !== undefined;
}

/**
 * Carries a plan out: all branches that can move and their worktrees in one transaction; then the first one that conflicts is rebased by
 * git in its own worktree, where it stops for a person.
 *
 * @throws Problem `dirty` or `in-use` when something has changed since the plan was made: nothing has moved then.
 */
export async function restack(
  workspace: Workspace,
  wish: RestackWish,
  plan: RestackPlan,
  options: RestackOptions = {},
): Promise<Restacked> {
  try {
    return await carryOut(workspace, wish, plan, options);
  } catch (thrown) {
    if (options.tryTrees || !Problem.is(thrown, 'dirty')) throw thrown;
    // A tree that cannot follow has shown itself, and nothing has moved: now it is worth asking each of them beforehand.
    const now = { snapshot: undefined, allBranches: undefined, fetched: true, tryTrees: true };
    const again = await planWish(workspace, wish, { ...options, ...now });
    return carryOut(workspace, wish, { ...again, notes: plan.notes }, options);
  }
}

async function carryOut(
  workspace: Workspace,
  wish: RestackWish,
  plan: RestackPlan,
  options: RestackOptions,
): Promise<Restacked> {
  // Another git command is at work there, or has died: whatever it is, the stack is not to be moved around it.
  for (const { name, lock, places } of plan.branches) {
    const place = places.find(({ gitDir }) => lock?.file === join(gitDir, 'index.lock'));
    if (lock && place) throw indexLockProblem(place, lock, `${name} was not rebased, and nothing was moved`);
  }
  const notes = [...plan.notes, ...(await noteLanded(workspace, plan))];
  if (!changesAnything(plan)) return { branches: plan.branches, operation: undefined, stop: undefined, notes };
  const batch = batchOf(plan.branches);
  const kind = wish.move ? 'move' : 'rebase';
  const operation: Operation = {
    version: 1,
    id: newOperationId(workspace, kind),
    kind,
    title: titleOf(wish, plan),
    started: workspace.environment.now().toISOString(),
    state: 'applying',
    ...{ moves: [], entries: [], remaining: [] },
  };
  options.progress?.('Moving branches and worktrees');
  const applied = await applyBatch(workspace, operation, batch);
  await verify(workspace, plan.branches);
  const all = [...notes, ...(applied.notes ?? [])];
  return goOn(workspace, applied, { branches: plan.branches, notes: all, ...options });
}

/** The registry is to know of branches that were found in the trunk. */
async function noteLanded(workspace: Workspace, { branches, state }: RestackPlan): Promise<string[]> {
  const { trunk } = state.stack;
  const warnings: string[] = [];
  for (const { branch, from, outcome } of branches)
    if (outcome === 'landed' && trunk !== undefined)
      warnings.push(...(await recordMerge(workspace, { branch, head: from, into: trunk })));
  return warnings;
}

/**
 * Goes on with an operation until it is done or stops for a person.
 *
 * @param about.branches what is known of its branches so far.
 */
export async function goOn(
  workspace: Workspace,
  operation: Operation,
  about: RestackOptions & { readonly branches: readonly BranchPlan[]; readonly notes: readonly string[] },
): Promise<Restacked> {
  const known = new Map(about.branches.map((plan) => [plan.branch, plan]));
  const notes = [...about.notes];
  let at = operation;
  for (;;) {
    if (at.stop) {
      about.progress?.(`Rebasing ${at.stop.name} in its worktree`);
      const driven = await driveStop(workspace, at, 'start', about.signal);
      at = driven.operation;
      const stop = driven.givenUp ? at.stop : driven.stopped;
      if (stop) return { branches: [...known.values()], operation: at, stop, notes };
      const finished = driven.finished && known.get(driven.finished.branch);
      if (finished && driven.finished)
        known.set(finished.branch, {
          ...finished,
          outcome: 'moves',
          to: driven.finished.to,
          files: [],
          why: undefined,
        });
    }
    if (at.remaining.length === 0) return { branches: [...known.values()], operation: at, stop: undefined, notes };
    const state = await readStack(workspace, { signal: about.signal });
    const host = about.offline ? undefined : about.host;
    const branches = at.remaining.filter((branch) => state.stack.branches.has(branch));
    const operations = await readOperations(workspace);
    const plan = await planRestack(
      workspace,
      state,
      { branches },
      {
        ...{ host, operations, signal: about.signal, fetch: !about.offline, takeOver: true },
      },
    );
    for (const each of plan.branches) known.set(each.branch, each);
    for (const note of plan.notes) if (!notes.includes(note)) notes.push(note);
    at = await applyBatch(workspace, at, batchOf(plan.branches));
    await verify(workspace, plan.branches);
  }
}

/** A base may also be named by its worktree. */
function branchNamed({ stack, branches }: StackState, word: string): string {
  if (branches.local.has(word)) return word;
  return (
    [...stack.branches.values()].find(({ name, entryName }) => name === word || entryName === word)?.branch ?? word
  );
}

/** What of a plan can be done at once, and where it stops then. */
function batchOf(plans: readonly BranchPlan[]): Batch {
  const moving = plans.filter(({ outcome }) => outcome === 'moves');
  const settled = plans.filter(({ outcome }) => outcome === 'moves' || outcome === 'current');
  const conflicts = plans.filter(({ outcome }) => outcome === 'conflict');
  const [first] = conflicts;
  const waits = first
    ? plans.filter(({ outcome, branch }) => outcome === 'waits' || (outcome === 'conflict' && branch !== first.branch))
    : [];
  return {
    moves: moving.map(({ branch, from, to, places }) => ({ branch, from, to, worktrees: places })),
    entries: settled.map(({ entry }) => entry).filter((entry) => entry !== undefined),
    ...(first ? { stop: stopAt(first) } : {}),
    remaining: waits.map(({ branch }) => branch),
  };
}

function stopAt(plan: BranchPlan): Stop {
  const [place] = plan.places;
  const { branch, name, from, merges, files, unsigned, entry } = plan;
  return {
    ...{ branch, name, from, merges, files, unsigned, entry },
    path: place?.path ?? '',
    gitDir: place?.gitDir ?? '',
    onto: plan.onto ?? '',
    upstream: plan.upstream ?? '',
    started: false,
  };
}

function titleOf({ worktree, wholeStack, onto, move }: RestackWish, { branches, state }: RestackPlan): string {
  const subject = branches.find(({ branch }) => branch === worktree.branch);
  const target = onto ?? subject?.baseLabel ?? state.stack.trunk ?? '';
  const bottom = branches[0];
  if (move) return `move ${worktree.name} onto ${target}`;
  if (wholeStack) return `rebase the stack of ${worktree.name} onto ${onto ?? bottom?.baseLabel ?? target}`;
  return `rebase ${worktree.name} onto ${target}`;
}
