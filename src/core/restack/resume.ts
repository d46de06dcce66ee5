import { Problem } from '../base/problem.ts';
import { refuseDamagedIndex } from '../git/damagedIndex.ts';
import { quoted } from '../base/quoted.ts';
import { withCurrentPaths } from './currentPaths.ts';
import { readAdminDirState } from '../remove/adminDirState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { applyBatch } from './apply.ts';
import { rebaseInPlace } from './rebaseInPlace.ts';
import { refuseLocked } from '../checkout/indexLock.ts';
import { readOperations } from '../operations/store.ts';
import type { Operation, Stop } from '../operations/operation.ts';
import { backward } from './backward.ts';
import type { RestackOptions } from './prepareRestack.ts';
import { continueOperation, type Restacked } from './restack.ts';
import { advanceRebase, followingStop, withNotes } from './pausedRebase.ts';
import { restackMessages } from '../messages/restack.ts';

/**
 * The operation that has stopped and that a branch belongs to; without a branch the only one there is.
 *
 * @throws Problem `not-found` when there is none, `ambiguous` when several have stopped and none is named.
 */
export async function stoppedOperation(workspace: Workspace, branch: string | undefined): Promise<Operation> {
  const stopped = (await readOperations(workspace)).filter(({ state }) => state === 'stopped');
  const own = stopped.find((each) => isAbout(each, branch));
  const [first, second] = stopped;
  const found = own ?? (second ? undefined : first);
  if (found) return found;
  if (second) {
    throw new Problem('ambiguous', restackMessages.operationsStoppedNone({ count: stopped.length }), {
      next: restackMessages.nameOneWorktrees(),
      items: stopped.map(({ stop, title }) => `${stop?.name ?? '?'}: ${title}`),
    });
  }
  throw new Problem('not-found', restackMessages.noStoppedRebase(), {
    next: restackMessages.logListsPast(),
  });
}

/** Whether a branch is one of those that an operation moves. */
export function isAbout({ stop, remaining, moves }: Operation, branch: string | undefined): boolean {
  return [stop?.branch, ...remaining, ...moves.map((move) => move.branch)].includes(branch);
}

/**
 * Continues a stopped rebase with the resolved files, or skips its commit. When the person has ended it with `git rebase --abort`, the
 * whole operation is rolled back.
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
    const driven = await advanceRebase(workspace, at, step, options.signal);
    if (driven.stopped) return { ...nothing, operation: driven.operation, stop: driven.stopped, aborted: false };
    if (driven.givenUp)
      return { ...nothing, operation: await abortStopped(workspace, at), stop: undefined, aborted: true };
    at = driven.operation;
  }
  return { ...(await continueOperation(workspace, at, { ...nothing, ...options })), aborted: false };
}

/**
 * Aborts a stopped rebase and rolls back the operation: every branch and every worktree is as before.
 *
 * @throws Problem `in-use` when a branch has been moved since, `dirty` when something uncommitted is in the way, `inconsistent` for a damaged
 * index: nothing is rolled back then.
 */
export async function abortStopped(workspace: Workspace, stopped: Operation): Promise<Operation> {
  const { operation } = await withCurrentPaths(workspace, { operation: stopped });
  const { stop } = operation;
  if (stop?.started) await refuseLocked(workspace, stop, restackMessages.couldNotAbort({ stopName: stop.name }));
  const batch = await backward(workspace, operation);
  if (stop?.started && (await readAdminDirState(stop.gitDir)).operation === 'rebase') await endRebase(workspace, stop);
  const notes = stop?.started ? await followingStop(workspace, stop, stop.from) : [];
  return applyBatch(workspace, withNotes(operation, notes), { ...batch, aborts: true });
}

async function endRebase(workspace: Workspace, stop: Stop): Promise<void> {
  // Git would delete files whose entries it has lost.
  await refuseDamagedIndex(workspace.git, stop.path);
  const answer = await rebaseInPlace(workspace, stop, { args: ['rebase', '--abort'], kind: 'end' });
  if (answer.exitCode === 0) return;
  throw new Problem('git-failed', restackMessages.gitCouldNotAbort({ stopPath: stop.path }), {
    next: restackMessages.seeOutputThenAbort({ stopName: quoted(stop.name) }),
    items: answer.stderr.trim().split('\n').slice(0, 10),
    outcome: 'incomplete',
  });
}
