import type { Workspace } from '../../worktree/workspace.ts';
import { remoteHint } from '../remoteHint.ts';
import { chosenInGit, pushPlaces, pushedElsewhere, type Remote, type Remotes } from '../remotes.ts';
import type { StackedWorktree } from '../../stack/graph.ts';
import type { PushOptions } from './model.ts';
import { githubMessages } from '../../messages/github.ts';

/** Says where branches are pushed to when that is another place than their remote is fetched from, and when nobody has chosen the remote. */
export async function noteWhere(
  workspace: Workspace,
  remotes: Remotes,
  remote: Remote,
  members: readonly StackedWorktree[],
  { onNote }: PushOptions,
): Promise<void> {
  if (!onNote) return;
  if (pushedElsewhere(remote)) {
    onNote(githubMessages.pushedElsewhere({ remote: remote.name, addresses: pushPlaces(remote).join(' and ') }));
  }
  if (members.some(({ branch }) => chosenInGit(remotes, branch) !== undefined)) return;
  const hint = await remoteHint(workspace, [...remotes.byName.keys()], remote.name);
  if (hint !== undefined) onNote(hint);
}
