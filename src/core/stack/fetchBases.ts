import { Problem } from '../base/problem.ts';
import type { Workspace } from '../worktrees/workspace.ts';
import type { PullRequestState } from './host.ts';
import type { StackState } from './readStack.ts';
import { followRenamedTrunk } from './renamedTrunk.ts';

/** How long, in milliseconds, a remote may be silent. */
const patience = 60_000;

/**
 * Fetches what branches are rebased onto: trunk, and bases that only the remote has. Nothing else, no tags, and nothing that is gone
 * there is forgotten here. A trunk that was renamed there is followed.
 *
 * @returns why that could not be done, or what was renamed, as a sentence; `undefined` when there is nothing to say, and without a remote.
 */
export async function fetchBases(
  workspace: Workspace,
  { stack, branches }: StackState,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { git, repository, configuration } = workspace;
  const { remote } = configuration.stack;
  const at = { cwd: repository.commonDir, signal };
  const inGit = `--git-dir=${repository.commonDir}`;
  if ((await git.line([inGit, 'remote', 'get-url', remote], at)) === undefined || stack.trunk === undefined)
    return undefined;
  const others = [...new Set([...stack.branches.values()].map(({ base }) => base))].filter(
    (base) =>
      base !== undefined && !branches.local.has(base) && branches.remote.oids.has(`refs/remotes/${remote}/${base}`),
  );
  const fetch = (names: readonly (string | undefined)[]): ReturnType<typeof git.run> => {
    const refspecs = names.map((name) => `+refs/heads/${name}:refs/remotes/${remote}/${name}`);
    const args = [inGit, 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', remote];
    return git.run([...args, ...refspecs], { ...at, writes: true, silenceLimit: patience });
  };
  try {
    let answer = await fetch([stack.trunk, ...others]);
    // A base that is gone there makes all of it fail.
    if (answer.exitCode !== 0 && others.length > 0) answer = await fetch([stack.trunk]);
    const ask = answer.exitCode !== 0;
    const renamed = await followRenamedTrunk(workspace, { stack, branches }, { ask, signal });
    if (!ask || renamed !== undefined) return renamed;
    return `${remote} could not be asked for news, so what was fetched last counts (${firstLine(answer.stderr)}).`;
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return `${remote} could not be asked for news, so what was fetched last counts (${firstLine(thrown.message)}).`;
  }
}

/**
 * Fetches what the host says was merged and is not here: branches of the stack that others were merged into, and the commits that pull requests
 * were merged with. Fails without a word: what did not come is not here, and that is said where it matters.
 *
 * @returns whether anything was fetched.
 */
export async function fetchMerged(
  { git, repository, configuration }: Workspace,
  { stack }: Pick<StackState, 'stack'>,
  pulls: Iterable<PullRequestState>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { remote } = configuration.stack;
  const at = { cwd: repository.commonDir, signal };
  const inGit = `--git-dir=${repository.commonDir}`;
  const merged = [...pulls].filter(({ state }) => state === 'merged');
  const bases = new Set(merged.flatMap(({ baseBranch }) => baseBranch ?? []));
  if (stack.trunk !== undefined) bases.delete(stack.trunk);
  const heads = merged.flatMap(({ headCommit }) => headCommit ?? []);
  const checked =
    heads.length === 0
      ? ''
      : await git.text([inGit, 'cat-file', '--batch-check'], { ...at, input: `${heads.join('\n')}\n` });
  const here = new Set([...checked.matchAll(/^([0-9a-f]+) commit /gm)].map(([, oid]) => oid));
  const wanted = [
    ...[...bases]
      .filter((base) => stack.branches.has(base))
      .map((base) => `+refs/heads/${base}:refs/remotes/${remote}/${base}`),
    ...merged.flatMap(({ headCommit, number }) =>
      headCommit === undefined || here.has(headCommit) ? [] : [`refs/pull/${number}/head`],
    ),
  ];
  if (wanted.length === 0 || (await git.line([inGit, 'remote', 'get-url', remote], at)) === undefined) return false;
  const how = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
  const fetch = async (refspecs: readonly string[]): Promise<boolean> => {
    const args = [inGit, 'fetch', ...how, remote, ...refspecs];
    return (await git.run(args, { ...at, writes: true, silenceLimit: patience })).exitCode === 0;
  };
  try {
    if (await fetch(wanted)) return true;
    // One that is gone makes all of it fail.
    let any = false;
    for (const refspec of wanted.length > 1 ? wanted : []) any = (await fetch([refspec])) || any;
    return any;
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return false;
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
