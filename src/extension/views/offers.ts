import { isPushable } from '../../core/github/push/isPushable.ts';
import { sessionOfLock } from '../../core/remove/liveSessions.ts';
import { isUnadopted } from '../../core/worktree/unadopted.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { RowFacts } from './rowFacts.ts';

/**
 * What the menu of a row has beside what helps in its state: the manifest asks for `can:<offer>` in `contextValue`. None is one that would be
 * refused, by all that is known of the worktree.
 */
export type Offer =
  'changes' | 'carry' | 'message' | 'adopt' | 'merge' | 'share' | 'pull' | 'pulls' | 'rename' | 'remove';

/** The offers of a worktree's row. */
export function offersOf(worktree: Worktree, row: RowFacts): Offer[] {
  const { condition, changes, operation, bare } = worktree;
  const there = condition === 'fine' && !bare;
  const shares = canShare(worktree, row);
  const onGitHub = shares && row.sharing !== 'push';
  const offers: Readonly<Record<Offer, boolean>> = {
    changes: there && (changes?.total ?? 0) > 0,
    carry: canCarry(worktree) && row.stack?.stopped === undefined,
    message: there && operation === undefined && !row.stack?.stopped && (changes?.total ?? 0) > 0,
    adopt: there && isUnadopted(worktree) && worktree.branch !== undefined && worktree.branch !== row.trunk,
    merge: canMerge(worktree) && worktree.branch !== row.trunk && row.stack?.stopped?.here !== true,
    share: shares,
    pull: onGitHub && hasOwnCommits(worktree),
    pulls: onGitHub,
    rename: canRename(worktree) && row.stack?.stopped === undefined,
    remove: canRemove(worktree),
  };
  return (Object.keys(offers) as Offer[]).filter((offer) => offers[offer]);
}

/** Whether there is uncommitted work that could go elsewhere. */
export function canCarry({ changes, condition, operation }: Worktree): boolean {
  return (changes?.total ?? 0) > 0 && changes?.conflicts === 0 && condition === 'fine' && operation === undefined;
}

/** Whether uncommitted work of another worktree could come here: what is there already may be in the way, which is told. */
export function canTake({ changes, condition, operation }: Worktree): boolean {
  return condition === 'fine' && operation === undefined && (changes?.conflicts ?? 0) === 0;
}

/** Whether a worktree has a name of its own, which nothing that is under way needs. */
export function canRename({ main, entry, branch, operation }: Worktree): boolean {
  return !main && entry !== undefined && branch !== undefined && operation === undefined;
}

/** Whether a worktree has a branch whose commits are where they will be. */
export function canMerge({ main, branch, operation }: Worktree): boolean {
  return !main && branch !== undefined && operation !== 'rebase' && operation !== 'am';
}

/** Whether nobody has locked it; a lock that a session of Claude Code has left is none. */
function canRemove({ main, lockReason }: Worktree): boolean {
  return !main && (lockReason === undefined || sessionOfLock(lockReason) !== undefined);
}

/** Until it is known where branches can be shared, it is not said that they cannot be. */
function canShare(worktree: Worktree, { sharing, trunk, stack }: RowFacts): boolean {
  return !worktree.main && sharing !== 'nowhere' && stack?.stopped?.here !== true && isPushable(worktree, trunk);
}

function hasOwnCommits({ base }: Worktree): boolean {
  return base?.distance === undefined || base.distance.ahead > 0;
}
