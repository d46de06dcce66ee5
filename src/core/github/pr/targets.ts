import { tipsOf, type Branches } from '../../snapshot/trunk.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { StackedWorktree } from '../../stack/graph.ts';
import { readMessages, readOwnCommits } from './ownCommits.ts';
import type { PullsState } from '../pulls/readPulls.ts';
import { describePullRequest, type Description } from './description.ts';
import type { Message } from '../../messages/message.ts';
import { githubMessages } from '../../messages/github.ts';

/** A branch, and what its pull request is to be. */
export interface PullTarget {
  readonly member: StackedWorktree;
  /** What it is to be into. */
  readonly base: string;
  readonly description: Description;
  readonly note: Message | undefined;
}

/** What the pull requests of branches are to be, each after the one that it is based on. Four processes for any number of branches. */
export async function targetsOf(
  { git, repository, configuration }: Workspace,
  members: readonly StackedWorktree[],
  { found, stack }: PullsState,
  branches: Branches,
  signal: AbortSignal | undefined,
): Promise<PullTarget[]> {
  const questions = members.map(({ branch, base, worktree: { entry } }) => {
    const tips = tipsOf(branches, base, configuration.stack.remote);
    const recorded = entry?.branch === branch ? entry.baseCommit : undefined;
    return { tip: branches.local.get(branch)?.oid ?? '', base: tips.local ?? tips.remote ?? recorded };
  });
  const own = await readOwnCommits(git, repository.commonDir, questions, signal);
  const messages = await readMessages(git, repository.commonDir, own.flat(), signal);
  const targets = await Promise.all(
    members.map(async (member, at): Promise<PullTarget> => {
      // A branch that was merged cannot be a base any more: its own base takes its place.
      const bases = stack.basesOf(member, found);
      const base = bases.at(-1) ?? member.base;
      const passed = bases.slice(0, -1);
      const its = (own[at] ?? []).map((oid) => messages.get(oid) ?? '');
      const description = await describePullRequest(member, its, found.get(member.branch)?.state !== 'open');
      const note =
        passed.length > 0 ? githubMessages.basesMerged({ branches: passed, name: member.worktree.name }) : undefined;
      return { member, base, description, note };
    }),
  );
  return targets.map((target) => ({ ...target, base: pastEmpty(target.base, targets) }));
}

/** A branch without commits gets no pull request and need not be on GitHub: its base takes its place. */
function pastEmpty(base: string, targets: readonly PullTarget[]): string {
  const empty = targets.find(({ member, description }) => member.branch === base && description.commits === 0);
  if (!empty) return base;
  return pastEmpty(
    empty.base,
    targets.filter((each) => each !== empty),
  );
}
