import { Problem } from '../../base/problem.ts';
import type { Snapshot } from '../../worktree/model.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import { getPullRequest } from '../operations.ts';
import type { MadePlan } from '../plan/makePlan.ts';
import type { PullRequest } from '../pullRequest.ts';
import type { PushedPlan } from '../publish/pushBranches.ts';
import type { StackedWorktree } from '../../stack/graph.ts';
import { openPullRequest, reword, type Action, type Wish } from './upsert.ts';
import type { PullRequestOptions } from './options.ts';
import { trunkElsewhere } from '../pulls/repositories.ts';
import { recordPullRequest } from '../pulls/record.ts';
import type { PullsState } from '../pulls/readPulls.ts';
import type { PullTarget } from './targets.ts';
import { githubMessages } from '../../messages/github.ts';
import type { Message } from '../../messages/message.ts';

/** A branch and its pull request, after everything was done. */
export interface Opened {
  readonly name: string;
  readonly branch: string;
  readonly number: number;
  readonly url: string;
  readonly base: string;
  readonly draft: boolean;
  readonly action: Action | 'merged';
  /** What a person should know of it. */
  readonly note: Message | undefined;
}

/** Everything that was done before pull requests are opened. */
export interface Done extends PushedPlan {
  readonly plan: MadePlan;
  /** What the pull requests are to be, now that it is known which branches are pushed. */
  readonly targets: readonly PullTarget[];
}

/** Makes sure that one branch has its pull request, after branches and bases were brought where they belong. */
export async function openOne(
  workspace: Workspace,
  snapshot: Snapshot,
  { target, sight, done }: { readonly target: PullTarget; readonly sight: PullsState; readonly done: Done },
  options: PullRequestOptions,
): Promise<Opened | undefined> {
  const { member, base, description, note } = target;
  const { branch, worktree } = member;
  const { found, place, others } = sight;
  const head = place.heads.get(branch);
  if (!head) return undefined;
  const problem = done.left.get(found.get(branch)?.number ?? 0);
  if (problem && found.get(branch)?.state === 'open') throw problem;
  const before = done.plan.pulls.get(found.get(branch)?.number ?? 0);
  const wish: Wish = {
    ...{ name: worktree.name, branch, head, base, description, title: options.title, body: options.body },
    allowReady: options.allowReady === true,
  };
  const there = found.get(branch);
  const stray = sight.strayed.get(branch);
  const notes = [
    stray && githubMessages.mergedElsewhere({ number: stray.number, base: stray.base.branch }),
    note,
    ...(others.get(branch) ?? []).map(notOurs),
  ];
  if (base === snapshot.trunk) notes.push(trunkElsewhere(place, branch, workspace.configuration.stack.remote));
  let pull: PullRequest;
  let action: Action;
  if (there?.state === 'open') {
    pull = await reword(place.github, wish, there, options.signal);
    const recorded = worktree.entry?.pr?.number === pull.number;
    const revived = before?.state === 'closed';
    const changed = pull !== there || before?.base.branch !== there.base.branch;
    action = revived ? 'rescued' : !recorded ? 'adopted' : changed ? 'updated' : 'unchanged';
    const from = before?.base.branch;
    if (!recorded && from !== undefined && from !== pull.base.branch)
      notes.unshift(githubMessages.wasInto({ base: from }));
    if (pull.base.branch !== base) notes.unshift(await whyNot(sight, pull, base, options.signal));
  } else {
    const replaces =
      there?.state === 'closed' ? replaced(there, member, options) : ofFormerName(sight.renamed?.get(branch));
    if (replaces) notes.unshift(replaces.note);
    ({ pull, action } = await openPullRequest(place.github, { ...wish, replaces: replaces?.text }, options.signal));
  }
  found.set(branch, { ...pull, stack: pull.stack ?? there?.stack });
  await recordPullRequest(workspace, member, pull, sight.authors.get(branch));
  return toOpened(
    member,
    pull,
    action,
    notes.find((each) => each !== undefined),
  );
}

/**
 * What is said of a new pull request in place of a closed one. Of one that was closed with its base, and cannot be opened again, that is
 * clear; else a person decides.
 */
function replaced(
  closed: PullRequest,
  { worktree }: StackedWorktree,
  { replace }: PullRequestOptions,
): { readonly text: string; readonly note: Message } | undefined {
  const { number, url } = closed;
  const lost = closed.baseGone === true;
  if (!lost && worktree.entry?.pr?.number !== number) return undefined;
  if (!lost && replace !== true) {
    throw new Problem('host-refused', githubMessages.pullRequestClosed({ number, name: worktree.name }), {
      next: githubMessages.reopenOrReplace({ url, name: worktree.name }),
      outcome: 'incomplete',
    });
  }
  const why = lost ? ', which was closed when its base was deleted' : '';
  return {
    text: `In place of #${number}${why}.`,
    note: lost ? githubMessages.replacesLost({ number }) : githubMessages.replacesClosed({ number }),
  };
}

/** What is said of a new pull request beside the one of the branch's former name. */
function ofFormerName(former: PullRequest | undefined): { readonly text: string; readonly note: Message } | undefined {
  if (!former) return undefined;
  const { number, head, url } = former;
  return {
    text: `In place of #${number}, whose branch ${head.branch} has another name now.`,
    note: githubMessages.replacesRenamed({ number, branch: head.branch, url }),
  };
}

function notOurs({ number, base }: PullRequest): Message {
  return githubMessages.leftAlone({ number, base: base.branch });
}

/** Why an open pull request does not have the base that it was to have. */
async function whyNot(
  { place }: PullsState,
  pull: PullRequest,
  base: string,
  signal: AbortSignal | undefined,
): Promise<Message> {
  const stack = pull.stack ?? (await getPullRequest(place.github, pull.number, signal))?.stack;
  return stack
    ? githubMessages.staysInStack({ base: pull.base.branch })
    : githubMessages.staysOnBase({ base: pull.base.branch, wanted: base });
}

/** What is told of a branch and its pull request. */
export function toOpened(
  { worktree, branch }: StackedWorktree,
  pull: PullRequest,
  action: Opened['action'],
  note: Message | undefined,
): Opened {
  const { number, url, draft, base } = pull;
  return { name: worktree.name, branch, number, url, base: base.branch, draft, action, note };
}
