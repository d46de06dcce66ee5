import { isPushable } from '../../core/github/push/isPushable.ts';
import { isToReview, workOf } from '../../core/snapshot/facts.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import type { RowFacts } from './rowFacts.ts';

/**
 * The one thing to do next with a worktree. Each is a button on its row: the manifest asks for `next=<step>` in `contextValue`.
 * `resolve`: there are conflicts; `continue`: a rebase or a merge that has none left waits to be continued.
 */
export type NextStep =
  | 'repair'
  | 'remove'
  | 'goToAgent'
  | 'resolve'
  | 'continue'
  | 'review'
  | 'openChanges'
  | 'restack'
  | 'createPullRequest'
  | 'push'
  | 'openPullRequest'
  | 'open';

/** What to do next with a worktree; `undefined` where nothing of ours would help. Never what would be refused. */
export function nextStepOf(worktree: Worktree, row: RowFacts): NextStep | undefined {
  const { condition, staleLink, main, bare, lockReason, changes, operation } = worktree;
  if (condition === 'moved' || (condition === 'fine' && staleLink)) return main ? undefined : 'repair';
  // Who waits is in a terminal, whatever has become of the folder.
  if (row.agents?.activity === 'waiting') return 'goToAgent';
  // The disk of a locked one is only away, and what else has gone wrong has to be seen to in the folder.
  if (condition === 'missing') return main || lockReason !== undefined ? undefined : 'remove';
  if (condition !== 'fine' || bare) return undefined;
  if (changes && changes.conflicts > 0) return 'resolve';
  if ((operation && operation !== 'bisect') || row.stack?.stopped?.here) return 'continue';
  if (isToReview(row.agents)) return 'review';
  if (changes && changes.total > 0) return 'openChanges';
  // What waits for another one is moved with it, and a bisection goes on in a terminal.
  if (row.stack?.stopped || operation === 'bisect') return row.here ? undefined : 'open';
  if (row.stack?.toRestack !== undefined) return 'restack';
  if (row.finished && lockReason === undefined) return 'remove';
  return shareStep(worktree, row) ?? (row.here ? undefined : 'open');
}

/** Where work goes once it is committed; a locked worktree is left alone. */
function shareStep(worktree: Worktree, { pull, sharing, trunk }: RowFacts): NextStep | undefined {
  const { main, base, upstream, lockReason } = worktree;
  if (main || lockReason !== undefined || !isPushable(worktree, trunk)) return undefined;
  const isUnpushed = !upstream || upstream.gone || (upstream.distance?.ahead ?? 0) > 0;
  const ended = workOf(worktree);
  if (pull) return isUnpushed && upstream && !upstream.gone && ended === 'open' ? 'push' : 'openPullRequest';
  const hasOwn = (base?.distance?.ahead ?? 0) > 0 && ended !== 'merged';
  if (!hasOwn || sharing === undefined || sharing === 'nowhere') return undefined;
  if (sharing === 'pullRequests') return 'createPullRequest';
  return isUnpushed ? 'push' : undefined;
}
