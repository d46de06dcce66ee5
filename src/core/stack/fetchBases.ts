import { Problem } from '../base/problem.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { StackState } from './readStack.ts';
import { followRenamedTrunk } from './renamedTrunk.ts';

/** How long, in milliseconds, a remote may be silent. */
const patience = 60_000;

/**
 * Fetches what branches are rebased onto: trunk, and bases that only the remote has. Nothing else, no tags, and nothing that is gone
 * there is forgotten here. A trunk that was renamed there is followed.
 *
 * @param also other branches that are to be fetched, where the remote has them.
 * @returns why that could not be done, or what was renamed, as a sentence; `undefined` when there is nothing to say, and without a remote.
 */
export async function fetchBases(
  workspace: Workspace,
  { stack, branches }: StackState,
  signal: AbortSignal | undefined,
  also: readonly string[] = [],
): Promise<string | undefined> {
  const { git, repository, configuration } = workspace;
  const { remote } = configuration.stack;
  const repo = git.in(repository.commonDir);
  if (stack.trunk === undefined || (await repo.line(['remote', 'get-url', remote], { signal })) === undefined)
    return undefined;
  const others = [...new Set([...stack.branches.values()].map(({ base }) => base))].filter(
    (base) =>
      base !== undefined && !branches.local.has(base) && branches.remote.oids.has(`refs/remotes/${remote}/${base}`),
  );
  const fetch = (names: readonly (string | undefined)[]): ReturnType<typeof git.run> => {
    const refspecs = names.map((name) => `+refs/heads/${name}:refs/remotes/${remote}/${name}`);
    const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', remote];
    return repo.run([...args, ...refspecs], { signal, writes: true, silenceLimit: patience });
  };
  try {
    let wanted = [...new Set([...others, ...also])].filter((name) => name !== stack.trunk);
    let answer = await fetch([stack.trunk, ...wanted]);
    // One that is gone there makes all of it fail, and git names only that one.
    while (answer.exitCode !== 0 && wanted.length > 0) {
      // Neither does asking again help where nobody answers.
      if (answer.exitCode !== 1 && !/couldn't find remote ref/.test(answer.stderr)) break;
      const gone = /couldn't find remote ref refs\/heads\/(.+)/.exec(answer.stderr)?.[1];
      wanted = gone !== undefined && wanted.includes(gone) ? wanted.filter((name) => name !== gone) : [];
      answer = await fetch([stack.trunk, ...wanted]);
    }
    const ask = answer.exitCode !== 0;
    const renamed = await followRenamedTrunk(workspace, { stack, branches }, { ask, signal });
    if (!ask || renamed !== undefined) return renamed;
    return `${remote} could not be asked for news, so what was fetched last counts (${firstLine(answer.stderr)}).`;
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return `${remote} could not be asked for news, so what was fetched last counts (${firstLine(thrown.message)}).`;
  }
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
