import { l10n } from 'vscode';
import type { Demands, HostFacts } from '../../core/repository/hostFacts.ts';
import type { Standing } from '../../core/repository/standing.ts';
import type { Activity } from '../../core/claude/agentStates.ts';
import type { Fact } from '../../core/snapshot/facts.ts';
import type { Condition, Distance, GitOperation } from '../../core/worktree/model.ts';

/** A fact as it is written behind a row's label: as short as it can be understood. The number of a pull request says nothing of how it is doing. */
export function shortText(fact: Fact): string {
  switch (fact.kind) {
    case 'operation':
      return operationText(fact.operation);
    case 'condition':
      return conditionText(fact.condition);
    case 'trouble':
      return l10n.t('cannot be read');
    case 'conflicts':
      return fact.count === 1 ? l10n.t('1 conflict') : l10n.t('{0} conflicts', fact.count);
    case 'restack-stopped':
      return fact.at === undefined ? l10n.t('restack stopped') : l10n.t('waits for {0}', fact.at);
    case 'base-gone':
      return l10n.t('base {0} is gone', fact.base);
    case 'cycle':
      return l10n.t('base cycle with {0}', fact.base);
    case 'predicted':
      return predictedText(fact.with);
    case 'needs-restack':
      return l10n.t('needs restack');
    case 'shared-branch':
      return l10n.t('same branch as {0}', fact.others.join(', '));
    case 'locked':
      return fact.reason === '' ? l10n.t('locked') : l10n.t('locked: {0}', fact.reason);
    case 'agent':
      return agentText(fact.activity);
    case 'denied':
      return l10n.t('{0} denied', fact.count);
    case 'changes':
      return l10n.t('{0} changed', fact.count);
    case 'base':
      return withArrows(fact.base, fact.distance);
    case 'detached':
      return fact.head === undefined ? l10n.t('no commit yet') : l10n.t('detached at {0}', fact.head.slice(0, 7));
    case 'branch':
      return fact.branch;
    case 'upstream-gone':
      return l10n.t('{0} is gone', fact.upstream);
    case 'upstream':
      return withArrows(fact.upstream, fact.distance);
    case 'pull-request':
      return [
        `#${fact.number}`,
        [standingText(fact.standing), ...hostText(fact.host ?? {})].filter((each) => each !== '').join(', '),
      ]
        .filter((each) => each !== '')
        .join(' ');
    case 'merged':
      return l10n.t('merged');
  }
}

/** What GitHub keeps of a pull request that is not over: what its base still demands, and its own stack. */
export function hostText({ stack, demands, blocked }: HostFacts): string[] {
  const needs = demands ? demandText(demands) : [];
  return [
    ...(blocked ? [needs.length > 0 ? l10n.t('needs {0}', needs.join(', ')) : l10n.t('blocked by rules')] : []),
    ...(stack ? [l10n.t('GitHub stack {0}', stack.number)] : []),
  ];
}

/** What a base demands, one after the other. */
export function demandText({ checks, reviews }: Demands): string[] {
  return [...checks, ...(reviews === 1 ? [l10n.t('1 review')] : reviews > 1 ? [l10n.t('{0} reviews', reviews)] : [])];
}

/** What became of a pull request, as it stands behind its number. */
export function standingText(standing: Standing): string {
  switch (standing) {
    case 'merged':
      return l10n.t('merged');
    case 'unproven':
      return l10n.t('merged on GitHub, not here');
    case 'closed':
      return l10n.t('closed');
    case 'queued':
      return l10n.t('in the merge queue');
    case 'open':
    case undefined:
      return '';
  }
}

/** A fact as it is read aloud. */
export function spokenText(fact: Fact): string {
  switch (fact.kind) {
    case 'agent':
      return fact.activity === 'waiting' ? l10n.t('agent is waiting for your answer') : agentText(fact.activity);
    case 'denied':
      return fact.count === 1 ? l10n.t('1 call denied') : l10n.t('{0} calls denied', fact.count);
    case 'predicted':
      return fact.files === 1
        ? l10n.t('would conflict with {0} in 1 file', fact.with.join(', '))
        : l10n.t('would conflict with {0} in {1} files', fact.with.join(', '), fact.files);
    case 'changes':
      return fact.count === 1 ? l10n.t('1 file changed') : l10n.t('{0} files changed', fact.count);
    case 'base':
      return distanceText(fact.base, fact.distance);
    case 'upstream':
      return distanceText(fact.upstream, fact.distance);
    case 'branch':
      return l10n.t('branch {0}', fact.branch);
    case 'pull-request':
      return [l10n.t('pull request {0}', fact.number), standingText(fact.standing), ...hostText(fact.host ?? {})]
        .filter((each) => each !== '')
        .join(', ');
    default:
      return shortText(fact);
  }
}

/** A conflict that would come, and with whom; the badge of the row has the number of files. */
function predictedText([first = '', ...others]: readonly string[]): string {
  return others.length > 0
    ? l10n.t('conflicts with {0} +{1}', first, others.length)
    : l10n.t('conflicts with {0}', first);
}

/** What an agent does. */
export function agentText(activity: Activity): string {
  switch (activity) {
    case 'waiting':
      return l10n.t('agent waiting');
    case 'working':
      return l10n.t('agent working');
    case 'idle':
      return l10n.t('agent idle');
  }
}

/** How far something is from a branch, in whole words. */
export function distanceText(from: string, distance: Distance | undefined): string {
  if (!distance) return l10n.t('based on {0}', from);
  const { ahead, behind } = distance;
  if (ahead > 0 && behind > 0) return l10n.t('{0} ahead of and {1} behind {2}', ahead, behind, from);
  if (ahead > 0) return l10n.t('{0} ahead of {1}', ahead, from);
  if (behind > 0) return l10n.t('{0} behind {1}', behind, from);
  return l10n.t('up to date with {0}', from);
}

function withArrows(from: string, distance: Distance | undefined): string {
  const arrows = arrowsOf(distance);
  return arrows === '' ? l10n.t('on {0}', from) : `${arrows} ${from}`;
}

/** A distance from what need not be named: `↑2 ↓1`; empty when there is none. */
export function arrowsOf(distance: Distance | undefined): string {
  const arrows = [distance?.ahead ? `↑${distance.ahead}` : '', distance?.behind ? `↓${distance.behind}` : ''];
  return arrows.filter((arrow) => arrow !== '').join(' ');
}

/** A git operation that has been begun and not ended. */
export function operationText(operation: GitOperation): string {
  switch (operation) {
    case 'rebase':
      return l10n.t('rebase in progress');
    case 'am':
      return l10n.t('applying patches');
    case 'merge':
      return l10n.t('merge in progress');
    case 'cherry-pick':
      return l10n.t('cherry-pick in progress');
    case 'revert':
      return l10n.t('revert in progress');
    case 'bisect':
      return l10n.t('bisect in progress');
  }
}

function conditionText(condition: Exclude<Condition, 'fine'>): string {
  switch (condition) {
    case 'moved':
      return l10n.t('moved, needs repair');
    case 'missing':
      return l10n.t('folder missing');
    case 'empty':
      return l10n.t('not a worktree');
    case 'broken':
      return l10n.t('broken .git file');
    case 'foreign':
      return l10n.t('replaced by another repository');
  }
}

/** A moment as people write it: the time, with the day unless that is today. */
export function momentText(moment: Date, language: string, now = new Date()): string {
  const today = moment.toDateString() === now.toDateString();
  const style: Intl.DateTimeFormatOptions = { timeStyle: 'short', ...(today ? {} : { dateStyle: 'medium' }) };
  return new Intl.DateTimeFormat(language, style).format(moment);
}

/** A time in the past as people say it: "3 hours ago". */
export function ageWords(seconds: number, language: string, now: number = Date.now()): string {
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 31_536_000],
    ['month', 2_592_000],
    ['week', 604_800],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ];
  const ago = Math.max(0, now / 1000 - seconds);
  const [unit, size] = steps.find(([, each]) => ago >= each) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.floor(ago / size), unit);
}
