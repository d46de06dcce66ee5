import { join } from 'node:path';
import { isWithin } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { fetchOneCommit, hasCommit } from '../git/fetchRefs.ts';
import type { Git } from '../git/git.ts';
import type { GitAnswer } from '../git/gitError.ts';
import { withReadable } from '../remove/backupSubmodule.ts';
import { isRepository, repositoryOf } from '../worktree/submoduleRepository.ts';
import { mergeMessages } from '../messages/merge.ts';

/** Where the worktree that is merged keeps a repository: its files, and the git directory with those of its submodules. */
export interface Source {
  readonly tree: string | undefined;
  readonly gitDir: string | undefined;
}

/** Where the merged worktree keeps one of its submodules, also when its folder is gone. */
export async function submoduleSource(
  source: Source,
  submodule: { path: string; name: string | undefined },
): Promise<Source> {
  const tree = source.tree === undefined ? undefined : join(source.tree, submodule.path);
  const found = tree === undefined ? undefined : await repositoryOf(tree);
  if (found !== undefined) return { tree, gitDir: found };
  if (source.gitDir === undefined || submodule.name === undefined) return { tree: undefined, gitDir: undefined };
  const modules = join(source.gitDir, 'modules');
  const kept = join(modules, submodule.name);
  const there = isWithin(modules, kept) && (await isRepository(kept));
  return { tree: undefined, gitDir: there ? kept : undefined };
}

/**
 * Makes sure that a commit is in the repository of a submodule: fetched from the merged worktree's own copy, where it may be the
 * only one, else from the submodule's remote.
 *
 * @throws Problem `not-found` (outcome incomplete) when it is in neither.
 */
export async function fetchSubmoduleCommit(
  git: Git,
  submodule: { readonly tree: string; readonly path: string },
  commit: string,
  source: Source,
  signal: AbortSignal | undefined,
): Promise<void> {
  const at = { cwd: submodule.tree, signal };
  const isThere = (): Promise<boolean> => hasCommit(git, at.cwd, commit, signal);
  const fetch = (from: string): Promise<GitAnswer> => fetchOneCommit(git, at.cwd, from, commit, signal);
  if (await isThere()) return;
  if (source.gitDir !== undefined) {
    await withReadable(git, source.gitDir, commit, fetch);
    if (await isThere()) return;
  }
  const remotes = ((await git.line(['remote'], at)) ?? '').split('\n');
  const remote = remotes.includes('origin') ? 'origin' : remotes[0];
  const answer = remote ? await fetch(remote) : undefined;
  if (await isThere()) return;
  throw new Problem(
    'not-found',
    mergeMessages.commitSubmoduleNeither({ commit: commit.slice(0, 12), submodulePath: submodule.path }),
    {
      next: mergeMessages.pushWhereMade({ tree: submodule.tree }),
      items: (answer?.stderr ?? '').split('\n').filter((line) => line !== ''),
      outcome: 'incomplete',
    },
  );
}
