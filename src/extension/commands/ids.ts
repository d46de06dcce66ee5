import { l10n } from 'vscode';

/** Every command, and what it is called in a message. */
export const commandTitles = {
  'worktreeStacks.create': () => l10n.t('Create Worktree'),
  'worktreeStacks.cleanup': () => l10n.t('Remove Worktree'),
  'worktreeStacks.merge': () => l10n.t('Merge Worktree'),
  'worktreeStacks.continueMerge': () => l10n.t('Continue Merge'),
  'worktreeStacks.abortMerge': () => l10n.t('Abort Merge'),
  'worktreeStacks.viewAsList': () => l10n.t('View Worktrees as List'),
  'worktreeStacks.viewAsStack': () => l10n.t('View Worktrees as Stacks'),
  'worktreeStacks.nextInStack': () => l10n.t('Next Worktree of the Stack'),
  'worktreeStacks.previousInStack': () => l10n.t('Previous Worktree of the Stack'),
  'worktreeStacks.sameFileAbove': () => l10n.t('Same File in the Branch Above'),
  'worktreeStacks.sameFileBelow': () => l10n.t('Same File in the Branch Below'),
  'worktreeStacks.openHere': () => l10n.t('Open Worktree in This Window'),
  'worktreeStacks.openInNewWindow': () => l10n.t('Open Worktree in New Window'),
  'worktreeStacks.openInTerminal': () => l10n.t('Open Worktree in Terminal'),
  'worktreeStacks.switchActive': () => l10n.t('Make Worktree Active'),
  'worktreeStacks.clearActive': () => l10n.t('Clear Active Worktree'),
  'worktreeStacks.showWorktrees': () => l10n.t('Show Worktrees'),
  'worktreeStacks.diff': () => l10n.t('Compare Worktree with Its Base'),
  'worktreeStacks.openChange': () => l10n.t('Open Changes'),
  'worktreeStacks.openConflict': () => l10n.t('Resolve Conflict'),
  'worktreeStacks.openFile': () => l10n.t('Open File'),
  'worktreeStacks.reveal': () => l10n.t('Reveal Worktree'),
  'worktreeStacks.copyPath': () => l10n.t('Copy Path of Worktree'),
  'worktreeStacks.startClaude': () => l10n.t('Start Claude in a Worktree'),
  'worktreeStacks.showDecisions': () => l10n.t('Show Decisions of Hooks'),
  'worktreeStacks.installClaudePlugin': () => l10n.t('Install the Claude Code Plugin'),
  'worktreeStacks.startTask': () => l10n.t('Start Task in a Worktree'),
  'worktreeStacks.startTaskWithClaude': () => l10n.t('Start Task in a Worktree with Claude'),
  'worktreeStacks.openTask': () => l10n.t('Open Task'),
  'worktreeStacks.openSessionFile': () => l10n.t('Open Session File'),
  'worktreeStacks.openSessionMerge': () => l10n.t('Open Session Merge Editor'),
  'worktreeStacks.openMergeAsText': () => l10n.t('Open as Text'),
  'worktreeStacks.acceptMerge': () => l10n.t('Accept and Stage'),
  'worktreeStacks.refresh': () => l10n.t('Refresh Worktrees'),
  'worktreeStacks.showLog': () => l10n.t('Show Log'),
} as const satisfies Readonly<Record<string, () => string>>;

/** The id of a command. */
export type CommandId = keyof typeof commandTitles;
