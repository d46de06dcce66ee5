import { commands, l10n, window } from 'vscode';
import type { Found } from '../../core/github/poll/query.ts';
import type { News } from '../../core/github/poll/changes.ts';
import type { Poll } from '../../core/github/poll/sharedPoll.ts';
import type { PullRequestStatus } from '../../core/github/status.ts';
import { withAutoCleanup } from '../../core/lifecycle/autoCleanup.ts';
import type { RepositoryModel } from '../repository/repositoryModel.ts';
import type { Services } from '../services/services.ts';
import { openUrl } from './openPullRequest.ts';
import { pullRequestOf } from '../repository/pullRequestState.ts';

/** With more than this at once one message names them all. */
const mostMessages = 3;

/** Notifies of changes that need a person, each with a button. Changes that a watch of this window reports are left out. */
export function notifyPullRequestChanges(services: Services, model: RepositoryModel, news: Poll['news']): void {
  const all = news.flatMap(({ status, news: kinds }) =>
    kinds
      .filter((kind) => !services.pullRequests.reportedByWatch.has(keyOf(kind, status)))
      .map((kind) => ({ status, kind })),
  );
  for (const { status, kind } of all) services.log.info(newsText(kind, status, nameOf(model, status)));
  if (all.length <= mostMessages) {
    for (const { status, kind } of all) tell(model, kind, status);
    return;
  }
  const showThem = l10n.t('Show Worktrees');
  const named = all.map(({ status, kind }) => `#${status.number} ${shortText(kind)}`).join(', ');
  void window.showWarningMessage(l10n.t('Pull requests need you: {0}.', named), showThem).then((choice) => {
    if (choice === showThem) return commands.executeCommand('worktreeStacks.worktrees.focus');
  });
}

/** Notifies of all changes of a watched pull request, including good news. */
export function notifyEvents(services: Services, model: RepositoryModel, { status, events, target }: Found): void {
  const { name } = target;
  for (const event of events) {
    services.log.info(`#${status.number} of ${name}: ${event.type}`);
    switch (event.type) {
      case 'ci_passed':
        offer(l10n.t('The checks of {0} (#{1}) have passed.', name, status.number), status, []);
        break;
      case 'ci_failure':
        told(services, model, 'checks-failed', status);
        break;
      case 'review_comments':
        if (status.review === 'changes_requested') told(services, model, 'changes-requested', status);
        else offer(l10n.t('{0} (#{1}) has new comments.', name, status.number), status, []);
        break;
      case 'base_updated':
        if (event.into !== undefined) {
          const { base, into } = event;
          offer(
            l10n.t(
              'Pull request #{0} of {1} was put into {2} on GitHub. "Move Onto…" with {2} accepts that, "Update Pull Request…" puts it back into {3}.',
              ...[status.number, name, into, base],
            ),
            status,
            [],
          );
          break;
        }
        offer(l10n.t('The base of {0} (#{1}) has moved: {2}.', name, status.number, event.base), status, [
          restackButton(model, name),
        ]);
        break;
      case 'merged':
      case 'closed':
        told(services, model, event.type, status);
        break;
    }
  }
}

function told(services: Services, model: RepositoryModel, kind: News, status: PullRequestStatus): void {
  services.pullRequests.reportedByWatch.add(keyOf(kind, status));
  tell(model, kind, status);
}

const keyOf = (kind: News, { number, headCommit }: PullRequestStatus): string => `${kind} ${number} ${headCommit}`;

interface Button {
  readonly label: string;
  readonly run: () => Thenable<unknown>;
}

function tell(model: RepositoryModel, kind: News, status: PullRequestStatus): void {
  // Not awaited: the notification comes as soon as it is known which buttons it has.
  void show(model, kind, status);
}

async function show(model: RepositoryModel, kind: News, status: PullRequestStatus): Promise<void> {
  const name = nameOf(model, status);
  const argument = { worktree: name, repository: model.repository.mainRoot };
  const remove: Button = {
    label: l10n.t('Remove Worktree…'),
    run: () => commands.executeCommand('worktreeStacks.cleanup', argument),
  };
  const buttons =
    kind === 'conflicts'
      ? [restackButton(model, name)]
      : kind === 'merged' && (await mayBeRemoved(model, name))
        ? [remove]
        : [];
  offer(newsText(kind, status, name), status, buttons, kind);
}

async function mayBeRemoved(model: RepositoryModel, name: string): Promise<boolean> {
  const worktrees = model.state?.worktrees.filter((each) => each.name === name) ?? [];
  // Without a configuration that can be read nothing is offered.
  return model.workspace().then(
    async (workspace) => (await withAutoCleanup(workspace, worktrees)).length > 0,
    () => false,
  );
}

function offer(words: string, { url }: PullRequestStatus, buttons: readonly Button[], kind?: News): void {
  const page = kind === 'checks-failed' ? `${url}/checks` : url;
  const all: Button[] = [...buttons, { label: l10n.t('Open on GitHub'), run: () => openUrl(page) }];
  const bad = kind !== undefined && kind !== 'merged';
  const shown = bad ? window.showWarningMessage : window.showInformationMessage;
  void shown(words, ...all.map(({ label }) => label)).then((choice) =>
    all.find(({ label }) => label === choice)?.run(),
  );
}

function restackButton({ repository }: RepositoryModel, worktree: string): Button {
  const argument = { worktree, repository: repository.mainRoot };
  return {
    label: l10n.t('Restack and Push…'),
    run: () => commands.executeCommand('worktreeStacks.rebaseAndPushStack', argument),
  };
}

function nameOf({ state }: RepositoryModel, { number, headBranch }: PullRequestStatus): string {
  const found = state?.worktrees.find((each) => pullRequestOf(state, each)?.number === number);
  return found?.name ?? headBranch;
}

function newsText(kind: News, { number, baseBranch, checks }: PullRequestStatus, name: string): string {
  switch (kind) {
    case 'checks-failed':
      return checks.failed === 1
        ? l10n.t('A check of #{1} {0} failed.', name, number)
        : l10n.t('Checks of #{1} {0} failed.', name, number);
    case 'changes-requested':
      return l10n.t('Changes were requested in {0} (#{1}).', name, number);
    case 'conflicts':
      return l10n.t('GitHub cannot merge {0} (#{1}): it conflicts with {2}.', name, number, baseBranch);
    case 'merged':
      return l10n.t('{0} (#{1}) was merged into {2}.', name, number, baseBranch);
    case 'closed':
      return l10n.t('{0} (#{1}) was closed without being merged.', name, number);
  }
}

function shortText(kind: News): string {
  switch (kind) {
    case 'checks-failed':
      return l10n.t('checks failed');
    case 'changes-requested':
      return l10n.t('changes requested');
    case 'conflicts':
      return l10n.t('conflicts');
    case 'merged':
      return l10n.t('merged');
    case 'closed':
      return l10n.t('closed');
  }
}
