import type { Git } from './git.ts';
import type { GitAnswer } from './gitError.ts';
import type { RepositoryGit } from './repositoryGit.ts';

/** The longest silence of a remote, in milliseconds. */
const patience = 60_000;

/** Fetches these refs from a remote and nothing else: no tags, no submodules, no `FETCH_HEAD`. Gives git's answer, whatever it is. */
export function fetchRefs(
  repository: RepositoryGit,
  remote: string,
  refspecs: readonly string[],
  signal: AbortSignal | undefined,
): Promise<GitAnswer> {
  const quietly = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
  return repository.run(['fetch', ...quietly, remote, ...refspecs], { signal, writes: true, silenceLimit: patience });
}

/** Whether a commit is in the repository at a folder. */
export async function hasCommit(git: Git, cwd: string, commit: string, signal?: AbortSignal): Promise<boolean> {
  return (await git.run(['cat-file', '-e', `${commit}^{commit}`], { cwd, signal })).exitCode === 0;
}

/** Fetches one commit, which need be no branch's, from another repository into the one at a folder. Gives git's answer, whatever it is. */
export function fetchOneCommit(
  git: Git,
  cwd: string,
  from: string,
  commit: string,
  signal?: AbortSignal,
): Promise<GitAnswer> {
  const quietly = ['--quiet', '--no-tags', '--no-prune', '--no-write-fetch-head', '--no-recurse-submodules'];
  // Any commit may be asked for in the second version of the protocol, and only there.
  const fetch = ['-c', 'protocol.version=2', 'fetch', ...quietly, '--no-auto-maintenance', '--update-shallow'];
  return git.run([...fetch, from, commit], { cwd, writes: true, signal });
}
