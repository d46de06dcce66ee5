import type { Message } from '../../messages/message.ts';
import { commitsOfOthers, type CommitsOfOthers } from '../../integration/commitsOfOthers.ts';
import { quoted } from '../../base/quoted.ts';
import { findTrunk, readAllBranches, tipsOf } from '../../snapshot/trunk.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { PullRequestStatus } from '../status.ts';
import type { StackedWorktree } from '../../stack/graph.ts';
import { pushPlaces, pushedElsewhere, type Remote } from '../remotes.ts';
import { lastPushedOf } from './lastPushed.ts';
import { pushedHistory } from './pushedHistory.ts';
import { PushRefusal, type RefusalCause } from './pushRefusal.ts';
import { githubMessages } from '../../messages/github.ts';

/** How a branch is brought to its remote. */
export type PushWay =
  /** The remote has it already, or does not have it yet, or has less of it. */
  | { readonly kind: 'unchanged' | 'create' | 'forward' }
  /** The remote has what was pushed before the branch was rebased: replaced, if it still has exactly that. */
  | { readonly kind: 'rewrite'; readonly lease: string }
  /** The same, joined by a merge instead. */
  | { readonly kind: 'join'; readonly remoteTip: string };

/** What GitHub says of the pull request of a branch that is pushed. */
export interface PushedPull extends Pick<PullRequestStatus, 'number' | 'state' | 'headCommit' | 'draft'> {
  /** Somebody whose word counts has approved it, and nobody has asked for changes since. */
  readonly approved: boolean;
}

/** What is decided about. */
export interface PushQuestion {
  readonly member: StackedWorktree;
  readonly tip: string;
  readonly remote: Remote;
  /** What the place that it is pushed to has; `undefined`: no such branch. The commit is here. */
  readonly remoteTip: string | undefined;
  /** The person has asked for a rewrite by `--rewrite`. */
  readonly rewrite: boolean;
  /** Its pull request, where that is known. */
  readonly pull: PushedPull | undefined;
  /** The person has said `--force`: a pull request may lose its place in the merge queue. */
  readonly force?: boolean;
  /** Whose branch it is, where it is somebody else's. */
  readonly author?: string | undefined;
  /** Its pull request was closed by a person, who can open it again as long as no commit of it is replaced. */
  readonly keepsClosed?: boolean;
}

/**
 * Decides how one branch is pushed. Never by force: a branch that was rebased after it was pushed replaces what was pushed, and nothing
 * else, if the team has not chosen otherwise.
 *
 * @throws Problem `push-refused` (incomplete): the remote has commits that are not here; the branch was changed in another way than by
 *   a rebase, or the team wants no rewrites, and `--rewrite` was not given; its pull request was merged, waits to be, or could not be
 *   reopened any more.
 */
export async function decide(
  workspace: Workspace,
  question: PushQuestion,
  signal: AbortSignal | undefined,
): Promise<PushWay> {
  const { git, repository, configuration } = workspace;
  const { member, tip, remote, remoteTip, rewrite, pull, author } = question;
  const { branch, worktree } = member;
  const { name, entry } = worktree;
  const elsewhere = pushedElsewhere(remote);
  // What was fetched under the remote's name is not what is there.
  const place = elsewhere
    ? githubMessages.branchAt({ branch, address: pushPlaces(remote)[0] ?? remote.name })
    : `${remote.name}/${branch}`;
  const at = { signal };
  const isIn = (commit: string): Promise<boolean> => git.in(repository.commonDir).isAncestor(commit, tip, at);
  if (remoteTip === undefined) {
    if (pull?.state === 'merged') throw merged(question, pull);
    if (pull && question.keepsClosed && !rewrite && !(await isIn(pull.headCommit))) {
      throw new PushRefusal('closed', githubMessages.notPushedPull({ name, factNumber: pull.number }), {
        next: githubMessages.restoreBranchReopen({ name: quoted(name) }),
        worktree: name,
      });
    }
    return { kind: 'create' };
  }
  if (remoteTip === tip) return { kind: 'unchanged' };
  const forward = await isIn(remoteTip);
  if (pull?.state === 'merged') throw merged(question, pull);
  if (pull?.state === 'queued' && question.force !== true) {
    throw new PushRefusal('queued', githubMessages.notPushedPullRequest({ name, factNumber: pull.number }), {
      next: githubMessages.waitUntilMerged({ name }),
      worktree: name,
    });
  }
  if (forward) return { kind: 'forward' };

  const last = lastPushedOf(entry);
  const pushedByUs = last?.remote === remote.name && last.ref === `refs/heads/${branch}` && last.oid === remoteTip;
  const tips = { local: tip, remote: remoteTip };
  const history = await pushedHistory(git, repository, branch, tips, {
    pushedByUs,
    baseCommit: entry?.baseCommit,
    signal,
  });
  const refuse = (cause: RefusalCause, message: Message, next: Message, items: readonly string[] = []): PushRefusal =>
    new PushRefusal(cause, message, { next, items, worktree: name });
  const others = history.incorporated ? undefined : await othersOn(workspace, question, remoteTip, signal);
  if (others && (others.state !== 'known' || others.commits.length > 0)) {
    const lines = others.state === 'unknown' ? history.foreign : await linesOf(workspace, others.commits, signal);
    const [there, picked] = [`git -C ${quoted(worktree.path)}`, others.commits.slice(0, 10)];
    const byHand = `${there} cherry-pick -x ${picked.map((oid) => oid.slice(0, 12)).join(' ')}`;
    // A merge would bring back what a rebase has replaced.
    const next =
      others.state === 'known' && !elsewhere
        ? githubMessages.takeOverByRebase({ name: quoted(name) })
        : githubMessages.takeOverByHand({ command: byHand });
    throw refuse('foreign', githubMessages.notPushedCommits({ name, place }), next, lines);
  }
  const command = `wt push ${name} --rewrite`;
  if (entry?.branch !== branch) {
    throw refuse('other', githubMessages.notPushedParted({ name }), githubMessages.pushYourselfRight());
  }
  if (rewrite) return { kind: 'rewrite', lease: remoteTip };
  const isJoined = configuration.stack.afterRebase === 'merge' && (history.rebased || others !== undefined);
  if (author !== undefined && !isJoined) {
    throw refuse('anothers', githubMessages.notPushedAnothers({ name, author }), githubMessages.ifRight({ command }));
  }
  // What others have done there was taken over, so that what is left there are former forms of what is here.
  if (!history.rebased && !others) {
    throw refuse(
      'changed',
      githubMessages.notPushedCommitsPushed({ name }),
      githubMessages.canGo({ remoteName: remote.name, command }),
    );
  }
  if (pull && question.keepsClosed && configuration.stack.afterRebase !== 'merge') {
    throw refuse(
      'closed',
      githubMessages.notPushedPullRequestClosed({ name, factNumber: pull.number }),
      githubMessages.reopenGithubReplace({ name, command }),
    );
  }
  if (pull?.approved && !pull.draft) {
    throw refuse(
      'approved',
      githubMessages.notPushedPullRequestApproved({ name, factNumber: pull.number }),
      githubMessages.ifRight({ command }),
    );
  }
  switch (configuration.stack.afterRebase) {
    case 'lease':
      return { kind: 'rewrite', lease: remoteTip };
    case 'merge':
      return { kind: 'join', remoteTip };
    case 'refuse':
      throw refuse('policy', githubMessages.notPushedRebased({ name }), githubMessages.oneRight({ command }));
  }
}

/** What of the remote's branch others have made. */
async function othersOn(
  workspace: Workspace,
  { member, tip, remote }: PushQuestion,
  remoteTip: string,
  signal: AbortSignal | undefined,
): Promise<CommitsOfOthers> {
  const { git, repository, configuration } = workspace;
  const { branch, base, worktree } = member;
  const branches = await readAllBranches(workspace, signal);
  const trunk = await findTrunk(workspace, branches, undefined, signal);
  const bases = [base, trunk].flatMap((each) => {
    if (each === undefined || each === branch) return [];
    // A fork need not have what the branch was rebased onto, or was updated from.
    const tips = [remote.name, configuration.stack.remote].map((name) => tipsOf(branches, each, name));
    return tips.flatMap(({ local, remote: there }) => [local, there]).filter((oid) => oid !== undefined);
  });
  const last = lastPushedOf(worktree.entry);
  const lastPushed = last?.remote === remote.name && last.ref === `refs/heads/${branch}` ? last.oid : undefined;
  const tips = { branch, local: tip, remote: remoteTip };
  return commitsOfOthers(git, repository.commonDir, { ...tips, lastPushed, bases, signal });
}

/** Commits as lines for a person. */
async function linesOf(
  { git, repository }: Workspace,
  commits: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (commits.length === 0) return [];
  const how = ['log', '--no-walk=unsorted', '--no-show-signature', '--format=%h %s (%an)', ...commits.slice(0, 20)];
  const text = await git.in(repository.commonDir).text(how, { signal });
  return text.split('\n').filter((line) => line !== '');
}

function merged({ member }: PushQuestion, { number }: PushedPull): PushRefusal {
  const { name } = member.worktree;
  return new PushRefusal('merged', githubMessages.notPushedPullRequestMerged({ name, number }), {
    next: githubMessages.cleanupAndGoOn({ name }),
    worktree: name,
  });
}
