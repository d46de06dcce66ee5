import { ThemeColor, ThemeIcon, l10n } from 'vscode';
import type { Checks, PullRequestStatus } from '../../core/github/status.ts';
import type { PullRequestInShort } from '../repository/pullRequestState.ts';
import { localized } from '../base/messages.ts';
import { demandLabels, standingLabels } from '../../core/snapshot/factLabels.ts';

/** A pull request as it is written behind a row's label: its number, a mark when its checks have passed, and what is most pressing. */
export function pullRequestShort({ number, status, recorded, watched }: PullRequestInShort): string {
  const words = [
    ...(status && recorded !== 'unproven' ? pressingText(status) : recordedText(recorded)),
    ...(watched ? [l10n.t('watched')] : []),
  ];
  const passed = status !== undefined && isOpen(status) && status.checks.state === 'passed';
  return [`#${number}`, passed ? '✓' : '', words.join(', ')].filter((each) => each !== '').join(' ');
}

/** A pull request as it is read aloud. */
export function pullRequestSpoken({ number, status, recorded, watched }: PullRequestInShort): string {
  const name = status?.draft ? l10n.t('draft pull request {0}', number) : l10n.t('pull request {0}', number);
  const words =
    status && recorded !== 'unproven' ? [...stateText(status), ...wholeWords(status)] : recordedText(recorded);
  return [name, ...words, ...(watched ? [l10n.t('watched')] : [])].join(', ');
}

/** The rows of a tooltip about a pull request. */
export function pullRequestRows(pull: PullRequestInShort | undefined): [string, string | undefined][] {
  if (!pull) return [];
  const { number, status, recorded, watched } = pull;
  if (!status)
    return [[l10n.t('Pull request'), [`#${number}`, ...recordedText(recorded).map((word) => `(${word})`)].join(' ')]];
  const { title, draft } = status;
  const state = recorded === 'unproven' ? recordedText(recorded) : stateText(status);
  const kind = [...(draft ? [l10n.t('draft')] : []), ...state, ...(watched ? [l10n.t('watched')] : [])];
  return [
    [l10n.t('Pull request'), kind.length > 0 ? `#${number} ${title} (${kind.join(', ')})` : `#${number} ${title}`],
    ...(isOpen(status)
      ? ([
          [l10n.t('Checks'), checksText(status.checks) ?? l10n.t('none')],
          [l10n.t('Review'), reviewText(status)],
          [l10n.t('Comments'), unresolvedText(status.unresolved)],
          [l10n.t('Required by base'), demandedText(status)],
          [l10n.t('GitHub stack'), status.host?.stack && String(status.host.stack.number)],
          [l10n.t('Missing permission'), missingText(status)],
        ] satisfies [string, string | undefined][])
      : []),
  ];
}

/** Whether a pull request needs a person. */
export function needsPerson(pull: PullRequestInShort | undefined): boolean {
  const status = pull?.status;
  if (status?.state !== 'open' && status?.state !== 'queued') return (status?.state ?? pull?.recorded) === 'closed';
  return status.checks.state === 'failed' || status.review === 'changes_requested' || status.mergeable === 'conflicts';
}

/** The icon of a pull request, in the warning colour where it needs a person. */
export function pullRequestIcon(pull: PullRequestInShort): ThemeIcon {
  const colour = needsPerson(pull) ? new ThemeColor('list.warningForeground') : undefined;
  const { status } = pull;
  const state = status?.state ?? pull.recorded;
  const name =
    state === 'merged' || state === 'unproven'
      ? 'git-merge'
      : state === 'closed'
        ? 'git-pull-request-closed'
        : status?.draft
          ? 'git-pull-request-draft'
          : 'git-pull-request';
  return new ThemeIcon(name, colour);
}

/** What a person can do about a pull request, where it asks for something. */
export function nextForPullRequest(pull: PullRequestInShort | undefined): string | undefined {
  const status = pull?.status;
  const state = status?.state ?? pull?.recorded;
  if (pull?.recorded === 'unproven')
    return l10n.t('Fetch or restack: nothing here shows yet that its work is in its base.');
  if (state === 'merged') return l10n.t('Remove the worktree: its pull request was merged.');
  if (state === 'closed') return l10n.t('Reopen the pull request on GitHub, or remove the worktree.');
  if (!status) return undefined;
  if (status.mergeable === 'conflicts') return l10n.t('Rebase and push its stack: GitHub cannot merge it.');
  if (status.checks.state === 'failed') return l10n.t('Fix the failed checks and push.');
  if (status.review === 'changes_requested') return l10n.t('Address the review and push.');
  return undefined;
}

function pressingText(status: PullRequestStatus): string[] {
  const state = stateText(status);
  if (!isOpen(status)) return state;
  const { checks, review, draft, unresolved } = status;
  return [
    ...state,
    ...(checks.state === 'failed' ? [l10n.t('failed')] : []),
    ...(checks.state === 'pending' ? [l10n.t('pending')] : []),
    ...(review === 'changes_requested' ? [l10n.t('changes requested')] : []),
    ...(review === 'approved' ? [l10n.t('approved')] : []),
    ...(draft ? [l10n.t('draft')] : []),
    ...(unresolved > 0 ? [l10n.t('{0} unresolved', unresolved)] : []),
    ...standingLabels(undefined, status.host).map(localized),
  ];
}

/** Before GitHub was asked: only that it is over is worth a word. */
function recordedText(recorded: PullRequestInShort['recorded']): string[] {
  return standingLabels(recorded).map(localized);
}

const isOpen = ({ state }: PullRequestStatus): boolean => state === 'open' || state === 'queued';

function stateText({ state, mergeable }: PullRequestStatus): string[] {
  switch (state) {
    case 'merged':
      return [l10n.t('merged')];
    case 'closed':
      return [l10n.t('closed')];
    case 'queued':
      return [l10n.t('in the merge queue')];
    case 'open':
      return mergeable === 'conflicts' ? [l10n.t('conflicts')] : [];
  }
}

function wholeWords(status: PullRequestStatus): string[] {
  if (!isOpen(status)) return [];
  const words = [
    checksText(status.checks),
    reviewText(status),
    unresolvedText(status.unresolved),
    ...standingLabels(undefined, status.host).map(localized),
  ];
  return words.filter((each) => each !== undefined);
}

/** All of the checks in words; those that have not ended have not passed. */
function checksText(checks: Checks): string | undefined {
  const { state, passed, failed, pending } = checks;
  const counts = [
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(pending > 0 ? [l10n.t('{0} pending', pending)] : []),
    ...(passed > 0 ? [l10n.t('{0} passed', passed)] : []),
  ].join(', ');
  switch (state) {
    case 'none':
      return undefined;
    case 'unknown':
      return l10n.t('checks not shown to this token');
    case 'failed':
      return counts === '' ? l10n.t('checks failed') : l10n.t('checks failed: {0}', counts);
    case 'pending':
      return counts === '' ? l10n.t('checks pending') : l10n.t('checks pending: {0}', counts);
    case 'passed':
      return counts === '' ? l10n.t('checks passed') : l10n.t('checks passed: {0}', counts);
  }
}

function demandedText({ host }: PullRequestStatus): string | undefined {
  const { demands } = host ?? {};
  if (!demands) return undefined;
  return [...demandLabels(demands).map(localized), ...(demands.queue ? [l10n.t('a merge queue')] : [])].join(', ');
}

function missingText({ missing = [] }: PullRequestStatus): string | undefined {
  return missing.length === 0 ? undefined : missing.map(({ permission }) => permission).join(', ');
}

function reviewText({ review }: PullRequestStatus): string | undefined {
  switch (review) {
    case 'approved':
      return l10n.t('approved');
    case 'changes_requested':
      return l10n.t('changes requested');
    case 'required':
      return l10n.t('review required');
    case undefined:
      return undefined;
  }
}

function unresolvedText(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? l10n.t('1 unresolved conversation') : l10n.t('{0} unresolved conversations', count);
}
