import { Problem } from '../../base/problem.ts';
import { quoted } from '../../base/quoted.ts';
import { githubMessages } from '../../messages/github.ts';
import type { StackedWorktree } from '../../stack/graph.ts';
import { getPullRequest, mayPushTo } from '../operations.ts';
import type { PullsState } from '../pulls/readPulls.ts';
import type { HostSession } from '../connect.ts';
import { sameRepository } from '../remoteUrl.ts';

/**
 * Refuses to change a pull request that is somebody else's: a worktree may well continue it, and push to it where its author lets others,
 * but its base, its words and its place in a stack are theirs. Also one whose repository is gone: nothing can be added to it any more.
 *
 * GitHub is asked only about a repository that no remote here leads to.
 *
 * @param author who has opened it, where that is somebody else and the person has not said that it is to be changed all the same.
 * @throws Problem `host-refused` with what can be done instead.
 */
export async function refuseAnothers(
  sight: PullsState,
  session: HostSession,
  { branch, worktree, author }: Pick<StackedWorktree, 'branch' | 'worktree'> & { readonly author: string | undefined },
  signal?: AbortSignal,
): Promise<void> {
  const { found, place } = sight;
  const pull = found.get(branch);
  if (pull?.state !== 'open') return;
  const { number, url, head } = pull;
  const { name } = worktree;
  const refuse = (what: ReturnType<typeof githubMessages.forkOfPullGone>, next: typeof what): Problem =>
    new Problem('host-refused', what, { next, outcome: 'incomplete' });
  if (head.repository === undefined) {
    throw refuse(
      githubMessages.forkOfPullGone({ number, name }),
      githubMessages.openOwnInPlace({ name: quoted(name), url }),
    );
  }
  const [owner = '', repo = ''] = head.repository.split('/');
  if (!mayBeAnothers(sight, session, branch) || (await mayPushTo(place.github, { owner, repo }, signal))) {
    if (author === undefined) return;
    throw refuse(
      githubMessages.pullOfAnother({ number, owner: author, name }),
      githubMessages.pushOrTakeOver({ name: quoted(name), url }),
    );
  }
  const what = githubMessages.pullOfAnother({ number, owner, name });
  // A list does not tell it.
  const whole = await getPullRequest(place.github, number, signal);
  throw refuse(
    what,
    whole?.maintainerCanModify === false
      ? githubMessages.allowEditsOrGoOn({ owner, name: quoted(name), branch, url })
      : githubMessages.pushToAuthor({ name: quoted(name), owner, url }),
  );
}

/** Whether the pull request of a branch is from a fork that no remote here leads to. Asks nobody. */
export function mayBeAnothers({ place }: PullsState, { github, remotes }: HostSession, branch: string): boolean {
  const head = place.heads.get(branch);
  if (!head?.fork) return false;
  const fork = { ...github.repository, ...head.repository };
  return ![...remotes.byName.values()].some(({ fetchedFrom, pushedTo }) =>
    [fetchedFrom, pushedTo].some((each) => each && sameRepository(each, fork)),
  );
}
