import { MarkdownString, ThemeColor, ThemeIcon, TreeItemCollapsibleState, env, l10n, type TreeItem } from 'vscode';
import { listed } from '../base/messages.ts';
import type { RunFacts } from '../../core/claude/runs/runFacts.ts';
import {
  factsOf,
  isToReview,
  needsAttention,
  workOf,
  type Fact,
  type StackInShort,
} from '../../core/snapshot/facts.ts';
import type { Changes, Worktree } from '../../core/worktree/model.ts';
import { agentRows, runRows } from './agentRows.ts';
import {
  nextForPullRequest,
  pullRequestIcon,
  pullRequestRows,
  pullRequestShort,
  pullRequestSpoken,
  needsPerson as pullRequestNeedsPerson,
} from './pullRequestLabels.ts';
import type { RowFacts } from './rowFacts.ts';
import { ageWords } from './labels.ts';
import { nextStepOf } from './nextStep.ts';
import { localized } from '../base/messages.ts';
import { arrowsOf, distanceLabel, spokenLabelOf } from '../../core/snapshot/factLabels.ts';
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

/** The row of a worktree; the tooltip comes later, see {@link tooltipOf}. */
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
      ...(worktree.active ? ['active'] : []),
      ...(here ? ['here'] : []),
      ...(inWorkspace ? ['inWorkspace'] : []),
      ...(agents?.activity ? ['live'] : []),
      ...underWayFlags(row),
      ...(worktree.branch === undefined ? ['detached'] : ['branch']),
      ...(stack?.stacked ? ['stacked'] : []),
      ...(stack?.stopped ? [stack.stopped.here ? 'stopped' : 'waits'] : []),
      ...(stack?.needsRestack && !stack.stopped ? ['behind'] : []),
      ...(pull ? ['pr'] : []),
      ...(pull?.watched ? ['watched'] : []),
      ...(finished ? ['finished'] : []),
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
function underWayFlags({ underWay, inConflict }: RowFacts): string[] {
  const conflict = inConflict ? ['inConflict'] : [];
  if (!underWay) return conflict;
  const flags = { restack: [], merge: ['merging'], git: [`git:${underWay.operation}`] }[underWay.by];
  return [...conflict, 'underWay', ...flags];
}

/** What is not known yet may hold something. */
export function canHaveChanges({ condition, bare, changes, base, upstream }: Worktree): boolean {
  if (condition !== 'fine' || bare) return false;
  const from = base ?? upstream;
  return changes === undefined || changes.total > 0 || (from !== undefined && from.distance?.ahead !== 0);
}

/**
 * The whole truth about a worktree in a small table, and what to do next.
 *
 * @param about.baseCommit the commit of the base after which its own commits begin, where that is known.
 * @param about.line the branches from the trunk up to its own.
 * @param about.run the workflow that has claimed it.
 */
export function tooltipOf(
  worktree: Worktree,
  about: RowFacts & {
    readonly baseCommit: string | undefined;
    readonly line?: readonly string[] | undefined;
    readonly run?: RunFacts | undefined;
  },
): MarkdownString {
  const { baseCommit, agents, claudes, stack, line, pull, run, finished } = about;
  const { branch, base, upstream, changes, lastCommit, lockReason, entry } = worktree;
  const rows: [string, string | undefined][] = [
    [l10n.t('Path'), worktree.path],
    [
      l10n.t('Branch'),
      branch ??
        (worktree.head === undefined ? l10n.t('none') : l10n.t('none, detached at {0}', worktree.head.slice(0, 7))),
    ],
    [
      l10n.t('Base'),
      base &&
        baseLabel(
          base.branch,
          base.exists ? localized(distanceLabel(base.branch, base.distance)) : l10n.t('gone'),
          baseCommit,
        ),
    ],
    [l10n.t('Stack'), line && line.length > 1 ? stackText(line) : undefined],
    [l10n.t('Restack'), stack && restackText(stack, base?.branch)],
    ...predictedRows(stack?.predicted ?? []),
    [
      l10n.t('Upstream'),
      upstream &&
        (upstream.gone
          ? l10n.t('{0}, gone', upstream.name)
          : localized(distanceLabel(upstream.name, upstream.distance))),
    ],
    ...pullRequestRows(pull),
    [l10n.t('Work'), workOf(worktree) === 'merged' ? l10n.t('merged') : undefined],
    ...runRows(run),
    ...agentRows(agents, env.language),
    [l10n.t('Changes'), changes && changesText(changes)],
    [
      l10n.t('Last commit'),
      lastCommit && l10n.t('{0}, {1}', lastCommit.subject, ageWords(lastCommit.time, env.language)),
    ],
    [l10n.t('Locked'), lockReason === '' ? l10n.t('no reason given') : lockReason],
    [l10n.t('Files'), worktree.sparse ? localized(spokenLabelOf({ kind: 'sparse' })) : undefined],
    [l10n.t('Task'), entry?.task],
    [l10n.t('Work item'), entry?.workId],
    [l10n.t('Problem'), worktree.trouble],
    [
      l10n.t('Next'),
      nextForWaiting(agents) ??
        nextInStack(stack) ??
        nextStep(worktree) ??
        nextForReview(agents) ??
        nextForPullRequest(pull) ??
        (finished ? nextForFinished(worktree) : undefined) ??
        nextForStack(stack),
    ],
  ];
  const text = new MarkdownString();
  text.appendMarkdown(`| ${cell(worktree.name)} | ${cell(titleText(worktree, claudes ?? false))} |\n| :-- | :-- |\n`);
  for (const [name, value] of rows) if (value) text.appendMarkdown(`| ${cell(name)} | ${cell(value)} |\n`);
  return text;
}

function titleText(worktree: Worktree, claudes: boolean): string {
  if (claudes) return l10n.t("Claude's worktree: a session that is restored is led here");
  return worktree.main ? l10n.t('main working tree') : l10n.t('worktree');
}

function baseLabel(name: string, state: string, commit: string | undefined): string {
  return commit === undefined
    ? l10n.t('{0}: {1}', name, state)
    : l10n.t('{0} at {1}: {2}', name, commit.slice(0, 7), state);
}

/** Where it stands: its position counts from the trunk up. */
function stackText(line: readonly string[]): string {
  return l10n.t('{0}, position {1}', line.join(' › '), line.length - 1);
}

function restackText({ stopped, needsRestack }: StackInShort, base: string | undefined): string | undefined {
  if (stopped) return stopped.here ? l10n.t('stopped here') : l10n.t('waits for {0}', stopped.at);
  if (!needsRestack) return undefined;
  return base === undefined ? l10n.t('needed') : l10n.t('{0} has new commits; restack to include them', base);
}

function changesText(changes: Changes): string {
  if (changes.total === 0) return l10n.t('none');
  const kinds: [number, string][] = [
    [changes.conflicts, l10n.t('in conflict')],
    [changes.staged, l10n.t('staged')],
    [changes.unstaged, l10n.t('not staged')],
    [changes.untracked, l10n.t('untracked')],
    [changes.submodules, l10n.t('submodules')],
  ];
  return kinds
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ');
}

/** What a person can do about the state, where it asks for something. */
function nextStep({
  condition,
  staleLink,
  trouble,
  operation,
  changes,
  base,
  path,
  sharesBranchWith,
  lockReason,
}: Worktree): string | undefined {
  switch (condition) {
    case 'moved':
      return l10n.t('Repair the worktree: it or its repository was moved.');
    case 'missing':
      return lockReason === undefined
        ? l10n.t('Restore the folder, for example by mounting its disk. The worktree is kept until then.')
        : l10n.t('Restore the folder: the worktree is locked, so its disk may not be mounted.');
    case 'empty':
      return l10n.t('Restore the folder: its disk may not be mounted. The worktree is kept until then.');
    case 'broken':
      return trouble === undefined
        ? l10n.t('Restore its .git file, or repair the worktree. Its folder {0} is kept until then.', path)
        : l10n.t('Make the folder readable again. The worktree is kept until then.');
    case 'foreign':
      return l10n.t('Move the other repository away, or repair the worktree.');
    case 'fine':
      break;
  }
  if (staleLink) return l10n.t('Repair the worktree: it was moved, and git still has its old path.');
  if (changes && changes.conflicts > 0) {
    return operation
      ? l10n.t('Resolve the conflicts, then continue the {0}.', operation)
      : l10n.t('Resolve the conflicts, then commit.');
  }
  if (operation) return l10n.t('Continue the {0}, or abort it.', operation);
  if (base && !base.exists) return l10n.t('Choose another base: {0} was deleted or renamed.', base.branch);
  if (sharesBranchWith.length > 0) return l10n.t('Check out another branch in one of them, before both commit to it.');
  return undefined;
}

function nextInStack(stack: StackInShort | undefined): string | undefined {
  if (stack?.stopped?.here)
    return l10n.t('Resolve the conflicts and continue the restack, skip the commit, or abort the restack.');
  if (stack?.stopped) return l10n.t('Continue the restack at {0}.', stack.stopped.at);
  return stack?.cycle === undefined ? undefined : l10n.t('Move it onto another branch.');
}

function nextForFinished(worktree: Worktree): string {
  return workOf(worktree) === 'merged'
    ? l10n.t('Remove the worktree: its work was merged.')
    : l10n.t('Remove the worktree: its workflow has ended.');
}

function nextForStack(stack: StackInShort | undefined): string | undefined {
  return stack?.needsRestack ? l10n.t('Restack it.') : undefined;
}

/** So many worktrees that it would conflict with are named in a tooltip, and so many files of each. */
const namedOthers = 6;
const namedFiles = 5;

function predictedRows(predicted: StackInShort['predicted']): [string, string][] {
  const title = l10n.t('Would conflict');
  const named = predicted
    .slice(0, namedOthers)
    .map(({ with: other, files }): [string, string] => [
      title,
      l10n.t('with {0}: {1}', other, listed(files, namedFiles)),
    ]);
  const more = predicted.length - named.length;
  return more > 0 ? [...named, [title, l10n.t('with {0} more', more)]] : named;
}

function nextForWaiting(agents: RowFacts['agents']): string | undefined {
  return agents?.activity === 'waiting' ? l10n.t('Answer Claude in its terminal.') : undefined;
}

function nextForReview(agents: RowFacts['agents']): string | undefined {
  return isToReview(agents) ? l10n.t('Review the changes: Claude is done.') : undefined;
}

/** Text that a table cell shows as it stands. */
function cell(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_{}[\]()#+\-.!~<>|&$:@]/g, '\\$&');
}
