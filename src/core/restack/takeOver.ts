import type { Message } from '../messages/message.ts';
import { readCommits } from '../git/commitObject.ts';
import { isPushedWhereFetched, readPushRemotes } from '../git/pushRemotes.ts';
import { commitsOfOthers, type CommitsOfOthers } from '../integration/commitsOfOthers.ts';
import { isObject } from '../base/jsonText.ts';
import { quoted } from '../base/quoted.ts';
import { tipsOf, type Branches } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { CommitSettings } from './commitSettings.ts';
import type { CommitWriter } from './commitWriter.ts';
import type { StackBranch } from '../stack/model.ts';
import type { BranchPlan } from './plan.ts';
import { replay, subjectOf } from './replay.ts';
import { restackMessages } from '../messages/restack.ts';

/** Commits of others on the remote's branch. */
export interface RemoteWork extends CommitsOfOthers {
  /** The remote's branch for people. */
  readonly label: string;
}

/**
 * Finds the branches with commits of others on the remote that each is pushed to, as fetched last. Asks git only where the remote differs
 * from the last push.
 *
 * @param sources.trunks the tip of the trunk, and the requested base.
 * @returns by branch.
 */
export async function findRemoteWork(
  { git, repository, configuration }: Workspace,
  branches: readonly StackBranch[],
  { branches: all, trunks }: { readonly branches: Branches; readonly trunks: readonly string[] },
  signal: AbortSignal | undefined,
): Promise<Map<string, RemoteWork>> {
  const { remote: configured } = configuration.stack;
  const found = new Map<string, RemoteWork>();
  const names = branches.map(({ branch }) => branch);
  const tracked = all.remote.oids.keys();
  const remotes = await readPushRemotes(git, repository.commonDir, names, { configured, tracked }, signal);
  await Promise.all(
    branches.map(async ({ branch, tip, entry, base }) => {
      const remote = remotes.get(branch) ?? configured;
      const there = all.remote.oids.get(`refs/remotes/${remote}/${branch}`);
      const pushed = entry?.branch === branch && isObject(entry.lastPushed) ? entry.lastPushed : undefined;
      const lastPushed = typeof pushed?.['oid'] === 'string' ? pushed['oid'] : undefined;
      if (there === undefined || there === tip || there === lastPushed) return;
      // The same name on another remote is another branch.
      if (pushed !== undefined && pushed['remote'] !== remote) return;
      const below =
        base === undefined || base === branch ? [] : [configured, remote].map((at) => tipsOf(all, base, at));
      const bases = [...trunks, ...below.flatMap((tips) => [tips.local, tips.remote])];
      const known = bases.filter((oid) => oid !== undefined);
      const question = { branch, local: tip, remote: there, lastPushed, bases: known, signal };
      const work = await commitsOfOthers(git, repository.commonDir, question);
      if (work.commits.length === 0 || work.state === 'unknown') return;
      if (await isPushedWhereFetched(git, repository.commonDir, remote, signal))
        found.set(branch, { ...work, label: `${remote}/${branch}` });
    }),
  );
  return found;
}

/** A plan with the commits that were taken over. */
export interface TakenOver {
  readonly plan: BranchPlan;
  /** The files of the branch then, where that has changed anything. */
  readonly tree?: string;
}

/**
 * Applies commits of others on the remote on top of a planned branch, as `git cherry-pick` would. If they conflict, the plan stays and a
 * note names the command for a person.
 */
export async function takeOver(
  workspace: Workspace,
  writer: CommitWriter,
  plan: BranchPlan,
  work: RemoteWork,
  settings: CommitSettings,
  signal: AbortSignal | undefined,
): Promise<TakenOver> {
  if (plan.outcome !== 'moves' && plan.outcome !== 'current') return { plan };
  const { git, repository } = workspace;
  const theirs = await readCommits(git, repository.commonDir, work.commits, signal);
  const commits = work.commits.map((oid) => theirs.get(oid)).filter((commit) => commit !== undefined);
  const parents = commits.flatMap((commit) => commit.parents);
  await writer.settled();
  const around = await readCommits(git, repository.commonDir, [plan.to, ...parents], signal);
  const what = restackMessages.commitsByOthers({
    what: commits.length === 1 ? restackMessages.aCommit() : restackMessages.commits({ count: commits.length }),
    commits: commits.map((commit) => `${commit.oid.slice(0, 10)} ${JSON.stringify(subjectOf(commit))}`).join(', '),
  });
  const byHand = (why: Message): TakenOver => {
    const [checkout] = plan.checkouts;
    const pick = `git ${checkout ? `-C ${quoted(checkout.path)} ` : ''}cherry-pick -x ${commits.map(({ oid }) => oid.slice(0, 10)).join(' ')}`;
    return {
      plan: { ...plan, notes: [...plan.notes, restackMessages.appliesHere({ label: work.label, what, why, pick })] },
    };
  };
  if (work.state === 'merges') return byHand(restackMessages.includingMergesNothing());
  const treeOf = new Map([...around].map(([oid, { tree }]) => [oid, tree]));
  const result = await replay(workspace, writer, { commits, onto: plan.to, treeOf, settings }, signal);
  if ('conflict' in result)
    return byHand(restackMessages.butConflictsLocal({ subject: JSON.stringify(result.conflict.subject) }));
  // All of it is here already, in some form.
  if (result.tip === plan.to) return { plan };
  const note = restackMessages.tookOver({ label: work.label, what });
  const count = plan.commits + result.commits;
  return {
    plan: { ...plan, outcome: 'moves', to: result.tip, commits: count, notes: [...plan.notes, note] },
    tree: result.tree,
  };
}
