import { DisposableStore, type Disposable } from '../core/base/disposable.ts';
import { messageOf } from '../core/base/problem.ts';
import { throttle } from '../core/base/throttle.ts';
import { Git } from '../core/git/git.ts';
import { predict } from '../core/restack/predict.ts';
import { PredictionCache } from '../core/restack/predictionCache.ts';
import type { StackState } from '../core/stack/readStack.ts';
import type { Worktree } from '../core/worktree/model.ts';
import { debounce } from './base/debounce.ts';
import type { RepositoryModel } from './repository/repositoryModel.ts';
import type { RepositoryState } from './repository/repositoryState.ts';
import type { Services } from './services/services.ts';

/** Milliseconds without a further change before conflicts are predicted, and after which they are predicted in any case. */
const quiet = 800;
const longestWait = 10_000;
/** So many worktrees, those with the latest activity, are compared; pairs grow with the square. */
const mostWorktrees = 60;
/** A worktree with more uncommitted files is left out: all of them would have to be read. */
const mostChanges = 2000;
/** Milliseconds after which a reading is given up. */
const longest = 120_000;

/**
 * Looks in the background for the conflicts that would come, while somebody sees the view, and tells them to the rows. Nothing waits for
 * it: it has git processes of its own, two at a time.
 */
export function watchPredictions({ repositories, view, log }: Services): Disposable {
  const store = new DisposableStore();
  const predictors = new Map<RepositoryModel, Predictor>();
  const isSeen = (): boolean => view.tree.visible;
  const look = (): void => {
    const { models } = repositories;
    for (const [model, predictor] of predictors) {
      if (models.includes(model)) continue;
      predictor.dispose();
      predictors.delete(model);
    }
    for (const model of models) {
      let predictor = predictors.get(model);
      if (!predictor) predictors.set(model, (predictor = predictorOf(model, isSeen, (words) => log.warn(words))));
      predictor.look();
    }
  };
  store.add(repositories.onDidChange(look));
  store.add(view.tree.onDidChangeVisibility(look));
  store.add({ dispose: () => predictors.forEach((predictor) => predictor.dispose()) });
  look();
  return store;
}

interface Predictor extends Disposable {
  /** To be called whenever the repository or the visibility of the view may have changed. */
  look(): void;
}

function predictorOf(model: RepositoryModel, isSeen: () => boolean, warn: (words: string) => void): Predictor {
  let cache: PredictionCache | undefined;
  let latest: object | undefined;
  let running: AbortController | undefined;
  let hasGivenWay = false;
  let ended = false;

  // One at a time: the end of one that is cancelled is waited for.
  const run = throttle(async () => {
    const { state } = model;
    if (ended || !isSeen() || !state?.stacks || !isComplete(state)) return;
    running = new AbortController();
    const timer = setTimeout(() => running?.abort(), longest);
    try {
      const { git, ...workspace } = await model.workspace();
      cache ??= await PredictionCache.load(model.repository);
      const { signal } = running;
      const asked = { ...workspace, git: new Git(workspace.environment, { binary: git.binary, concurrency: 2 }) };
      const { conflicts } = await predict(asked, mostActive(state, state.stacks.state), { cache, signal });
      hasGivenWay = false;
      model.update({ kind: 'predicted', predicted: conflicts });
      await cache.keep(model.repository);
    } catch (thrown) {
      if (running.signal.aborted) return;
      warn(`Conflicts that would come could not be looked for: ${messageOf(thrown)}`);
    } finally {
      clearTimeout(timer);
      running = undefined;
    }
  });
  const soon = debounce(() => void run(), quiet, longestWait);

  return {
    look: () => {
      if (!isSeen()) {
        running?.abort();
        latest = undefined;
        return;
      }
      const snapshot = model.state?.snapshot;
      if (!snapshot || snapshot === latest) return;
      latest = snapshot;
      // Outdated; but where agents never rest, every second one is let finish.
      if (running && !hasGivenWay) {
        hasGivenWay = true;
        running.abort();
      }
      soon();
    },
    dispose: () => {
      ended = true;
      soon.dispose();
      running?.abort();
    },
  };
}

/** Whether the changes of every worktree have been read; at first the view shows the worktrees without. */
function isComplete({ worktrees }: RepositoryState): boolean {
  return worktrees.every(({ condition, changes, trouble }) => condition !== 'fine' || changes || trouble !== undefined);
}

function mostActive({ worktrees, snapshot }: RepositoryState, state: StackState): StackState {
  const isSmall = ({ changes }: Worktree): boolean => (changes?.total ?? 0) <= mostChanges;
  const compared = new Set(worktrees.filter((each) => !each.main && isSmall(each)).slice(0, mostWorktrees));
  return { ...state, snapshot: { ...snapshot, worktrees: snapshot.worktrees.filter((each) => compared.has(each)) } };
}
