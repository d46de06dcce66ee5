import type { HubPull, HubState } from './hubState.ts';

/*
 * The rules that GitHub keeps by itself: what becomes of pull requests when branches, bases and states change.
 */

/** GitHub's limits, in characters. */
export const longestTitle = 256;
export const longestBody = 65_536;

/**
 * What GitHub does after branches or bases have changed: heads follow, a pull request without one of its branches is closed, one whose
 * head is contained in its base counts as merged, for good. A push takes a pull request out of the merge queue.
 */
export function settlePulls(state: HubState): void {
  const own = state.refs.all();
  const forks = new Map([...state.forks].map(([name, refs]) => [name, refs.all()]));
  const headOf = ({ head, headOwner, headRepo }: HubPull): string | undefined =>
    (state.is(headOwner, headRepo) ? own : forks.get(`${headOwner}/${headRepo}`))?.get(head);
  for (const pull of state.pulls.values()) {
    if (pull.state !== 'open') continue;
    const head = headOf(pull);
    const base = own.get(pull.base);
    if (head !== undefined && head !== pull.headOid) pull.queued = false;
    pull.headOid = head ?? pull.headOid;
    pull.baseOid = base ?? pull.baseOid;
    if (head === undefined || base === undefined) {
      close(pull);
      continue;
    }
    const seen = `${pull.base} ${base} ${head}`;
    if (pull.judged === seen) continue;
    pull.judged = seen;
    if (state.refs.contains(base, head)) merged(pull, head);
  }
}

/** Closes a pull request that nobody merged. */
export function close(pull: HubPull): void {
  pull.state = 'closed';
  pull.queued = false;
}

/** Notes that a pull request was merged as a commit. There is no way back. */
export function merged(pull: HubPull, oid: string): void {
  close(pull);
  pull.draft = false;
  pull.mergedAt = new Date().toISOString();
  pull.mergeCommit = oid;
}

/** Why a title or a text is not taken; `undefined` where both are. */
export function tooLong(title: unknown, body: unknown): object | undefined {
  const error = (field: string, most: number): object => ({
    ...{ resource: 'PullRequest', code: 'custom', field },
    message: `${field} is too long (maximum is ${most} characters)`,
  });
  if (typeof title === 'string' && [...title].length > longestTitle) return error('title', longestTitle);
  if (typeof body === 'string' && [...body].length > longestBody) return error('body', longestBody);
  return undefined;
}

/** Why a closed pull request cannot be reopened; `undefined` where it can. */
export function keptClosed(state: HubState, pull: HubPull): string | undefined {
  const head = state.tipOf(pull.head, pull.headOwner, pull.headRepo);
  if (pull.mergedAt !== null) return 'state cannot be changed. The pull request is merged.';
  if (head === undefined) return `state cannot be changed. The ${pull.head} branch has been deleted.`;
  if (state.refs.get(pull.base) === undefined) return 'state cannot be changed. The base branch was deleted.';
  if (!state.refs.contains(head, pull.headOid))
    return `state cannot be changed. The ${pull.head} branch was force-pushed or recreated.`;
  if (state.refs.contains(state.refs.get(pull.base) ?? '', head))
    return `state cannot be changed. There are no new commits on the ${pull.head} branch.`;
  const other = openOf(state, pull, pull.base);
  return other && `state cannot be changed. A pull request already exists for ${pull.headOwner}:${pull.head}.`;
}

/** The open pull request of the same head into a base, if there is another one. */
export function openOf(
  state: HubState,
  { head, headOwner, headRepo, number }: Pick<HubPull, 'head' | 'headOwner' | 'headRepo'> & { number?: number },
  base: string,
): HubPull | undefined {
  return [...state.pulls.values()].find(
    (each) =>
      each.state === 'open' &&
      each.number !== number &&
      each.head === head &&
      each.headOwner === headOwner &&
      each.headRepo === headRepo &&
      each.base === base,
  );
}
