/** A pull request as a plan sees it. Branches of a fork are named `owner:branch`, those of the repository by their name alone. */
export interface PlanPull {
  readonly number: number;
  readonly head: string;
  /** What it is into now. */
  readonly base: string;
  /** What it is to be into in the end; without one it stays where it is, unless that would be its end. */
  readonly wish?: string | undefined;
  /** GitHub lets nobody change its base (it is in one of its own stacks), or it is not ours to change. */
  readonly fixed?: boolean | undefined;
  /** It was closed when its base was deleted, and is to be open again: the commit that the base had then. */
  readonly closedAt?: string | undefined;
}

/** Pull requests as people are told of them: `#3 (b into a), #4 (c into b)`. */
export function namesOf(pulls: readonly PlanPull[]): string {
  return pulls.map(({ number, head, base }) => `#${number} (${head} into ${base})`).join(', ');
}

/** A branch that is to be pushed. */
export interface PlanPush {
  readonly ref: string;
  readonly to: string;
}

/** What is there before the first request, and what there is to be after the last one. */
export interface PlanSituation {
  /** The last commits of the branches on the remote now. */
  readonly refs: ReadonlyMap<string, string>;
  /** Each after its base. */
  readonly pushes: readonly PlanPush[];
  readonly pulls: readonly PlanPull[];
  /** New pull requests. */
  readonly creations: readonly { readonly head: string; readonly base: string }[];
  /** Branches that an earlier run has brought back for a moment: they go again, once nothing is into them. */
  readonly restored?: readonly string[] | undefined;
  /** Where a pull request is safe while what it is into moves. */
  readonly trunk: string | undefined;
  /** Whether the first commit is the second one, or in its history. */
  readonly contains: (commit: string, of: string) => boolean;
}

/** One thing that is asked of GitHub or of git. */
export type PlanStep =
  /** A branch comes back for a moment, since what was closed with it can be opened again only while it is there. */
  | { readonly kind: 'restore'; readonly ref: string; readonly to: string }
  | { readonly kind: 'reopen'; readonly number: number }
  | { readonly kind: 'base'; readonly number: number; readonly from: string; readonly to: string }
  /** Several branches in one go, which arrive in whatever order. */
  | { readonly kind: 'push'; readonly pushes: readonly PlanPush[] }
  | { readonly kind: 'create'; readonly head: string; readonly base: string }
  | { readonly kind: 'delete'; readonly ref: string };

/** A plan in which no pull request is ever contained in its base, which GitHub would take for a merge. */
export interface BasePlan {
  readonly steps: readonly PlanStep[];
  /** Branches that are not pushed: they have no commits of their own any more, and a pull request that is open. */
  readonly held: readonly string[];
  /** Pull requests that do not get the base that they were to have. */
  readonly stays: readonly { readonly number: number; readonly base: string }[];
  /** Closed pull requests that cannot be opened again. */
  readonly lost: readonly number[];
}

/** There is no such plan. */
export interface NoPlan {
  /** The pull requests that nothing can be done for, each with what it is into. */
  readonly stuck: readonly PlanPull[];
}
