import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import type { Repository } from '../repository/identity.ts';

/**
 * How a branch's work came to be in another: `ancestor`: its last commit is in it, which is also so for a branch without commits
 * of its own; `patches`: each of its commits is in it by content (a rebase merge); `squash`: all of them together are one commit
 * of it; `content`: merging it would add nothing, now or at some commit since.
 */
export type Landing = 'ancestor' | 'patches' | 'squash' | 'content';

/**
 * Whether the work of a branch is in another branch already, judged from local data alone; `undefined` when it is not, or when
 * that cannot be told.
 *
 * @param question.branch the branch, or anything else that names a commit.
 * @param question.into likewise; a remote's branch is `origin/main`.
 * @throws Problem `not-found` when one of the two does not exist.
 */
export async function landed(
  _git: Git,
  _repository: Repository,
  _question: { readonly branch: string; readonly into: string; readonly signal?: AbortSignal | undefined },
): Promise<Landing | undefined> {
  throw new Problem('unsupported', 'This cannot be told yet.');
}
