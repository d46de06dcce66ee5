import { ProgressLocation, l10n, window } from 'vscode';
import { tellFailure } from '../remedies/buttons.ts';
import type { Services } from '../services/services.ts';
import { pullRequestOf } from '../repository/pullRequestState.ts';
import { notifyEvents } from './notifyPullRequestChanges.ts';
import { worktreeGraph } from '../../core/stack/graph.ts';
import { hasPullRequest, noPullRequest } from './openPullRequest.ts';
import { resolveTarget, type WorktreeTarget } from '../services/resolveTarget.ts';

/**
 * Watches the pull request of a worktree until its checks have ended or the watch is stopped, and notifies of every change.
 *
 * @returns the names of the worktrees that are watched now.
 */
export function watchChecksCommand(services: Services, argument?: unknown): Promise<string[] | undefined> {
  return watch(services, argument, false);
}

/** The same for all pull requests of a worktree's stack. */
export function watchStackChecksCommand(services: Services, argument?: unknown): Promise<string[] | undefined> {
  return watch(services, argument, true);
}

/** Stops watching, in the whole window where no worktree is named. */
export async function stopWatchingCommand(services: Services, argument?: unknown): Promise<void> {
  const watches = await services.pullRequests.watches();
  if (argument === undefined) return watches.stopAll();
  const target = await resolveTarget(services, argument, {
    title: l10n.t('Stop Watching'),
    placeholder: l10n.t('Select the pull request to stop watching'),
  });
  if (target) await watches.stop(target.worktree);
}

async function watch(services: Services, argument: unknown, wholeStack: boolean): Promise<string[] | undefined> {
  const target = await resolveTarget(services, argument, {
    title: wholeStack ? l10n.t('Watch Checks of Stack') : l10n.t('Watch Checks'),
    placeholder: l10n.t('Select the pull request to watch'),
    accept: hasPullRequest,
  });
  if (!target) return undefined;
  const targets = wholeStack ? stackOf(target) : [target];
  const [first] = targets;
  if (!first || !targets.every(hasPullRequest)) throw noPullRequest(target.worktree.name);
  const session = await services.pullRequests.open(target.model);
  const [watches, poll] = await Promise.all([
    services.pullRequests.watches(),
    services.pullRequests.pollOf(target.model),
  ]);
  const names: string[] = [];
  for (const { model, worktree } of targets) {
    const running = watches.watch({
      ...{ model, worktree, session },
      onPoll: (found) => poll?.take(new Map(found.map(({ status }) => [status.number, status]))),
      onEvents: (found) => notifyEvents(services, model, found),
    });
    names.push(worktree.name);
    const title = l10n.t('Watching the checks of {0}', worktree.name);
    void window.withProgress({ location: ProgressLocation.Window, title }, () =>
      running.catch((thrown: unknown) => tellFailure(services, l10n.t('Watch Checks'), thrown)),
    );
  }
  return names;
}

/** Those of a stack that have a pull request. */
function stackOf({ model, worktree }: WorktreeTarget): WorktreeTarget[] {
  const { state } = model;
  const around = state ? worktreeGraph(state.snapshot).stackOf(worktree.branch) : [];
  return around.flatMap((member) =>
    pullRequestOf(state, member.worktree) ? [{ model, worktree: member.worktree }] : [],
  );
}
