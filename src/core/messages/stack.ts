import { messages } from './message.ts';

/** What `core/stack` has to say. */
export const stackMessages = messages('stack', {
  cannotRestacked: '{why}, so it cannot be restacked.',
  wtStackShows: '`wt stack` shows the stacked branches',
  branchCannotOwn: 'A branch cannot be its own base: {onto}.',
  cannotBasedBased: '{branchBranch} cannot be based on {onto}: {onto} is based on {branchBranch}.',
  moveFirstWt: 'move {onto} first: `wt move {onto2} --onto <branch>`',
  partOperationStopped: '{busy} is part of an operation that has stopped: {title}.',
  wtRebaseName: '`wt rebase {name} --continue` continues it, `wt rebase {name} --abort` rolls it back',
  divergedNotClear:
    '{label} and {thereLabel} have diverged, so it is not clear what to rebase onto. Nothing was moved.',
  bringUpDate: 'bring {branch} up to date, or choose one with `--onto {label}` or `--onto {hereLabel}`',
  noBranchCommit: 'There is no branch or commit named {word}.',
  wtStackShowsStacked: '`wt stack` shows the stacked branches, `git branch --all` all of them',
  commitButOnly: '{word} is a commit, but only a branch can be a base.',
  nameBranchOnto: 'name a branch with `--onto`; `--base` takes a commit',
});
