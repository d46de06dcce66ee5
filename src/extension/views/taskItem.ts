import { MarkdownString, ThemeColor, ThemeIcon, TreeItemCollapsibleState, l10n, type TreeItem } from 'vscode';
import type { ListedTask, TaskState } from '../../core/session/tasks.ts';
import { localized } from '../base/messages.ts';
import { factMessages } from '../../core/messages/facts.ts';
import type { TaskGroup, TaskGroupNode, TaskRow } from './taskNodes.ts';

/** The row of a list; what is done is folded. */
export function taskGroupItem({ id, group, count }: TaskGroupNode): TreeItem {
  return {
    id,
    label: groupText(group),
    description: String(count),
    contextValue: `taskGroup;${group}`,
    collapsibleState: group === 'done' ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.Expanded,
    accessibilityInformation: {
      label: count === 1 ? l10n.t('{0}, 1 task', groupText(group)) : l10n.t('{0}, {1} tasks', groupText(group), count),
      role: 'treeitem',
    },
  };
}

/** The row of a task: its name, and what is known of it beside that. */
export function taskItem(row: TaskRow): TreeItem {
  const { id, task, parent } = row;
  const facts = factsOf(row);
  return {
    id,
    label: task.name,
    description: facts.join(' · '),
    iconPath: iconOf(row),
    contextValue: contextOf(row),
    collapsibleState: TreeItemCollapsibleState.None,
    tooltip: tooltipOf(task, facts),
    accessibilityInformation: {
      label: [task.name, ...(parent.group === 'inWorktrees' ? [] : [stateText(task.state)]), ...facts].join(', '),
      role: 'treeitem',
    },
    command: { command: 'worktreeStacks.openTask', title: l10n.t('Open Task'), arguments: [row] },
  };
}

function contextOf({ parent, worktree }: TaskRow): string {
  switch (parent.group) {
    case 'pending':
      return 'task;pending;startable';
    case 'inWorktrees':
      return worktree === undefined ? 'task;inWorktrees;startable' : 'task;inWorktrees;there';
    case 'done':
      return 'task;done';
  }
}

/** The worktree and the agent of the task, or the rest of its line. */
function factsOf(row: TaskRow): string[] {
  const { task, parent, worktree } = row;
  if (parent.group !== 'inWorktrees') {
    const detail = task.detail.replaceAll(/[`*]/g, '');
    return detail === '' ? [] : [detail];
  }
  if (worktree === undefined) {
    return [task.slug === undefined ? l10n.t('no worktree is named') : l10n.t('worktree {0} is gone', task.slug)];
  }
  const activity = activityOf(row);
  return [`→ ${worktree}`, ...(activity ? [localized(factMessages[activity]())] : [])];
}

function activityOf({ model, worktree }: TaskRow): 'waiting' | 'working' | 'idle' | undefined {
  return worktree === undefined ? undefined : model.state?.agents.get(worktree)?.activity;
}

/** As in the Worktrees view: colour only where something needs a person. */
function iconOf(row: TaskRow): ThemeIcon {
  const needsPerson = new ThemeColor('list.warningForeground');
  if (row.parent.group === 'inWorktrees') {
    if (row.worktree === undefined) return new ThemeIcon('warning', needsPerson);
    const activity = activityOf(row);
    if (activity === 'waiting') return new ThemeIcon('bell', needsPerson);
    return new ThemeIcon(activity === 'working' ? 'loading~spin' : 'git-branch');
  }
  switch (row.task.state) {
    case 'open':
      return new ThemeIcon('circle-outline');
    case 'blocked':
      return new ThemeIcon('stop', needsPerson);
    case 'started':
      return new ThemeIcon('play-circle');
    case 'done':
      return new ThemeIcon('pass');
    case 'cancelled':
      return new ThemeIcon('circle-slash');
  }
}

function tooltipOf(task: ListedTask, facts: readonly string[]): MarkdownString {
  const place = task.group === '' ? task.section : `${task.section} › ${task.group}`;
  const text = new MarkdownString();
  text.appendText(`${task.name}\n`);
  text.appendText([stateText(task.state), ...facts].join(' · '));
  text.appendText(`\n${l10n.t('{0}, line {1}', place, task.line)}`);
  return text;
}

/** What a list of tasks is called. */
function groupText(group: TaskGroup): string {
  switch (group) {
    case 'pending':
      return l10n.t('Pending');
    case 'inWorktrees':
      return l10n.t('In worktrees');
    case 'done':
      return l10n.t('Done');
  }
}

function stateText(state: TaskState): string {
  switch (state) {
    case 'open':
      return l10n.t('open');
    case 'blocked':
      return l10n.t('blocked');
    case 'started':
      return l10n.t('started');
    case 'done':
      return l10n.t('done');
    case 'cancelled':
      return l10n.t('cancelled');
  }
}
