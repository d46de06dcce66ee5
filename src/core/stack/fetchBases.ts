import { Problem } from '../base/problem.ts';
import { fetchRefs } from '../git/fetchRefs.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { StackState } from './readStack.ts';
import { followRenamedTrunk } from './renamedTrunk.ts';
import type { BranchesToFetch } from './branchesToFetch.ts';
import type { Message } from '../messages/message.ts';
import { stackMessages } from '../messages/stack.ts';

/** The result of a fetch. */
export interface FetchedBases {
  /** The remote with the trunk did not answer, so what was fetched last counts. */
  readonly unreachable: boolean;
  /** Why something could not be fetched, or what was renamed. */
  readonly notes: readonly Message[];
}

/**
 * Fetches the trunk, and bases that only the remote has; no tags, and nothing is pruned. Follows a trunk that was renamed on the remote.
 * Without a remote there is nothing to do.
 *
 * @param also other branches to fetch, where the remotes have them.
 */
export async function fetchBases(
  workspace: Workspace,
  { stack, branches }: StackState,
  signal: AbortSignal | undefined,
  also: BranchesToFetch = { names: [], elsewhere: new Map() },
): Promise<FetchedBases> {
  const { git, repository, configuration } = workspace;
  const { remote } = configuration.stack;
  const repo = git.in(repository.commonDir);
  const notes: Message[] = [];
  for (const [other, names] of also.elsewhere)
    notes.push(...failureNote(other, await fetchFrom(workspace, other, names, signal)));
  const { trunk } = stack;
  if (trunk === undefined || (await repo.line(['remote', 'get-url', remote], { signal })) === undefined)
    return { unreachable: false, notes };
  const others = [...stack.branches.values()].flatMap(({ base }) =>
    base !== undefined && !branches.local.has(base) && branches.remote.oids.has(`refs/remotes/${remote}/${base}`)
      ? [base]
      : [],
  );
  let failure = await fetchFrom(workspace, remote, [...others, ...also.names], signal, trunk);
  let renamed: Message | undefined;
  try {
    renamed = await followRenamedTrunk(workspace, { stack, branches }, { ask: failure !== undefined, signal });
    if (renamed !== undefined) failure = undefined;
  } catch (thrown) {
    failure = failureMessage(thrown);
  }
  notes.push(...failureNote(remote, failure), ...(failure === undefined && renamed ? [renamed] : []));
  return { unreachable: failure !== undefined, notes };
}

/**
 * Fetches branches of one remote. Those that are gone there are left out.
 *
 * @param needed one that the remote must have.
 * @returns git's message when that failed, else `undefined`.
 */
async function fetchFrom(
  { git, repository }: Workspace,
  remote: string,
  names: readonly string[],
  signal: AbortSignal | undefined,
  needed?: string,
): Promise<string | undefined> {
  const fetch = (some: readonly string[]): ReturnType<typeof fetchRefs> => {
    const refspecs = some.map((name) => `+refs/heads/${name}:refs/remotes/${remote}/${name}`);
    return fetchRefs(git.in(repository.commonDir), remote, refspecs, signal);
  };
  const first = needed === undefined ? [] : [needed];
  try {
    let wanted = [...new Set(names)].filter((name) => name !== needed);
    let answer = await fetch([...first, ...wanted]);
    // One that is gone there makes all of it fail, and git names only that one.
    while (answer.exitCode !== 0 && wanted.length > 0) {
      const gone = /^fatal: couldn't find remote ref (?:refs\/heads\/(.+))?/im.exec(answer.stderr);
      // Retrying does not help without an answer.
      if (answer.exitCode !== 1 && !gone) break;
      const name = gone?.[1];
      wanted = name !== undefined && wanted.includes(name) ? wanted.filter((each) => each !== name) : [];
      if (first.length + wanted.length === 0) return undefined;
      answer = await fetch([...first, ...wanted]);
    }
    return answer.exitCode === 0 ? undefined : answer.stderr;
  } catch (thrown) {
    return failureMessage(thrown);
  }
}

function failureMessage(thrown: unknown): string {
  if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
  return thrown.message;
}

function failureNote(remote: string, failure: string | undefined): Message[] {
  return failure === undefined ? [] : [stackMessages.couldNotFetch({ remote, reason: firstLine(failure) })];
}

function firstLine(words: string): string {
  const [first = ''] = words.trim().split('\n');
  return first.replace(/^fatal: /, '').replace(/\.$/, '');
}
