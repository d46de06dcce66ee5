import { messages } from './message.ts';

/** What `core/stack` has to say. */
export const stackMessages = messages('stack', {
  couldNotFetch: 'Could not fetch from {remote}; using what was fetched last ({reason}).',
  trunkRenamed: '{remote} renamed {old} to {now}; branches that were based on {old} are based on {now} now.',
  trunkRenamedConfigured:
    '{remote} renamed {old} to {now}; branches that were based on {old} are based on {now} now. `.worktrees.yml` still has {old}: set `stack.trunk` to {now} there.',
  mergesDetectedLocal: 'Merges are detected from local data only: {reason}',
  noBranchCheckedOut: '{name} has no branch checked out',
  isTrunk: '{branch} is the trunk, the base of all stacks',
  isMainWorkingTree: '{name} is the main working tree, and {branch} is in no stack',
  cannotRestacked: '{why}, so it cannot be restacked.',
  stackShows: {
    terminal: '`wt stack` shows the stacked branches',
    editor: 'the Worktrees view shows the stacked branches',
  },
  branchCannotOwn: 'A branch cannot be its own base: {onto}.',
  cannotBasedBased: '{branchBranch} cannot be based on {onto}: {onto} is based on {branchBranch}.',
  moveFirst: {
    terminal: 'move {onto} first: `wt move {word} --onto <branch>`',
    editor: 'move {onto} first',
    remedies: [{ kind: 'moveOnto', worktree: '{word}' }],
  },
  partOperationStopped: '{busy} is part of an operation that has stopped: {title}.',
  continueOrAbort: {
    terminal: '`wt rebase {name} --continue` continues it, `wt rebase {name} --abort` rolls it back',
    editor: 'continue it, or abort it',
    remedies: [
      { kind: 'continueOperation', operation: 'rebase', worktree: '{name}' },
      { kind: 'abortOperation', operation: 'rebase', worktree: '{name}' },
    ],
  },
  divergedNotClear:
    '{label} and {thereLabel} have diverged, so it is not clear what to rebase onto. Nothing was moved.',
  bringUpDate: {
    terminal: 'bring {branch} up to date, or choose one with `--onto {label}` or `--onto {hereLabel}`',
    editor: 'bring {branch} up to date, or choose {label} or {hereLabel} as the base',
  },
  stackAndBranchesShow: {
    terminal: '`wt stack` shows the stacked branches, `git branch --all` all of them',
    editor: 'choose one of the branches',
  },
  commitButOnly: '{word} is a commit, but only a branch can be a base.',
  nameBranchOnto: { terminal: 'name a branch with `--onto`; `--base` takes a commit', editor: 'choose a branch' },
  mergedButLocalAhead:
    'it was merged into {base} on {remote}, but the local {base} has commits that {remote} does not have',
  mergeBoth: {
    terminal: 'merge the two with `git {checkout}merge {label}`, then run the same again',
    editor: 'merge {label} into it in a terminal, then try again',
    remedies: [{ kind: 'retry' }],
  },
  countsMergedBut: {
    terminal:
      '#{number} of {called} counts as merged, but its work is not in {label}, so all of it stays; `wt pr {called2}` opens another one for it.',
    editor:
      '#{number} of {called} counts as merged, but its work is not in {label}, so all of it stays; {called2} needs another pull request for it.',
    remedies: [{ kind: 'createPullRequest', worktree: '{called2}' }],
  },
  mergedButAll: '#{number} of {called} was merged, but {taken}. So all of it stays.',
  workReverted: '{label} had its work ({commit}) and reverted it: {listed}',
});
