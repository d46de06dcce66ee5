import { MarkdownString, env, l10n } from 'vscode';
import type { RunFacts } from '../../core/claude/runs/runFacts.ts';
import { portList } from '../../core/repository/portBlock.ts';
import { distanceLabel, spokenLabelOf } from '../../core/snapshot/factLabels.ts';
import { isToReview, workOf, type StackInShort } from '../../core/snapshot/facts.ts';
import type { Changes, Worktree } from '../../core/worktree/model.ts';
import { listed, localized } from '../base/messages.ts';
import { agentRows, runRows } from './agentRows.ts';
import { ageWords } from './labels.ts';
import { nextForPullRequest, pullRequestRows } from './pullRequestLabels.ts';
import type { RowFacts } from './rowFacts.ts';

/** What a tooltip tells beside what the snapshot has. */
export interface About extends RowFacts {
  /** The commit of the base after which its own commits begin, where that is known. */
  readonly baseCommit: string | undefined;
  /** The branches from the trunk up to its own. */
  readonly line?: readonly string[] | undefined;
  /** The workflow that has claimed it. */
  readonly run?: RunFacts | undefined;
  /** How much room it takes, in words. */
  readonly size?: string | undefined;
}

/** The whole truth about a worktree in a small table, and what to do next. */
export function tooltipOf(worktree: Worktree, about: About): MarkdownString {
  const { baseCommit, agents, claudes, stack, line, pull, run, finished, size } = about;
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
    [l10n.t('Size'), size],
    [l10n.t('Locked'), lockReason === '' ? l10n.t('no reason given') : lockReason],
    [l10n.t('Files'), worktree.sparse ? localized(spokenLabelOf({ kind: 'sparse' })) : undefined],
    [l10n.t('Task'), entry?.task],
    [l10n.t('Work item'), entry?.workId],
    [l10n.t('Ports'), worktree.ports && portList(worktree.ports)],
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
  for (const { name, url } of worktree.urls)
    if (url !== undefined) text.appendMarkdown(`| ${cell(name)} | [${cell(url)}](${linkTarget(url)}) |\n`);
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
  if (staleLink) return l10n.t('Repair the worktree: it was moved, and Git still has its old path.');
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

/** An address in a link of a table cell: nothing in it ends the link or the cell. */
function linkTarget(url: string): string {
  return url.replaceAll(/[()<>|\\`\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Text that a table cell shows as it stands. */
function cell(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_{}[\]()#+\-.!~<>|&$:@]/g, '\\$&');
}
