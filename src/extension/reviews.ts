import { DisposableStore, type Disposable } from '../core/base/disposable.ts';
import { messageOf } from '../core/base/problem.ts';
import { throttle } from '../core/base/throttle.ts';
import { readNotices } from '../core/claude/agentNotices.ts';
import { workOf } from '../core/snapshot/facts.ts';
import { diffFromBase } from '../core/snapshot/diff.ts';
import type { Worktree } from '../core/worktree/model.ts';
import type { RepositoryModel } from './repository/repositoryModel.ts';
import type { RepositoryState } from './repository/repositoryState.ts';
import type { Services } from './services/services.ts';

/**
 * Counts in the background what there is to review where agents are done, and tells it to the rows. A worktree is compared with its base again
 * only when something has changed in it.
 */
export function watchReviews({ repositories, log }: Services): Disposable {
  const store = new DisposableStore();
  const counters = new WeakMap<RepositoryModel, () => Promise<void>>();
  const look = (): void => {
    for (const model of repositories.models) {
      let count = counters.get(model);
      if (!count) counters.set(model, (count = counterOf(model, (words) => log.warn(words))));
      void count();
    }
  };
  store.add(repositories.onDidChange(look));
  look();
  return store;
}

function counterOf(model: RepositoryModel, warn: (words: string) => void): () => Promise<void> {
  const counts = new Map<string, { readonly key: string; readonly files: number }>();
  return throttle(async () => {
    const { state } = model;
    if (!state) return;
    const done = state.worktrees.filter((worktree) => isDone(state, worktree));
    if (done.length === 0 && state.toReview.size === 0) return;
    try {
      const { reviewed } = await readNotices(model.repository.commonDir);
      const toReview = new Map<string, number>();
      for (const worktree of done) {
        const { name, head, changes } = worktree;
        const finished = state.agents.get(name)?.finished ?? '';
        if (finished <= (reviewed.get(name) ?? '')) continue;
        const key = JSON.stringify([finished, head, changes, worktree.base]);
        const known = counts.get(name);
        const files =
          known?.key === key ? known.files : (await diffFromBase(await model.workspace(), worktree)).files.length;
        counts.set(name, { key, files });
        toReview.set(name, files);
      }
      model.update({ kind: 'toReview', toReview });
    } catch (thrown) {
      warn(`What there is to review could not be counted: ${messageOf(thrown)}`);
    }
  });
}

/** Whether agents are done in a worktree, and its work is still to be reviewed by somebody. */
function isDone({ agents }: RepositoryState, worktree: Worktree): boolean {
  if (worktree.condition !== 'fine' || worktree.bare || worktree.main || !worktree.changes) return false;
  return agents.get(worktree.name)?.finished !== undefined && workOf(worktree) !== 'merged';
}
