import { naturalOrder } from '../base/naturalOrder.ts';
import { hostFactsOf, type HostFacts } from '../repository/hostFacts.ts';
import type { Activity } from '../claude/agentStates.ts';
import { standingOf, type Standing } from '../repository/standing.ts';
import type { Condition, Distance, GitOperation, Worktree } from '../worktree/model.ts';

/**
 * One thing that a person wants to know of a worktree at a glance. The tree, the pickers and `wt list` all show these, in the
 * same order and each in its own words.
 */
export type Fact =
  | { readonly kind: 'operation'; readonly operation: GitOperation }
  | { readonly kind: 'condition'; readonly condition: Exclude<Condition, 'fine'> }
  | { readonly kind: 'trouble'; readonly why: string }
  | { readonly kind: 'conflicts'; readonly count: number }
  /** A restack has stopped: with this branch (`at` is `undefined`), or with the worktree that it waits for. */
  | { readonly kind: 'restack-stopped'; readonly at: string | undefined }
  | { readonly kind: 'base-gone'; readonly base: string }
  /** The bases of this branch and of others form a cycle. */
  | { readonly kind: 'cycle'; readonly base: string }
  /** What it would conflict with if the two were merged now, the other with most files first; `files` counts each path once. */
  | { readonly kind: 'predicted'; readonly with: readonly string[]; readonly files: number }
  | { readonly kind: 'needs-restack' }
  /** So many branches of the stack that begins here need a restack. */
  | { readonly kind: 'stack-needs-restack'; readonly count: number }
  | { readonly kind: 'shared-branch'; readonly others: readonly string[] }
  /** `reason` is empty when none was given. */
  | { readonly kind: 'locked'; readonly reason: string }
  | { readonly kind: 'agent'; readonly activity: Activity }
  /** An agent is done, and nobody has reviewed what it changed. */
  | { readonly kind: 'to-review'; readonly count: number }
  /** How often agents that are there now were refused something. */
  | { readonly kind: 'denied'; readonly count: number }
  | { readonly kind: 'changes'; readonly count: number }
  /** `distance` is `undefined` when it is not known. */
  | { readonly kind: 'base'; readonly base: string; readonly distance: Distance | undefined }
  /** `head` is the commit, `undefined` before the first one. */
  | { readonly kind: 'detached'; readonly head: string | undefined }
  /** Only where the branch is not called like the worktree. */
  | { readonly kind: 'branch'; readonly branch: string }
  /** Only some of its files are to be there. */
  | { readonly kind: 'sparse' }
  | { readonly kind: 'upstream-gone'; readonly upstream: string }
  /** Only where the two differ. */
  | { readonly kind: 'upstream'; readonly upstream: string; readonly distance: Distance }
  /** `standing` where it is merged (here, or by the host's word alone), closed, or waits in a queue. */
  | {
      readonly kind: 'pull-request';
      readonly number: number;
      readonly standing?: 'merged' | 'unproven' | 'closed' | 'queued';
      /** What the host keeps of one that is not over. */
      readonly host?: HostFacts;
    }
  /** Its work was merged, without a pull request. */
  | { readonly kind: 'merged' };

/** The facts that call for a person, whatever else is going on. */
const troubles: ReadonlySet<Fact['kind']> = new Set([
  'condition',
  'trouble',
  'conflicts',
  'base-gone',
  'cycle',
  'shared-branch',
]);

/** What facts need to know of the agents in a worktree. */
export interface AgentsInShort {
  readonly activity: Activity | undefined;
  readonly denied: number;
  /** How many changed files wait to be reviewed, now that the agents are done; `undefined` where that is not known. */
  readonly toReview?: number | undefined;
}

/** Whether agents are done, and what they changed is still to be reviewed. */
export function isToReview(agents: AgentsInShort | undefined): boolean {
  return (agents?.toReview ?? 0) > 0 && agents?.activity !== 'waiting' && agents?.activity !== 'working';
}

/** What facts need to know of the place of a worktree's branch in its stack. */
export interface StackInShort {
  /** Its branch is one of a stack; a worktree without a branch may be in conflict with others as well. */
  readonly stacked: boolean;
  /** Its base has commits that it does not have. */
  readonly needsRestack: boolean;
  /** Its base, when that is, over others, itself. */
  readonly cycle: string | undefined;
  /**
   * Set on the branch next to the trunk where branches of its stack need a restack and none has stopped: how many, itself included.
   * A restack begins there.
   */
  readonly toRestack?: number;
  /** A restack has stopped with it, or with the worktree that it waits for. */
  readonly stopped: { readonly here: boolean; readonly at: string } | undefined;
  /** What it would conflict with if the two were merged now. */
  readonly predicted: readonly { readonly with: string; readonly files: readonly string[] }[];
}

/**
 * What there is to say of a worktree, the most pressing first: an agent that waits, an operation under way and what is wrong, work to review,
 * conflicts that are coming, a restack that is due, agents, changes, ahead and behind, the pull request.
 *
 * @param agents where that is known.
 * @param stack likewise.
 */
export function factsOf(worktree: Worktree, agents?: AgentsInShort, stack?: StackInShort): Fact[] {
  const { operation, condition, trouble, changes, base, branch, upstream, lockReason } = worktree;
  const facts: Fact[] = [];
  const isWaiting = agents?.activity === 'waiting';
  const toReview = isToReview(agents);
  if (isWaiting) facts.push({ kind: 'agent', activity: 'waiting' });
  if (stack?.stopped) facts.push({ kind: 'restack-stopped', at: stack.stopped.here ? undefined : stack.stopped.at });
  // The rebase of a restack that has stopped is not told twice.
  if (operation && !(stack?.stopped?.here && operation === 'rebase')) facts.push({ kind: 'operation', operation });
  // Of a folder that cannot be looked at nobody knows what is wrong with it; the trouble says why.
  if (condition !== 'fine' && !(condition === 'broken' && trouble !== undefined))
    facts.push({ kind: 'condition', condition });
  if (trouble !== undefined) facts.push({ kind: 'trouble', why: trouble });
  if (changes && changes.conflicts > 0) facts.push({ kind: 'conflicts', count: changes.conflicts });
  if (base && !base.exists) facts.push({ kind: 'base-gone', base: base.branch });
  if (stack?.cycle !== undefined) facts.push({ kind: 'cycle', base: stack.cycle });
  if (worktree.sharesBranchWith.length > 0) facts.push({ kind: 'shared-branch', others: worktree.sharesBranchWith });
  if (toReview) facts.push({ kind: 'to-review', count: agents?.toReview ?? 0 });
  if (stack && stack.predicted.length > 0) facts.push(predictedFact(stack.predicted));
  const standing = workOf(worktree);
  const toRestack = stack?.toRestack ?? 0;
  if (toRestack > 1) facts.push({ kind: 'stack-needs-restack', count: toRestack });
  else if (stack?.needsRestack && !stack.stopped && standing !== 'merged') facts.push({ kind: 'needs-restack' });
  if (lockReason !== undefined) facts.push({ kind: 'locked', reason: lockReason });
  if (agents?.activity && !isWaiting && !toReview) facts.push({ kind: 'agent', activity: agents.activity });
  if (agents && agents.denied > 0) facts.push({ kind: 'denied', count: agents.denied });
  // What has ended asks for a person; what goes on is said last.
  const pull = recordedPull(worktree);
  const host = hostFactsOf(worktree.entry);
  const request: Fact[] = pull
    ? [
        {
          ...{ kind: 'pull-request', number: pull.number, ...(Object.keys(host).length > 0 ? { host } : {}) },
          ...(standing && standing !== 'open' ? { standing } : {}),
        },
      ]
    : [];
  const hasEnded = standing === 'merged' || standing === 'unproven' || standing === 'closed';
  if (hasEnded) facts.push(...(pull ? request : [{ kind: 'merged' } as const]));
  // They are among those to review.
  if (changes && changes.total > 0 && !toReview) facts.push({ kind: 'changes', count: changes.total });
  if (base?.exists) facts.push({ kind: 'base', base: base.branch, distance: base.distance });
  if (branch === undefined && !worktree.bare && condition === 'fine')
    facts.push({ kind: 'detached', head: worktree.head });
  if (upstream?.gone) facts.push({ kind: 'upstream-gone', upstream: upstream.name });
  else if (upstream?.distance && upstream.distance.ahead + upstream.distance.behind > 0) {
    facts.push({ kind: 'upstream', upstream: upstream.name, distance: upstream.distance });
  }
  if (!hasEnded) facts.push(...request);
  if (branch !== undefined && branch !== worktree.name) facts.push({ kind: 'branch', branch });
  if (worktree.sparse) facts.push({ kind: 'sparse' });
  return facts;
}

/** The pull request that is recorded for the branch that a worktree has checked out now. */
export function recordedPull({
  branch,
  entry,
}: Worktree): { readonly number: number; readonly url: string } | undefined {
  return entry?.pr && branch !== undefined && entry.branch === branch ? entry.pr : undefined;
}

/** What the registry knows of the work of the branch that a worktree has checked out now. */
export function workOf({ branch, entry, head }: Worktree): Standing {
  return branch !== undefined && entry?.branch === branch ? standingOf(entry, head) : undefined;
}

/** Whether a worktree needs a person: something is wrong with it, or a conflict waits. */
export function needsAttention(worktree: Worktree, stack?: StackInShort): boolean {
  return stack?.stopped?.here === true || factsOf(worktree, undefined, stack).some((fact) => troubles.has(fact.kind));
}

function predictedFact(predicted: StackInShort['predicted']): Fact {
  const sorted = [...predicted].sort((one, other) => other.files.length - one.files.length);
  const files = new Set(predicted.flatMap((each) => each.files));
  return { kind: 'predicted', with: sorted.map((each) => each.with), files: files.size };
}

/**
 * The order in which people want to see worktrees: the main working tree, then those with uncommitted changes, then the others; in
 * each group the one with the latest commit, or made last, first.
 */
export function byActivity(worktrees: readonly Worktree[]): Worktree[] {
  return [...worktrees].sort(
    (one, other) =>
      Number(other.main) - Number(one.main) ||
      Number(isBusy(other)) - Number(isBusy(one)) ||
      lastActivity(other) - lastActivity(one) ||
      naturalOrder.compare(one.name, other.name),
  );
}

/**
 * The same in the same order, but first those in which an agent waits for a person.
 *
 * @param agents by the names of the worktrees.
 */
export function waitingFirst(
  worktrees: readonly Worktree[],
  agents: ReadonlyMap<string, Pick<AgentsInShort, 'activity'>>,
): readonly Worktree[] {
  return firstWhere(worktrees, ({ name }) => agents.get(name)?.activity === 'waiting');
}

/** The same in the same order, but those with the property before the others. */
export function firstWhere<T>(all: readonly T[], hasIt: (each: T) => boolean): readonly T[] {
  const [first, others] = [all.filter(hasIt), all.filter((each) => !hasIt(each))];
  return first.length > 0 ? [...first, ...others] : all;
}

const isBusy = (worktree: Worktree): boolean => worktree.operation !== undefined || (worktree.changes?.total ?? 0) > 0;

/** In seconds since 1970. */
function lastActivity(worktree: Worktree): number {
  const created = Date.parse(worktree.entry?.created ?? '') / 1000;
  return Math.max(worktree.lastCommit?.time ?? 0, Number.isNaN(created) ? 0 : created);
}
