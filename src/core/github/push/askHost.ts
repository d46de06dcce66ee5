import { Problem } from '../../base/problem.ts';
import type { Snapshot } from '../../worktree/model.ts';
import { recordPullRequests } from '../../lifecycle/outcome.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { HostSession } from '../connect.ts';
import { readPulls, type PullsState } from '../pulls/readPulls.ts';
import { recordOthers } from '../pulls/record.ts';
import type { PullRequest } from '../pullRequest.ts';
import { worktreeGraph, type StackedWorktree } from '../../stack/graph.ts';
import type { PushOptions } from './model.ts';
import { githubMessages } from '../../messages/github.ts';

/**
 * Asks GitHub about the pull requests of what is pushed and of the stacks around it, where that can matter: a branch that is new has none.
 * That it cannot be asked keeps nobody from pushing, who needs git and nothing else.
 */
export async function askHost(
  workspace: Workspace,
  snapshot: Snapshot,
  asked: readonly {
    readonly members: readonly (StackedWorktree & { readonly tip: string })[];
    readonly tips: ReadonlyMap<string, string>;
  }[],
  { host, progress, signal }: PushOptions,
): Promise<{ sight?: PullsState; problem?: Problem }> {
  const pushed = asked.flatMap(({ members }) => members);
  const matters = asked.some(({ members, tips }) =>
    members.some(({ branch, tip, worktree: { entry } }) => {
      if (entry?.pr && entry.branch === branch) return true;
      return tips.get(branch) !== tip && (tips.has(branch) || entry?.lastPushed !== undefined);
    }),
  );
  if (!host || !matters) return {};
  progress?.(githubMessages.askingGitHub());
  try {
    return { sight: await readStacksAround(workspace, snapshot, await host(), pushed, signal) };
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return { problem: thrown };
  }
}

async function readStacksAround(
  workspace: Workspace,
  snapshot: Snapshot,
  session: HostSession,
  pushed: readonly (StackedWorktree & { readonly tip: string })[],
  signal: AbortSignal | undefined,
): Promise<PullsState> {
  const members = new Map<string, StackedWorktree>();
  for (const { worktree } of pushed)
    if (!members.has(worktree.branch ?? ''))
      for (const member of worktreeGraph(snapshot).stackOf(worktree.branch)) members.set(member.branch, member);
  // What a worktree of another tool has checked out is based on nothing.
  for (const member of pushed) if (!members.has(member.branch)) members.set(member.branch, member);
  const tips = new Map(pushed.map(({ branch, tip }) => [branch, tip]));
  // A branch that is pushed to no host has no pull request; that is no failure here.
  const question = { members: [...members.values()], wanted: new Set<string>(), into: new Set(tips.keys()), tips };
  const sight = await readPulls(workspace, snapshot, session, question, signal);
  await recordFoundPulls(workspace, sight.found, signal);
  await recordOthers(workspace, sight, pushed);
  return sight;
}

/** Records what became of pull requests. */
export async function recordFoundPulls(
  workspace: Workspace,
  found: ReadonlyMap<string, PullRequest>,
  signal?: AbortSignal,
): Promise<void> {
  const known = [...found].map(([branch, { number, state, head, mergeCommit }]) => ({
    ...{ branch, number, state, headCommit: head.oid },
    ...(mergeCommit === undefined ? {} : { mergeCommit }),
  }));
  await recordPullRequests(workspace, known, signal);
}
