import type { Message } from '../messages/message.ts';
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
import { mergeMessages } from '../messages/merge.ts';

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
    options.progress?.(mergeMessages.rollingBack({ name: data.name }));
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
  const refused = (why: Message, next: Message): Problem =>
    new Problem('in-use', mergeMessages.nothingRolledBack({ why }), { next, outcome: 'incomplete' });
  if (data === undefined || (mergeHead !== undefined && mergeHead !== data.theirs)) {
    if (operation !== 'merge') throw notUnderWay(name, target);
    throw refused(mergeMessages.mergeUnderWay({ root }), mergeMessages.useGitMerge());
  }
  if (![data.name, data.slug, data.branch].includes(name)) {
    throw refused(
      mergeMessages.anotherUnderWay({ root, name: data.name }),
      mergeMessages.abortFirst({ name: quoted(data.name) }),
    );
  }
  if (mergeHead !== undefined || head === undefined) return;
  if (data.commit === undefined && !(await isAncestor(git, { cwd: root }, data.theirs, head))) return;
  const commit = data.commit ?? head;
  // Undone after it was committed: only its checks were pending.
  if (!(await isAncestor(git, { cwd: root }, commit, head))) throw notUnderWay(name, target);
  throw refused(
    mergeMessages.mergedCommitted({ name: data.name, commit: commit.slice(0, 12) }),
    head === commit
      ? mergeMessages.undoOrRevert({ commit: commit.slice(0, 12), root })
      : mergeMessages.gitRevertM({ commit: commit.slice(0, 12), root }),
  );
}

function notUnderWay(name: string, { root }: MergeTarget): Problem {
  return new Problem('not-found', mergeMessages.noMergeUnder({ name, root }), {
    next: mergeMessages.abortInTarget(),
    outcome: 'incomplete',
  });
}
