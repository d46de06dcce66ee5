import { Problem } from '../base/problem.ts';
import { fetchRefs } from '../git/fetchRefs.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** A pull request that the host calls merged. */
export interface MergedPull {
  readonly number: number;
  /** The last commit that it had. */
  readonly headCommit?: string | undefined;
  /** The commit that it was merged as, and the branch that this was made in. */
  readonly mergeCommit?: string | undefined;
  readonly baseBranch?: string | undefined;
}

/**
 * Fetches what the host reports as merged and is not here: the branches that pull requests were merged into, unless they contain the merge
 * already, and the merged commits. Fails silently: the caller checks what is here.
 *
 * @returns whether anything was fetched.
 */
export async function fetchMerged(
  workspace: Workspace,
  pulls: readonly MergedPull[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { git, repository, configuration } = workspace;
  const { remote } = configuration.stack;
  const at = { signal };
  if (pulls.length === 0 || (await git.in(repository.commonDir).line(['remote', 'get-url', remote], at)) === undefined)
    return false;
  const wanted = new Set<string>();
  for (const { number, headCommit, mergeCommit, baseBranch } of pulls) {
    const ref = `refs/remotes/${remote}/${baseBranch ?? ''}`;
    if (baseBranch !== undefined && !(await holds(ref, mergeCommit))) wanted.add(`+refs/heads/${baseBranch}:${ref}`);
    if (headCommit !== undefined && !(await holds(headCommit, headCommit))) wanted.add(`refs/pull/${number}/head`);
  }
  if (wanted.size === 0) return false;
  try {
    if (await fetch([...wanted])) return true;
    // One that is gone makes all of it fail.
    let any = false;
    for (const refspec of wanted.size > 1 ? wanted : []) any = (await fetch([refspec])) || any;
    return any;
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return false;
  }

  /** Both are here, and one is in the history of the other. */
  async function holds(tip: string, commit: string | undefined): Promise<boolean> {
    if (commit === undefined) return false;
    return git.in(repository.commonDir).isAncestor(commit, tip, at);
  }

  async function fetch(refspecs: readonly string[]): Promise<boolean> {
    return (await fetchRefs(git.in(repository.commonDir), remote, refspecs, signal)).exitCode === 0;
  }
}
