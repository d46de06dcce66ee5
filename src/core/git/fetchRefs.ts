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
