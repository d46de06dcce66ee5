import { Problem } from '../base/problem.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { StackState } from './readStack.ts';
import { followRenamedTrunk } from './renamedTrunk.ts';
import type { Wanted } from './wantedBranches.ts';

/** How long, in milliseconds, a remote may be silent. */
const patience = 60_000;

/** What fetching has brought. */
export interface FetchedBases {
  /** The remote with the trunk could not be asked, so that what was fetched last counts. */
  readonly unreachable: boolean;
  /** Why something could not be fetched, or what was renamed, as a sentence; `undefined` when there is nothing to say. */
  readonly sentence: string | undefined;
}

/**
 * Fetches what branches are rebased onto: trunk, and bases that only the remote has. Nothing else, no tags, and nothing that is gone
 * there is forgotten here. A trunk that was renamed there is followed. Without a remote there is nothing to do.
 *
 * @param also other branches that are to be fetched, where the remotes have them.
 */
export async function fetchBases(
  workspace: Workspace,
  { stack, branches }: StackState,
  signal: AbortSignal | undefined,
  also: Wanted = { names: [], elsewhere: new Map() },
): Promise<FetchedBases> {
  const { git, repository, configuration } = workspace;
  const { remote } = configuration.stack;
  const repo = git.in(repository.commonDir);
  const sentences: (string | undefined)[] = [];
  for (const [other, names] of also.elsewhere)
    sentences.push(told(other, await fetchFrom(workspace, other, names, signal)));
  const { trunk } = stack;
  if (trunk === undefined || (await repo.line(['remote', 'get-url', remote], { signal })) === undefined)
    return { unreachable: false, sentence: joined(sentences) };
  const others = [...stack.branches.values()].flatMap(({ base }) =>
    base !== undefined && !branches.local.has(base) && branches.remote.oids.has(`refs/remotes/${remote}/${base}`)
      ? [base]
      : [],
  );
  let failure = await fetchFrom(workspace, remote, [...others, ...also.names], signal, trunk);
  let renamed: string | undefined;
  try {
    renamed = await followRenamedTrunk(workspace, { stack, branches }, { ask: failure !== undefined, signal });
    if (renamed !== undefined) failure = undefined;
  } catch (thrown) {
    failure = wordsOf(thrown);
  }
  return { unreachable: failure !== undefined, sentence: joined([...sentences, told(remote, failure) ?? renamed]) };
}

/**
 * Fetches branches of one remote. Those that are gone there are left out.
 *
 * @param needed one that the remote must have.
 * @returns why that failed, in git's words; `undefined` when it did not.
 */
async function fetchFrom(
  { git, repository }: Workspace,
  remote: string,
  names: readonly string[],
  signal: AbortSignal | undefined,
  needed?: string,
): Promise<string | undefined> {
  const fetch = (some: readonly string[]): ReturnType<typeof git.run> => {
    const refspecs = some.map((name) => `+refs/heads/${name}:refs/remotes/${remote}/${name}`);
    const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', remote];
    return git.in(repository.commonDir).run([...args, ...refspecs], { signal, writes: true, silenceLimit: patience });
  };
  const first = needed === undefined ? [] : [needed];
  try {
    let wanted = [...new Set(names)].filter((name) => name !== needed);
    let answer = await fetch([...first, ...wanted]);
    // One that is gone there makes all of it fail, and git names only that one.
    while (answer.exitCode !== 0 && wanted.length > 0) {
      const gone = /^fatal: couldn't find remote ref (?:refs\/heads\/(.+))?/im.exec(answer.stderr);
      // Asking again does not help where nobody answers.
      if (answer.exitCode !== 1 && !gone) break;
      const name = gone?.[1];
      wanted = name !== undefined && wanted.includes(name) ? wanted.filter((each) => each !== name) : [];
      if (first.length + wanted.length === 0) return undefined;
      answer = await fetch([...first, ...wanted]);
    }
    return answer.exitCode === 0 ? undefined : answer.stderr;
  } catch (thrown) {
    return wordsOf(thrown);
  }
}

function wordsOf(thrown: unknown): string {
  if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
  return thrown.message;
}

function told(remote: string, failure: string | undefined): string | undefined {
  if (failure === undefined) return undefined;
  return `${remote} could not be asked for news, so what was fetched last counts (${firstLine(failure)}).`;
}

function joined(sentences: readonly (string | undefined)[]): string | undefined {
  const said = sentences.filter((each) => each !== undefined);
  return said.length === 0 ? undefined : said.join(' ');
}

function firstLine(words: string): string {
  return (
    words
      .trim()
      .split('\n')[0]
      ?.replace(/^fatal: /, '')
      .replace(/\.$/, '') ?? ''
  );
}
