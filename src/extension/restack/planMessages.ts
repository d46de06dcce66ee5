import { ThemeColor, ThemeIcon, l10n } from 'vscode';
import { listed, localized } from '../base/messages.ts';
import type { BranchPlan, RestackPlan } from '../../core/restack/plan.ts';
import type { RestackRequest } from '../../core/restack/prepareRestack.ts';

/** The preview of one branch. */
export interface PlanRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly iconPath: ThemeIcon;
}

/** How many digits of a commit's id are shown. */
const shownDigits = 7;

/** What would become of a branch: from where it moves to where, and what a person should know before. */
export function planRow(plan: BranchPlan, uncommitted: number): PlanRow {
  const detail = [outcomeText(plan), ...droppedText(plan), ...uncommittedText(plan, uncommitted)];
  return {
    label: plan.name,
    description: movementText(plan),
    detail: [
      detail.join(', '),
      ...(plan.outcome === 'held' && plan.next ? [localized(plan.next)] : []),
      ...plan.notes.map(localized),
    ]
      .filter((text) => text !== '')
      .join(' · '),
    iconPath: iconOf(plan),
  };
}

/** What is asked for, as the beginning of a question or a title: "Rebase feat-auth onto main". */
export function wishText(
  { worktree, wholeStack, move, onto }: RestackRequest,
  { branches, state }: RestackPlan,
): string {
  const subject = branches.find(({ branch }) => branch === worktree.branch);
  const bottom = wholeStack && onto === undefined ? branches[0] : subject;
  const target = bottom?.baseLabel ?? bottom?.base ?? onto ?? state.stack.trunk ?? '';
  if (move) return l10n.t('Move {0} onto {1}', worktree.name, target);
  if (wholeStack) return l10n.t('Restack {0} onto {1}', worktree.name, target);
  return l10n.t('Rebase {0} onto {1}', worktree.name, target);
}

/** `3 branches`. */
export function branchCount(count: number): string {
  return count === 1 ? l10n.t('1 branch') : l10n.t('{0} branches', count);
}

/** A commit's id, short. */
export const short = (oid: string): string => oid.slice(0, shownDigits);

function movementText({ outcome, commits, base, baseBefore, baseLabel, onto, since }: BranchPlan): string {
  if (outcome === 'landed' || base === undefined || onto === undefined) return '';
  const count = commits === 1 ? l10n.t('1 commit') : l10n.t('{0} commits', commits);
  const target = `${baseLabel ?? base} ${short(onto)}`;
  if (outcome === 'current') return l10n.t('{0} on {1}', count, target);
  const from = [...(baseBefore === undefined ? [] : [baseBefore]), ...(since === undefined ? [] : [short(since)])];
  if (from.length === 0) return l10n.t('{0} onto {1}', count, target);
  return l10n.t('{0} from {1} onto {2}', count, from.join(' '), target);
}

function outcomeText({ outcome, base, baseBefore, why: reason, files, unsigned }: BranchPlan): string {
  const why = reason ? localized(reason) : '';
  switch (outcome) {
    case 'moves':
      return l10n.t('clean');
    case 'current':
      return base === baseBefore || base === undefined
        ? l10n.t('up to date')
        : l10n.t('up to date, now based on {0}', base);
    case 'landed':
      return l10n.t('merged, stays as it is');
    case 'conflict':
      if (unsigned) return l10n.t('needs you: {0}', why);
      return files.length === 0 ? l10n.t('will conflict: {0}', why) : l10n.t('will conflict: {0}', listed(files));
    case 'held':
      return files.length === 0
        ? l10n.t('will not move: {0}', why)
        : l10n.t('will not move: {0}: {1}', why, listed(files));
    case 'waits':
      return l10n.t('waits: {0}', why);
  }
}

function droppedText({ dropped }: BranchPlan): string[] {
  const subjects = dropped.map(({ subject }) => JSON.stringify(subject));
  if (dropped.length === 0) return [];
  return [
    dropped.length === 1
      ? l10n.t('without 1 commit that is there already: {0}', listed(subjects))
      : l10n.t('without {0} commits that are there already: {1}', dropped.length, listed(subjects)),
  ];
}

function uncommittedText({ outcome }: BranchPlan, count: number): string[] {
  if (count === 0 || outcome !== 'moves') return [];
  return [count === 1 ? l10n.t('keeps 1 uncommitted file') : l10n.t('keeps {0} uncommitted files', count)];
}

function iconOf({ outcome }: BranchPlan): ThemeIcon {
  const needsPerson = new ThemeColor('list.warningForeground');
  switch (outcome) {
    case 'moves':
      return new ThemeIcon('arrow-right');
    case 'current':
    case 'landed':
      return new ThemeIcon('pass');
    case 'conflict':
    case 'held':
      return new ThemeIcon('warning', needsPerson);
    case 'waits':
      return new ThemeIcon('clock');
  }
}
