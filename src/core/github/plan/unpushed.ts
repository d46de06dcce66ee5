import type { Workspace } from '../../worktree/workspace.ts';
import type { PullsState } from '../pulls/readPulls.ts';
import type { PullRequest } from '../pullRequest.ts';
import type { Decided } from '../push/decideAll.ts';
import { isKeptClosed } from '../push/keptClosed.ts';

/** A base that skips branches which are not on the remote as they are here. */
export interface SkippedTo {
  readonly base: string;
  /** The closed pull requests of the branches that were skipped, from above. */
  readonly past: readonly PullRequest[];
}

/**
 * Finds the branches that are not pushed because their pull request is closed and could not be reopened afterwards: what the remote has
 * of them is not in the branches above. A pull request into one of them would show the commits of the branches below it a second time.
 *
 * @returns the closed pull requests by branch.
 */
export async function findUnpushed(
  { git, repository }: Workspace,
  { groups, local }: Pick<Decided, 'groups' | 'local'>,
  { found, stack }: PullsState,
  signal: AbortSignal | undefined,
): Promise<Map<string, PullRequest>> {
  const unpushed = new Map<string, PullRequest>();
  const tips = new Map(groups.flatMap((group) => [...group.tips]));
  const pushed = new Set(groups.flatMap(({ steps }) => steps.map(({ member }) => member.branch)));
  for (const [branch, member] of stack.branches) {
    const [pull, there, here] = [found.get(branch), tips.get(branch), local.get(branch)];
    if (pushed.has(branch) || here === undefined || there === here || !isKeptClosed(pull, member, there)) continue;
    // Where commits are only added, nothing keeps it from being pushed.
    if (!(await git.in(repository.commonDir).isAncestor(pull.head.oid, here, { signal }))) unpushed.set(branch, pull);
  }
  return unpushed;
}

/**
 * The nearest branch from a base downwards that is on the remote as it is here.
 *
 * @param unpushed the pull requests of those that are not, see {@link findUnpushed}.
 * @param baseOf what the pull request of a branch is to be into.
 */
export function skipUnpushed(
  base: string,
  unpushed: ReadonlyMap<string, PullRequest>,
  baseOf: (branch: string) => string | undefined,
): SkippedTo {
  const past: PullRequest[] = [];
  for (let at = base; ;) {
    const closed = unpushed.get(at);
    const next = closed && baseOf(at);
    if (closed === undefined || next === undefined || past.includes(closed)) return { base: at, past };
    past.push(closed);
    at = next;
  }
}

/**
 * The bases of open pull requests that skip a branch which this push brings to the remote as it is here: they go back to that branch.
 * Only those that nobody asked for; the caller has wishes for the others.
 *
 * @param about.wishes by branch; those of the branches that were asked for.
 */
export async function goingBack(
  { git, repository }: Workspace,
  {
    groups,
    wishes,
    sight,
  }: Pick<Decided, 'groups'> & {
    readonly wishes: ReadonlyMap<string, string>;
    readonly sight: PullsState;
  },
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const { found, stack } = sight;
  const back = new Map<string, string>();
  const steps = new Map(groups.flatMap((group) => group.steps.map((step) => [step.member.branch, step] as const)));
  const tips = new Map(groups.flatMap((group) => [...group.tips]));
  const holds = (commit: string, of: string): Promise<boolean> =>
    git.in(repository.commonDir).isAncestor(commit, of, { signal });
  for (const [branch, { base }] of stack.branches) {
    const [pull, step, there] = [found.get(branch), steps.get(base), tips.get(branch)];
    if (pull?.state !== 'open' || wishes.has(branch) || !step || there === undefined) continue;
    const into = pull.base.branch;
    if (step.way.kind === 'unchanged' || into === base || !stack.basesBelow(base, found).includes(into)) continue;
    // Into what the remote had of the base it showed too much, so nobody has chosen to have it elsewhere.
    const couldStay = step.before !== undefined && (await holds(step.before, there));
    if (!couldStay && (await holds(step.member.tip, there))) back.set(branch, base);
  }
  return back;
}
