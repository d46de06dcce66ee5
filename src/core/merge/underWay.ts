import { mergeMessages } from '../messages/merge.ts';
import type { Message } from '../messages/message.ts';
import type { Operation, Stop } from '../operations/operation.ts';
import { readOperations } from '../operations/store.ts';
import { samePlace } from '../base/paths.ts';
import { quoted } from '../base/quoted.ts';
import type { GitOperation, Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { mergeHeadIn } from './commits.ts';
import { readMerge, type MergeData } from './mergeData.ts';

/** An operation of git that can be continued and aborted; a bisection has another end. */
export type ContinuedOperation = Exclude<GitOperation, 'bisect'>;

/**
 * What is under way in a working tree, by who began it, because whoever began it must continue it: `restack` and `merge` are ours, `git`
 * is anything that was begun with git itself.
 */
export type UnderWay =
  | { readonly by: 'restack'; readonly operation: 'rebase'; readonly stopped: Operation; readonly stop: Stop }
  | { readonly by: 'merge'; readonly operation: 'merge'; readonly merge: MergeData }
  | { readonly by: 'git'; readonly operation: ContinuedOperation };

/**
 * Reads what is under way in a working tree; `undefined` where nothing is. A restack that has stopped there counts also when its rebase
 * was ended with git: it is still to be continued.
 *
 * @param operations those that are remembered, where they have been read already.
 */
export async function readUnderWay(
  workspace: Workspace,
  { gitDir, operation }: Pick<Worktree, 'gitDir' | 'operation'>,
  operations?: readonly Operation[],
): Promise<UnderWay | undefined> {
  if (gitDir === undefined) return undefined;
  if (operation === undefined || operation === 'rebase') {
    const known = operations ?? (await readOperations(workspace));
    for (const stopped of known) {
      const { state, stop } = stopped;
      if (state === 'stopped' && stop && (await samePlace(stop.gitDir, gitDir)))
        return { by: 'restack', operation: 'rebase', stopped, stop };
    }
  }
  if (operation === 'merge') {
    const merge = (await readMerge(workspace.repository, gitDir))?.data;
    // The person may have aborted ours with git and begun another one.
    if (merge && (await mergeHeadIn(gitDir)) === merge.theirs) return { by: 'merge', operation, merge };
  }
  return operation === undefined || operation === 'bisect' ? undefined : { by: 'git', operation };
}

/** The commands that continue and abort it, as a person types them in its working tree. */
export function commandsOf(underWay: UnderWay): { readonly goOn: string; readonly abort: string } {
  switch (underWay.by) {
    case 'restack':
      return { goOn: 'wt rebase --continue', abort: 'wt rebase --abort' };
    case 'merge': {
      const again = `wt merge ${quoted(underWay.merge.name)}`;
      return { goOn: again, abort: `${again} --abort` };
    }
    case 'git':
      return { goOn: `git ${underWay.operation} --continue`, abort: `git ${underWay.operation} --abort` };
  }
}

/** The next step of a person who wants something else while an operation is under way in a working tree. */
export async function continueOrAbort(
  workspace: Workspace,
  worktree: Pick<Worktree, 'gitDir' | 'operation' | 'path'>,
): Promise<Message> {
  const underWay = await readUnderWay(workspace, worktree);
  const { path, operation = 'rebase' } = worktree;
  const git = { goOn: `git ${operation} --continue`, abort: `git ${operation} --abort` };
  return mergeMessages.continueOrAbort({ path, operation, ...(underWay ? commandsOf(underWay) : git) });
}
