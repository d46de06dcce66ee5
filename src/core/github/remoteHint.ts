import { choosesRemote } from '../repository/configuration.ts';
import type { RemoteBranches } from '../git/refs.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Message } from '../messages/message.ts';
import { githubMessages } from '../messages/github.ts';

/**
 * What a person should know in whose repository there are several remotes, such as a fork and what it was forked from, and who has chosen
 * none: which one was taken, and how to take another. `undefined` where there is nothing to choose, or it was chosen.
 *
 * @param names of the remotes that there are.
 * @param taken the one that was taken.
 */
export async function remoteHint(
  { repository }: Pick<Workspace, 'repository'>,
  names: readonly string[],
  taken: string,
): Promise<Message | undefined> {
  const others = names.filter((name) => name !== taken);
  if (others.length === 0 || !names.includes(taken) || (await choosesRemote(repository.mainRoot))) return undefined;
  const other = others.includes('upstream') ? 'upstream' : (others[0] ?? '');
  return githubMessages.remoteChosen({ remotes: [...names].sort(), taken, other });
}

/** The names of the remotes that something was fetched from. */
export function fetchedRemotes({ oids }: RemoteBranches): string[] {
  const names = [...oids.keys()].map((ref) => /^refs\/remotes\/([^/]+)\//.exec(ref)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined);
}
