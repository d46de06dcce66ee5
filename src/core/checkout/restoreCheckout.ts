import { Problem } from '../base/problem.ts';
import type { Move } from '../operations/operation.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { CheckoutBackup } from './checkoutBackup.ts';
import { followTogether } from './followTogether.ts';
import { reversed } from './transaction.ts';
import { checkoutMessages } from '../messages/checkout.ts';

/**
 * Restores the working trees of a branch that did not move after all. Where git was killed half-way, its index does not know of the
 * files that it wrote; the backup does.
 *
 * @throws Problem as {@link followTogether}; `dirty` when a file was changed meanwhile, `not-writable` when one could not be written.
 */
export async function restoreCheckout(workspace: Workspace, move: Move): Promise<void> {
  for (const place of move.worktrees) {
    const backup = await CheckoutBackup.left(workspace, place);
    if (!backup || !(await backup.isUnfinished())) continue;
    const kept = await backup.restore();
    if (!kept) continue;
    const why = kept.again ? checkoutMessages.couldNotBeWritten() : checkoutMessages.changedSince();
    throw new Problem(kept.again ? 'not-writable' : 'dirty', checkoutMessages.filesOf({ placePath: place.path, why }), {
      next: kept.again
        ? checkoutMessages.seeSpaceDisk()
        : checkoutMessages.theirFormerContents({ folder: kept.folder }),
      items: kept.paths,
      outcome: 'incomplete',
    });
  }
  await (await followTogether(workspace, [reversed(move)])).drop();
}
