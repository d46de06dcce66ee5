import { Problem } from '../base/problem.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { addedFiles, whyNotFollow } from '../checkout/blockers.ts';
import { checkoutsOf } from '../checkout/checkout.ts';
import { indexLockProblem } from '../checkout/indexLock.ts';
import type { Worktree } from '../worktree/model.ts';
import type { Batch, Operation } from '../operations/operation.ts';
import { readStack } from '../stack/readStack.ts';
import { restackMessages } from '../messages/restack.ts';

/**
 * What takes an operation back: every branch that it moved, to where it was, and what the registry said. Working trees are those that
 * have the branches checked out now.
 *
 * @throws Problem `in-use` when a branch is not where the operation left it, `dirty` when a working tree could not follow.
 */
export async function backward(workspace: Workspace, operation: Operation, signal?: AbortSignal): Promise<Batch> {
  const { snapshot, branches } = await readStack(workspace, { signal });
  const stale = operation.moves.filter(({ branch, to }) => branches.local.get(branch)?.oid !== to);
  if (stale.length > 0) {
    throw new Problem('in-use', restackMessages.cannotUndoneBecause({ title: operation.title }), {
      next: restackMessages.theirFormerCommits({ id: operation.id }),
      items: stale.map(({ branch, from }) =>
        branches.local.has(branch)
          ? `${branch} (was ${from.slice(0, 12)} before)`
          : `${branch} is gone (was ${from.slice(0, 12)} before)`,
      ),
      outcome: 'incomplete',
    });
  }
  const moves = operation.moves.map(({ branch, from, to }) => ({
    branch,
    from: to,
    to: from,
    worktrees: checkoutsOf(snapshot.worktrees.filter((each) => each.branch === branch)),
  }));
  refuseUnseen(operation, snapshot.worktrees);
  const added = await addedFiles(workspace, moves, signal);
  for (const move of moves) {
    for (const checkout of move.worktrees) {
      const found = await whyNotFollow(
        workspace,
        checkout,
        { ...move, added: added.get(move.to) ?? [], tryIt: true },
        signal,
      );
      if (!found) continue;
      if (found.lock)
        throw indexLockProblem(
          checkout,
          found.lock,
          restackMessages.cannotGoBackNothingMoved({ checkoutPath: checkout.path, moveBranch: move.branch }),
        );
      throw new Problem(
        'dirty',
        restackMessages.cannotGoBack({ checkoutPath: checkout.path, moveBranch: move.branch, why: found.why }),
        {
          next:
            found.next ??
            (found.files.length > 0
              ? restackMessages.commitThemMove({ checkoutPath: checkout.path })
              : restackMessages.finishThatAgain({ path: checkout.path })),
          items: found.files,
          outcome: 'incomplete',
        },
      );
    }
  }
  const entries = operation.entries.map(({ name, path, before, after }) => ({
    name,
    path,
    before: after,
    after: before,
  }));
  return { moves, entries, remaining: [] };
}

/** A branch that moves without the files of its worktree would make them look like changes, once they are seen again. */
function refuseUnseen({ title, moves }: Operation, worktrees: readonly Worktree[]): void {
  const branches = new Set(moves.map(({ branch }) => branch));
  const unseen = worktrees.filter((each) => each.condition !== 'fine' && branches.has(each.branch ?? ''));
  if (unseen.length === 0) return;
  throw new Problem('in-use', restackMessages.cannotUndoneNow({ title }), {
    next: restackMessages.makeThemVisible(),
    items: unseen.map(({ name, path }) => `${name}: ${path}`),
    outcome: 'incomplete',
  });
}
