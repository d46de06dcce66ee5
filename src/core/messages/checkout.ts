import { messages } from './message.ts';

/** What `core/checkout` has to say. */
export const checkoutMessages = messages('checkout', {
  couldNotFollow: '{checkoutPath} could not follow {branch}. {end}',
  commitWayMove: 'commit what is in the way there, or move it away, then run the same again',
  gitCouldNotWrite: '{checkoutPath} could not follow {branch}: git could not write {what}{more}{why}. {end}',
  findOutWhy: 'see why git cannot write in {folder}',
  fixThenAgain: '{fix}, then run the same again',
  notEveryFile: '{what} Not every file could be restored.',
  checkFilesBelow: 'check the files below',
  couldNotFollowNothing: '{checkoutPath} could not follow {moveBranch}, so nothing was moved: {why}.',
  filesNotBackedUp: 'The files of {checkoutPath} could not be backed up, so {moveBranch} was not moved: {reason}.',
  freeSomeSpace: 'free some space and check that you may read these files, then run the same again',
  lockInTheWay: '{what}: {lockMessage}.',
  filesOf: 'Files of {placePath} {why}.',
  seeSpaceDisk: 'see that there is space on the disk and that you may write there, then run the same again',
  theirFormerContents: 'their former contents are in {folder}; run the same again',
  becauseNoneMoved: '{what}, because {lock} is there{old}; none was moved.',
  noGitCommand: 'if no git command is running in this repository, remove it with `rm {lock}`, then run the same again',
  branchesNotMoved: 'Git could not move the branches; none was moved.',
  movedMeanwhileNothing: '{branch} was moved meanwhile, so nothing was moved.',
  again: 'run the same again',
  filesChangesHidden: 'files with changes that are hidden from git (assume-unchanged or skip-worktree) are in the way',
  showThemGit:
    'show them to git with `git update-index --no-assume-unchanged --no-skip-worktree <file>` and commit them, or move them away, in {checkoutPath}, then run the same again',
  indexLockedOld: 'its index is locked by {file} ({ageWords} old{who})',
  waitProcessEnd: 'wait for process {holder} to end, then run the same again',
  noGitCommandRunning:
    'if no git command is running in {checkoutPath}, remove it with `rm {file}`, then run the same again',
  ignoredFilesWay: 'ignored files are in the way',
  uncommittedChangesWay: 'uncommitted changes are in the way',
  wouldConflictUncommitted: 'it would conflict, and has uncommitted changes',
  couldNotFollowNothingMoved: '{checkoutPath} could not follow {branch}, so nothing was moved',
  gitMovedSome: 'Git has moved some of the branches and could not move the others.',
  seeSpaceDiskMay:
    'see that there is space on the disk and that you may write to the repository; the next `wt` command completes it',
  freeSomeSpaceCheck: 'free some space and check the permissions there; the next `wt` command restores them',
  nothingMoved: 'Nothing was moved.',
  noBranchMoved: 'No branch was moved, but not every file could be restored.',
  itsFiles: 'its files',
});
