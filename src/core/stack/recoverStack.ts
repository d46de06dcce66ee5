import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../base/problem.ts';
import type { JournalRecord } from '../operations/journal.ts';
import { findItsWorktrees } from '../relocation/relinkMoved.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { settleBatch, transactionOf, type StackJournal } from './apply.ts';
import {
  dropOperation,
  readOperation,
  writeOperation,
  type Move,
  type Operation,
  type Renaming,
} from '../operations/operationLog.ts';
import { CheckoutBackup } from './checkoutBackup.ts';
import { completeRenaming } from './rename.ts';
import { followTogether } from './followTogether.ts';
import { moveTogether, reversed, tipsNow } from './transaction.ts';

/** So long after it began, in milliseconds, no git process of a killed operation begins anything any more. */
const settlingTime = 2000;

/**
 * Completes or takes back an operation on stacks whose process has died. Git commits all branches or none; so once one of them has
 * moved, the others, the working trees and the registry follow, and otherwise the working trees are led back. Doing it twice is harmless.
 *
 * @throws Problem as {@link followTogether}, `dirty` also when a file was changed meanwhile that would have to be put back.
 */
export async function mendStack(workspace: Workspace, record: JournalRecord): Promise<void> {
  const { environment } = workspace;
  const age = environment.now().getTime() - Date.parse(record.started);
  if (age >= 0 && age < settlingTime) await delay(settlingTime - age);
  const written = await readOperation(workspace, (record.data as unknown as StackJournal).id);
  const operation = written && (await findItsWorktrees(workspace, written));
  if (operation?.renaming && operation.state === 'applying')
    return mendRenaming(workspace, operation, operation.renaming);
  const batch = operation?.pending;
  if (!operation || !batch) return;
  const tips = await tipsNow(workspace, batch.moves);
  const moved = batch.moves.filter(({ branch, to }) => tips.get(branch) === to);
  const open = batch.moves.filter(({ branch, from }) => tips.get(branch) === from);
  if (moved.length > 0) {
    await (await followTogether(workspace, moved)).drop();
    await moveTogether(workspace, { ...transactionOf(operation, batch), moves: open });
    await settleBatch(workspace, operation, batch);
    environment.log.info(`Completed: ${operation.title}.`);
    return;
  }
  for (const move of open) await leadBack(workspace, move);
  const before = { ...operation, pending: undefined };
  if (before.moves.length === 0 && !before.stop) await dropOperation(workspace, operation.id);
  else await writeOperation(workspace, { ...before, state: 'stopped' });
}

/** Where git was killed half-way its index does not know of the files that it has written; the backup does. */
async function leadBack(workspace: Workspace, move: Move): Promise<void> {
  for (const place of move.worktrees) {
    const backup = await CheckoutBackup.left(workspace, place);
    if (!backup || !(await backup.isUnfinished())) continue;
    const kept = await backup.restore();
    if (!kept) continue;
    const why = kept.again ? 'could not be written' : 'were changed since, so they were not put back';
    throw new Problem(kept.again ? 'not-writable' : 'dirty', `Files of ${place.path} ${why}.`, {
      next: kept.again
        ? 'see that there is space on the disk and that you may write there, then run the same again'
        : `their former contents are in ${kept.folder}; run the same again`,
      items: kept.paths,
      outcome: 'incomplete',
    });
  }
  await (await followTogether(workspace, [reversed(move)])).drop();
}

/** The branch tells how far it came; where only the name changes nothing had happened that would have to be taken back. */
async function mendRenaming(workspace: Workspace, operation: Operation, renaming: Renaming): Promise<void> {
  const { from, to } = renaming;
  const { git, repository } = workspace;
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${to.branch}`];
  const renamed = (await git.in(repository.commonDir).line(args)) !== undefined;
  if (renamed || from.branch === to.branch) await completeRenaming(workspace, operation, renaming);
  else await dropOperation(workspace, operation.id);
}
