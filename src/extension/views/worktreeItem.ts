import { ThemeColor, ThemeIcon, TreeItemCollapsibleState, l10n, type TreeItem } from 'vscode';
import { factsOf, isToReview, needsAttention, type Fact } from '../../core/snapshot/facts.ts';
import type { Worktree } from '../../core/worktree/model.ts';
import {
  pullRequestIcon,
  pullRequestShort,
  pullRequestSpoken,
  needsPerson as pullRequestNeedsPerson,
} from './pullRequestLabels.ts';
import type { RowFacts } from './rowFacts.ts';
import { nextStepOf } from './nextStep.ts';
import { offersOf } from './offers.ts';
import { localized } from '../base/messages.ts';
import { arrowsOf, spokenLabelOf } from '../../core/snapshot/factLabels.ts';
import { rowLabelOf } from '../../core/snapshot/rowLabels.ts';

/** How many facts stand behind a label; the tooltip has them all. */
const shownFacts = 3;

/** The colour of conflicts that are coming: not that of modified files, which is the same as a warning's in some themes. */
const comingConflict = 'worktreeStacks.comingConflictForeground';

/** How a row stands in the view. */
export interface RowContext extends RowFacts {
  readonly id: string;
  /** The workbench's own explorer can show it. */
  readonly inWorkspace: boolean;
  /** Other branches are shown below it. */
  readonly holds: boolean;
}

/** The facts behind a worktree's label, at most three, the most pressing first; before them, whether this window shows it. */
export function descriptionOf(worktree: Worktree, row: RowFacts = {}): string {
  const facts = factsOf(worktree, row.agents, row.stack);
  // "needs restack" implies that the base has new commits, so the distance from an unnamed base adds little.
  const behind = row.baseUnnamed && facts.some(({ kind }) => kind === 'needs-restack');
  const words = facts.filter(({ kind }) => !(behind && kind === 'base')).map((fact) => textInRow(fact, row));
  if (row.claudes) words.push(l10n.t("Claude's worktree"));
  const shown = words.filter((each) => each !== '').slice(0, shownFacts);
  return [...(row.here ? [l10n.t('this window')] : []), ...shown].join(' · ');
}

function textInRow(fact: Fact, { baseUnnamed, pull }: RowFacts): string {
  if (fact.kind === 'base' && baseUnnamed) return arrowsOf(fact.distance);
  return fact.kind === 'pull-request' && pull ? pullRequestShort(pull) : localized(rowLabelOf(fact));
}

/**
 * The icon of a worktree says one thing: an agent waits, something is wrong, an agent works or is done, this window shows it, it has a pull
 * request, needs a restack, or none of that.
 */
export function iconOf(worktree: Worktree, { agents, stack, pull, here, underWay }: RowFacts = {}): ThemeIcon {
  const needsPerson = new ThemeColor('list.warningForeground');
  if (agents?.activity === 'waiting') return new ThemeIcon('bell', needsPerson);
  if (needsAttention(worktree, stack)) return new ThemeIcon('warning', needsPerson);
  // Its conflicts are resolved: it waits to be continued.
  if (underWay) return new ThemeIcon('debug-pause', needsPerson);
  if (agents?.activity === 'working') return new ThemeIcon('loading~spin');
  if (isToReview(agents)) return new ThemeIcon('pass');
  if (stack && stack.predicted.length > 0) return new ThemeIcon('warning', new ThemeColor(comingConflict));
  if (pull && pullRequestNeedsPerson(pull)) return pullRequestIcon(pull);
  if (here) return new ThemeIcon('circle-large-filled');
  if (pull) return pullRequestIcon(pull);
  return new ThemeIcon(stack?.needsRestack && !stack.stopped ? 'sync' : 'circle-large-outline');
}

/** The label of the row for screen readers. */
function spokenRow(worktree: Worktree, { here, agents, claudes, stack, pull }: RowFacts): string {
  return [
    worktree.name,
    ...(worktree.main ? [l10n.t('main working tree')] : []),
    ...(here ? [l10n.t('open in this window')] : []),
    ...(claudes ? [l10n.t("Claude's worktree")] : []),
    ...factsOf(worktree, agents, stack).map((fact) =>
      fact.kind === 'pull-request' && pull ? pullRequestSpoken(pull) : localized(spokenLabelOf(fact)),
    ),
  ].join(', ');
}

/** The row of a worktree; the tooltip comes later, see `worktreeTooltip.ts`. */
export function worktreeItem(worktree: Worktree, row: RowContext): TreeItem {
  const { id, here, finished, inWorkspace, agents, stack, pull, holds } = row;
  const next = nextStepOf(worktree, row);
  return {
    id,
    label: worktree.name,
    description: descriptionOf(worktree, row),
    iconPath: iconOf(worktree, row),
    contextValue: [
      'worktree',
      worktree.main ? 'main' : 'linked',
      worktree.condition,
      ...(worktree.staleLink ? ['unlinked'] : []),
      ...(worktree.lockReason === undefined ? [] : ['locked']),
      ...(worktree.active ? ['active'] : []),
      ...(here ? ['here'] : []),
      ...(inWorkspace ? ['inWorkspace'] : []),
      ...(agents?.activity ? ['live'] : []),
      ...underWayFlags(worktree, row),
      ...(worktree.branch === undefined ? ['detached'] : ['branch']),
      ...(stack?.stacked ? ['stacked'] : []),
      ...(stack?.stopped ? [stack.stopped.here ? 'stopped' : 'waits'] : []),
      ...(stack?.needsRestack && !stack.stopped ? ['behind'] : []),
      ...(pull ? ['pr'] : []),
      ...(pull?.watched ? ['watched'] : []),
      ...(worktree.urls.length > 0 ? ['urls'] : []),
      ...(finished ? ['finished'] : []),
      ...offersOf(worktree, row).map((offer) => `can:${offer}`),
      ...(next ? [`next=${next}`] : []),
    ].join(';'),
    collapsibleState: holds
      ? TreeItemCollapsibleState.Expanded
      : canHaveChanges(worktree)
        ? TreeItemCollapsibleState.Collapsed
        : TreeItemCollapsibleState.None,
    accessibilityInformation: { label: spokenRow(worktree, row), role: 'treeitem' },
    command: { command: 'worktreeStacks.clickRow', title: l10n.t('Show Changes') },
  };
}

/** Who began what is under way decides which commands of a row would refuse. */
function underWayFlags({ operation }: Worktree, { underWay, inConflict }: RowFacts): string[] {
  const conflict = inConflict ? ['inConflict'] : [];
  // A bisection is ended in a terminal, and until then nothing of ours moves the branch.
  if (!underWay) return operation === 'bisect' ? [...conflict, 'underWay'] : conflict;
  const flags = { restack: [], merge: ['merging'], git: [`git:${underWay.operation}`] }[underWay.by];
  return [...conflict, 'underWay', ...flags];
}

/** What is not known yet may hold something. */
export function canHaveChanges({ condition, bare, changes, base, upstream }: Worktree): boolean {
  if (condition !== 'fine' || bare) return false;
  const from = base ?? upstream;
  return changes === undefined || changes.total > 0 || (from !== undefined && from.distance?.ahead !== 0);
}
