import { Problem } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import { withCurrentPaths } from './currentPaths.ts';
import { readRecord } from '../remove/privateRefs.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { applyBatch } from './apply.ts';
import { rebaseInPlace } from './rebaseInPlace.ts';
import { refuseLocked } from './indexLock.ts';
import { readOperations } from '../operations/store.ts';
import type { Operation, Stop } from '../operations/operation.ts';
import { backward } from './inverse.ts';
import { goOn, type RestackOptions, type Restacked } from './restack.ts';
import { driveStop, followingStop, withNotes } from './pausedRebase.ts';

/**
 * The operation that has stopped and that a branch belongs to; without a branch the only one there is.
 *
 * @throws Problem `not-found` when there is none, `ambiguous` when several have stopped and none is named.
 */
export async function stoppedOperation(workspace: Workspace, branch: string | undefined): Promise<Operation> {
  const stopped = (await readOperations(workspace)).filter(({ state }) => state === 'stopped');
  const own = stopped.find(({ stop, remaining, moves }) =>
    [stop?.branch, ...remaining, ...moves.map((move) => move.branch)].includes(branch),
  );
  const [first, second] = stopped;
  const found = own ?? (second ? undefined : first);
  if (found) return found;
  if (second) {
    throw new Problem(
      'ambiguous',
      `${stopped.length} operations have stopped, and none of them is about this worktree.`,
      {
        next: 'name one of the worktrees below',
        items: stopped.map(({ stop, title }) => `${stop?.name ?? '?'}: ${title}`),
      },
    );
  }
  throw new Problem('not-found', 'No rebase of a stack has stopped, so there is nothing to go on with.', {
    next: '`wt log` shows what was done; a rebase that you began with git is continued with git',
  });
}

/**
 * Goes on with a rebase that has stopped: with what was resolved, or without the commit that it stopped at. When the person has ended it
 * with git's own `rebase --abort`, all of the operation is taken back.
 *
 * @throws Problem `conflict` when files are still in conflict.
 */
export async function continueStopped(
  workspace: Workspace,
  operation: Operation,
  step: 'continue' | 'skip',
  options: RestackOptions = {},
): Promise<Restacked & { readonly aborted: boolean }> {
  const nothing = { branches: [], notes: [] };
  let { operation: at } = await withCurrentPaths(workspace, { operation });
  if (at.stop?.started) {
    const driven = await driveStop(workspace, at, step, options.signal);
    if (driven.stopped) return { ...nothing, operation: driven.operation, stop: driven.stopped, aborted: false };
    if (driven.givenUp)
      return { ...nothing, operation: await abortStopped(workspace, at), stop: undefined, aborted: true };
    at = driven.operation;
  }
  return { ...(await goOn(workspace, at, { ...nothing, ...options })), aborted: false };
}

/**
 * Ends a rebase that has stopped, and takes back what the operation has done before: every branch and every working tree is as it was.
 *
 * @throws Problem `in-use` when a branch has been moved since, `dirty` when something uncommitted is in the way: nothing is taken back then.
 */
export async function abortStopped(workspace: Workspace, stopped: Operation): Promise<Operation> {
  const { operation } = await withCurrentPaths(workspace, { operation: stopped });
  const { stop } = operation;
  if (stop?.started) await refuseLocked(workspace, stop, `The rebase of ${stop.name} could not be ended`);
  const batch = await backward(workspace, operation);
  if (stop?.started && (await readRecord(stop.gitDir)).operation === 'rebase') await endRebase(workspace, stop);
  const notes = stop?.started ? await followingStop(workspace, stop, stop.from) : [];
  return applyBatch(workspace, withNotes(operation, notes), { ...batch, aborts: true });
}

async function endRebase(workspace: Workspace, stop: Stop): Promise<void> {
  const answer = await rebaseInPlace(workspace, stop, { args: ['rebase', '--abort'], kind: 'end' });
  if (answer.exitCode === 0) return;
  throw new Problem('git-failed', `Git could not end the rebase in ${stop.path}.`, {
    next: `see what it says there, then run \`wt rebase ${quoted(stop.name)} --abort\` again`,
    items: answer.stderr.trim().split('\n').slice(0, 10),
    outcome: 'incomplete',
  });
}
