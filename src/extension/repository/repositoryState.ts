import type { Problem } from '../../core/base/problem.ts';
import type { Sharing } from '../../core/github/sharing.ts';
import type { PullRequestStatus } from '../../core/github/status.ts';
import type { PredictedConflict } from '../../core/restack/predict.ts';
import type { UnderWay } from '../../core/merge/underWay.ts';
import type { Operation } from '../../core/operations/operation.ts';
import type { StackState } from '../../core/stack/readStack.ts';
import type { ShownBranch, ShownRoot } from '../../core/stack/stackView.ts';
import type { Snapshot, Worktree } from '../../core/worktree/model.ts';
import type { Agents } from '../claude/agentWatch.ts';

/** What is known of the stacks of a repository at one moment. */
export interface StackFacts {
  /** What they were put together from. */
  readonly state: StackState;
  /** As they are drawn: trunk first. */
  readonly roots: readonly ShownRoot[];
  /** The stacked branches by name. */
  readonly branches: ReadonlyMap<string, ShownBranch>;
  /** The restacks that have stopped. */
  readonly stopped: readonly Operation[];
  /** Whether there is an operation that can be undone, and one that was undone and can be redone. */
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The kinds of operations that were completed here, undone or not. */
  readonly done: ReadonlySet<Operation['kind']>;
}

/** What is known of the pull requests of a repository at one moment. */
export interface PullRequestsKnown {
  /** GitHub's last answers, by number. */
  readonly statuses: ReadonlyMap<number, PullRequestStatus>;
  /** The names of the worktrees whose pull requests this window watches. */
  readonly watched: ReadonlySet<string>;
}

/** What is known of one repository at one moment. Never changes. */
export interface RepositoryState {
  readonly snapshot: Snapshot;
  /** Every working tree, in the order in which people want to see them. */
  readonly worktrees: readonly Worktree[];
  /** The paths of those that this window has open, its first folder's first. */
  readonly here: readonly string[];
  /** The paths of those whose work is done and whose removal is offered. */
  readonly finished: ReadonlySet<string>;
  /** What agents do, by the name of the worktree. */
  readonly agents: Agents;
  /** The branches and their bases; `undefined` while they are not known. */
  readonly stacks: StackFacts | undefined;
  /** Predicted conflicts, as of the last prediction; see predictions.ts. */
  readonly predicted: readonly PredictedConflict[];
  readonly pullRequests: PullRequestsKnown;
  /** What is under way in worktrees, by their paths. */
  readonly underWay: ReadonlyMap<string, UnderWay>;
  /** Nothing of this window was changing the repository when it was read: what is under way waits for a person. */
  readonly settled: boolean;
  /** Where its branches can be shared; `undefined` until that is known. */
  readonly sharing: Sharing | undefined;
  /** How many changed files wait to be reviewed where agents are done, by the name of the worktree. */
  readonly toReview: ReadonlyMap<string, number>;
  /** A Claude session is led to the active worktree: Claude Code is there, with our plugin. */
  readonly leadsClaude: boolean;
  /** What could not be read. */
  readonly problems: readonly Problem[];
}

/** The state of a model: what is known, and why the last reading failed if it did. */
export interface ModelState {
  /** `undefined` until the repository was read for the first time; after a failure what was known before. */
  readonly known: RepositoryState | undefined;
  readonly problem: Problem | undefined;
}

/** What a reading of the repository gives. */
export type Reading = Omit<RepositoryState, keyof ToldLater>;

/** What is not read with the snapshot, but told when it is known. */
type ToldLater = Pick<RepositoryState, 'predicted' | 'pullRequests' | 'sharing' | 'toReview' | 'leadsClaude'>;

/** Everything that can happen to the state of a model. */
export type StateChange =
  | { readonly kind: 'read'; readonly reading: Reading }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'agents'; readonly agents: Agents }
  | { readonly kind: 'predicted'; readonly predicted: readonly PredictedConflict[] }
  | { readonly kind: 'sharing'; readonly sharing: Sharing }
  | { readonly kind: 'toReview'; readonly toReview: ReadonlyMap<string, number> }
  | { readonly kind: 'leadsClaude'; readonly leadsClaude: boolean }
  | { readonly kind: 'pullRequests'; readonly pullRequests: Partial<PullRequestsKnown> };

/** Before anything was read or asked. */
export const nothingKnown: ModelState = { known: undefined, problem: undefined };
export const noPullRequests: PullRequestsKnown = { statuses: new Map(), watched: new Set() };
const nothingTold: ToldLater = {
  predicted: [],
  pullRequests: noPullRequests,
  sharing: undefined,
  toReview: new Map(),
  leadsClaude: false,
};

/** The conflicts between worktrees that are there: one that was removed meanwhile conflicts with nothing. The very same array where all are. */
function ofThose(
  predicted: readonly PredictedConflict[],
  { worktrees }: Pick<RepositoryState, 'worktrees'>,
): readonly PredictedConflict[] {
  const names = new Set(worktrees.map(({ name }) => name));
  const there = predicted.filter(
    ({ worktree, with: other, kind }) => names.has(worktree) && (kind === 'base' || names.has(other)),
  );
  return there.length === predicted.length ? predicted : there;
}

/** The state after a change; the very same object when nothing changes. Before the first reading nothing else counts. */
export function stateAfter(before: ModelState, change: StateChange): ModelState {
  const { known } = before;
  switch (change.kind) {
    case 'read': {
      const { predicted, pullRequests, sharing, toReview, leadsClaude } = known ?? nothingTold;
      const told: ToldLater = {
        pullRequests,
        sharing,
        toReview,
        leadsClaude,
        predicted: ofThose(predicted, change.reading),
      };
      return { known: { ...change.reading, ...told }, problem: undefined };
    }
    case 'failed':
      return { known, problem: change.problem };
    case 'agents':
      return known ? { ...before, known: { ...known, agents: change.agents } } : before;
    case 'predicted': {
      const predicted = known && ofThose(change.predicted, known);
      if (!known || !predicted || JSON.stringify(predicted) === JSON.stringify(known.predicted)) return before;
      return { ...before, known: { ...known, predicted } };
    }
    case 'sharing':
      if (!known || change.sharing === known.sharing) return before;
      return { ...before, known: { ...known, sharing: change.sharing } };
    case 'toReview':
      if (!known || JSON.stringify([...change.toReview]) === JSON.stringify([...known.toReview])) return before;
      return { ...before, known: { ...known, toReview: change.toReview } };
    case 'leadsClaude':
      if (!known || change.leadsClaude === known.leadsClaude) return before;
      return { ...before, known: { ...known, leadsClaude: change.leadsClaude } };
    case 'pullRequests':
      if (!known) return before;
      return { ...before, known: { ...known, pullRequests: { ...known.pullRequests, ...change.pullRequests } } };
  }
}
