import { Problem, stopIfCancelled } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { isAncestor } from './commits.ts';
import { endCommittedMerge } from './emptyMerge.ts';
import { forgetMerge, readMerge, takeOverMerge, withMergeLock, type MergeData } from './mergeData.ts';
import { restoreMergeHead } from './mergeHead.ts';
import type { Aborted, MergeOptions } from './model.ts';
import { rollBackMerge } from './rollBackMerge.ts';
import { readTarget, type MergeTarget } from './target.ts';

/**
 * Rolls back a merge that is under way: the files as they were, the submodules that it moved, and files that it made and git left.
 * What a person has done during the merge is kept in a ref. A merge that is committed is not touched.
 *
 * @param name what the person called it; it must be the merge that is under way.
 * @param into the root of the working tree that it is merged into.
 * @throws Problem `not-found` (outcome incomplete) when no such merge is under way; `in-use` for another one.
 */
export async function abortMerge(
  workspace: Workspace,
  name: string,
  into: string,
  options: Pick<MergeOptions, 'progress' | 'signal'> = {},
): Promise<Aborted> {
  const { gitDir } = await readTarget(workspace, into, options.signal);
  return withMergeLock(workspace, gitDir, options.signal, async () => {
    const data = (await readMerge(workspace.repository, gitDir))?.data;
    const found = await endCommittedMerge(workspace, await readTarget(workspace, into, options.signal));
    const target = await restoreMergeHead(workspace, found, data);
    await requireAbortable(workspace, name, target, data);
    if (data === undefined) throw notUnderWay(name, target);
    stopIfCancelled(options.signal);
    options.progress?.(`Taking back the merge of ${data.name}`);
    // Killed from here on, recovery rolls it back.
    const pending = await takeOverMerge(workspace, { ...data, aborting: true }, false);
    try {
      const aborted = await rollBackMerge(workspace, target, data);
      await forgetMerge(gitDir);
      await pending.close();
      return aborted;
    } catch (thrown) {
      await pending.note(data).catch(() => undefined);
      await pending.pause();
      throw thrown;
    }
  });
}

async function requireAbortable(
  { git }: Workspace,
  name: string,
  target: MergeTarget,
  data: MergeData | undefined,
): Promise<void> {
  const { root, head, mergeHead, operation } = target;
  const refused = (why: string, next: string): Problem =>
    new Problem('in-use', `Nothing was rolled back: ${why}.`, { next, outcome: 'incomplete' });
  if (data === undefined || (mergeHead !== undefined && mergeHead !== data.theirs)) {
    if (operation !== 'merge') throw notUnderWay(name, target);
    throw refused(`the merge under way in ${root} was not begun by \`wt\``, 'use `git merge --abort` there');
  }
  if (![data.name, data.slug, data.branch].includes(name)) {
    throw refused(
      `the merge under way in ${root} is that of ${data.name}`,
      `run \`wt merge ${quoted(data.name)} --abort\``,
    );
  }
  if (mergeHead !== undefined || head === undefined) return;
  if (data.commit === undefined && !(await isAncestor(git, { cwd: root }, data.theirs, head))) return;
  const commit = data.commit ?? head;
  // Undone after it was committed: only its checks were pending.
  if (!(await isAncestor(git, { cwd: root }, commit, head))) throw notUnderWay(name, target);
  throw refused(
    `${data.name} is merged and committed as ${commit.slice(0, 12)}`,
    head === commit
      ? `if it was not pushed, \`wt undo\` takes it back; else \`git revert -m 1 ${commit.slice(0, 12)}\` in ${root}`
      : `\`git revert -m 1 ${commit.slice(0, 12)}\` in ${root} undoes it with a new commit`,
  );
}

function notUnderWay(name: string, { root }: MergeTarget): Problem {
  return new Problem('not-found', `No merge of ${name} is under way in ${root}.`, {
    next: 'run `wt merge --abort` in the worktree that it is merged into',
    outcome: 'incomplete',
  });
}
