import { ThemeColor, ThemeIcon, l10n } from 'vscode';
import type { Checks, PullRequestStatus } from '../../core/github/status.ts';
import type { Fact } from '../../core/worktrees/read/facts.ts';
import type { PullRequestInShort } from '../github/known.ts';

/** A pull request as it is written behind a row's label: its number, and what is most pressing. */
export function pullRequestShort(pull: PullRequestInShort): string {
  const { number, status, watched } = pull;
  const words = status ? pressingWords(status) : [];
  if (watched) words.push(l10n.t('watched'));
  return [`#${number}`, words.join(', ')].filter((each) => each !== '').join(' ');
}

/** A pull request as it is read aloud. */
export function pullRequestSpoken({ number, status, watched }: PullRequestInShort): string {
  const name = status?.draft ? l10n.t('draft pull request {0}', number) : l10n.t('pull request {0}', number);
  const words = status ? [...stateWords(status), ...wholeWords(status)] : [];
  return [name, ...words, ...(watched ? [l10n.t('watched')] : [])].join(', ');
}

/** The rows of a tooltip about a pull request. */
export function pullRequestRows(pull: PullRequestInShort | undefined): [string, string | undefined][] {
  if (!pull) return [];
  const { number, status, watched } = pull;
  if (!status) return [[l10n.t('Pull request'), `#${number}`]];
  const { title, draft } = status;
  const kind = [...(draft ? [l10n.t('draft')] : []), ...stateWords(status), ...(watched ? [l10n.t('watched')] : [])];
  const isOpen = status.state === 'open' || status.state === 'queued';
  return [
    [l10n.t('Pull request'), kind.length > 0 ? `#${number} ${title} (${kind.join(', ')})` : `#${number} ${title}`],
    ...(isOpen
      ? ([
          [l10n.t('Checks'), checksWords(status.checks) ?? l10n.t('none')],
          [l10n.t('Review'), reviewWords(status)],
          [l10n.t('Comments'), unresolvedWords(status.unresolved)],
        ] satisfies [string, string | undefined][])
      : []),
  ];
}

/** Whether a pull request needs a person. */
export function needsPerson(pull: PullRequestInShort | undefined): boolean {
  const status = pull?.status;
  if (status?.state !== 'open' && status?.state !== 'queued') return status?.state === 'closed';
  return status.checks.state === 'failed' || status.review === 'changes_requested' || status.mergeable === 'conflicts';
}

/** The icon of a pull request, in the warning colour where it needs a person. */
export function pullRequestIcon(pull: PullRequestInShort): ThemeIcon {
  const colour = needsPerson(pull) ? new ThemeColor('list.warningForeground') : undefined;
  const { status } = pull;
  const name =
    status?.state === 'merged'
      ? 'git-merge'
      : status?.state === 'closed'
        ? 'git-pull-request-closed'
        : status?.draft
          ? 'git-pull-request-draft'
          : 'git-pull-request';
  return new ThemeIcon(name, colour);
}

/** What a person can do about a pull request, where it asks for something. */
export function nextForPullRequest(pull: PullRequestInShort | undefined): string | undefined {
  const status = pull?.status;
  if (!status) return undefined;
  if (status.state === 'merged') return l10n.t('Remove the worktree: its pull request was merged.');
  if (status.state === 'closed') return l10n.t('Reopen the pull request on GitHub, or remove the worktree.');
  if (status.mergeable === 'conflicts') return l10n.t('Rebase and push its stack: GitHub could not merge it.');
  if (status.checks.state === 'failed') return l10n.t('Mend what the checks found, and push.');
  if (status.review === 'changes_requested') return l10n.t('Answer the review, and push.');
  return undefined;
}

function pressingWords(status: PullRequestStatus): string[] {
  const state = stateWords(status);
  if (status.state === 'merged' || status.state === 'closed') return state;
  const { checks, review, draft, unresolved } = status;
  return [
    ...(draft ? [l10n.t('draft')] : []),
    ...state,
    ...(checks.state === 'failed' ? [failedWords(checks)] : []),
    ...(checks.state === 'pending' ? [pendingWords(checks)] : []),
    ...(checks.state === 'passed' ? [l10n.t('passed')] : []),
    ...(review === 'changes_requested' ? [l10n.t('changes requested')] : []),
    ...(review === 'approved' ? [l10n.t('approved')] : []),
    ...(unresolved > 0 ? [l10n.t('{0} unresolved', unresolved)] : []),
  ];
}

function stateWords({ state, mergeable }: PullRequestStatus): string[] {
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
  if (status.state === 'merged' || status.state === 'closed') return [];
  const words = [checksWords(status.checks), reviewWords(status), unresolvedWords(status.unresolved)];
  return words.filter((each) => each !== undefined);
}

/** All of the checks in words; those that have not ended have not passed. */
function checksWords(checks: Checks): string | undefined {
  const { state, passed, failed, pending } = checks;
  const counts = [
    ...(failed > 0 ? [l10n.t('{0} failed', failed)] : []),
    ...(pending > 0 ? [l10n.t('{0} pending', pending)] : []),
    ...(passed > 0 ? [l10n.t('{0} passed', passed)] : []),
  ].join(', ');
  switch (state) {
    case 'none':
      return undefined;
    case 'failed':
      return counts === '' ? l10n.t('checks failed') : l10n.t('checks failed: {0}', counts);
    case 'pending':
      return counts === '' ? l10n.t('checks pending') : l10n.t('checks pending: {0}', counts);
    case 'passed':
      return counts === '' ? l10n.t('checks passed') : l10n.t('checks passed: {0}', counts);
  }
}

function failedWords({ failed }: Checks): string {
  return failed > 0 ? l10n.t('{0} failed', failed) : l10n.t('checks failed');
}

function pendingWords({ pending }: Checks): string {
  return pending > 0 ? l10n.t('{0} pending', pending) : l10n.t('checks pending');
}

function reviewWords({ review }: PullRequestStatus): string | undefined {
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

function unresolvedWords(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? l10n.t('1 unresolved conversation') : l10n.t('{0} unresolved conversations', count);
}

/** What is told before a pull request that needs a person. */
const before: ReadonlySet<Fact['kind']> = new Set([
  ...(['restack-stopped', 'operation', 'condition', 'trouble', 'conflicts', 'base-gone', 'ring'] as const),
  'shared-branch',
]);
/** What is told after any pull request: the view is narrow, and where a branch stands is seldom as pressing as how it is doing. */
const after: ReadonlySet<Fact['kind']> = new Set(['base', 'branch', 'upstream', 'upstream-gone']);

/** Where a pull request stands among the facts of a worktree: early if it needs a person, else behind what is going on here. */
export function placeAmong(facts: readonly Fact[], pull: PullRequestInShort): number {
  const ends = (kind: Fact['kind']): boolean => (needsPerson(pull) ? !before.has(kind) : after.has(kind));
  const found = facts.findIndex(({ kind }) => ends(kind));
  return found < 0 ? facts.length : found;
}
