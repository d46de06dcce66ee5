import { messages } from './message.ts';

/** What `core/restack` has to say. */
export const restackMessages = messages('restack', {
  droppedByBase: {
    one: 'A commit that {base} no longer has stays behind: {commits}.',
    other: '{count} commits that {base} no longer has stay behind: {commits}.',
  },
  wouldLoseChanges: 'it would lose its changes in {files}, which {base} does not have',
  anotherOperationStacks: 'Another operation on stacks is under way in this repository.',
  baseMissing: 'The base {base} of {branchName} does not exist.',
  commitNotSigned: 'The commit could not be signed: {words}.',
  noIdentity: 'Git does not know who you are, so it cannot make commits.',
  setGitConfig: {
    terminal: 'set `git config user.name` and `git config user.email`',
    editor: "set your name and e-mail address (user.name, user.email) in git's settings",
  },
  cannotUndoneBecause: 'This cannot be undone, because branches have changed since: {title}.',
  theirFormerCommits: 'their former commits are under refs/wt-backup/{id}/',
  cannotGoBack: '{checkoutPath} cannot go back to where {moveBranch} was: {why}. Nothing was moved.',
  commitThemMove: {
    terminal: 'commit them or move them away, then run the same again',
    remedies: [
      { kind: 'openChanges', worktree: '{checkoutPath}' },
      { kind: 'stashAndRetry', worktree: '{checkoutPath}' },
    ],
  },
  cannotUndoneNow: 'This cannot be undone now, because folders of its worktrees cannot be found: {title}.',
  makeThemVisible: {
    terminal: 'make them visible again, or run `wt doctor --fix` where they were moved, then run the same again',
    editor: 'make them visible again, or run the doctor where they were moved, then try again',
    remedies: [{ kind: 'runDoctor' }],
  },
  movedMeantimeOperation: '{stopBranch} was moved in the meantime, so the operation cannot continue.',
  abortRollsBack: {
    terminal: '`wt rebase {stopName} --abort` rolls back the other branches',
    editor: 'abort it: that rolls back the other branches',
    remedies: [{ kind: 'abortOperation', operation: 'rebase', worktree: '{stopName}' }],
  },
  filesNotWritten: 'Git could not write all files of {name} in {path}: {paths}.',
  fixCausePermissions: {
    terminal:
      'fix the cause (permissions, disk space, a filter), then restore them from the index with `git -C {path} restore <file>`; `wt rebase {name} --abort` rolls everything back',
    editor:
      'fix the cause (permissions, disk space, a filter) in {path}, then discard the changes of these files in Source Control; or abort the rebase of {name}',
    remedies: [{ kind: 'abortOperation', operation: 'rebase', worktree: '{name}' }],
  },
  notHistory: '{asked} is not in the history of {branchBranch}.',
  nameBaseLast: {
    terminal: 'name with `--base` the last commit before its own ones',
    editor: 'name the last commit before its own ones as the base',
  },
  cannotRenamed: '{name} {why}, so it cannot be renamed.',
  adoptFirst: {
    terminal: '`wt adopt {name}` records its base first',
    editor: 'adopt it first, which records its base',
    remedies: [{ kind: 'adopt', worktree: '{name}' }],
  },
  operationUnderWay: 'A {operation} is under way in {path}, so {name} cannot be renamed now.',
  endFirst: {
    terminal: 'continue or abort it first; `wt` in {path} names the command',
    editor: 'continue or abort it first',
    remedies: [{ kind: 'openWorktree', worktree: '{path}' }],
  },
  renamedSince: 'This cannot be undone, because {name} {what}: {title}.',
  logShowsSince: {
    terminal: '`wt log` shows what was done since',
    editor: 'choose what to undo to see what was done since',
    remedies: [{ kind: 'undo' }],
  },
  notRenamedRenamed: '{fromName} was not renamed: it was renamed or removed meanwhile.',
  listShowsNow: { terminal: '`wt list` shows what is there now', editor: 'the Worktrees view shows what is there now' },
  chooseAnotherName: { terminal: 'choose another name, or give one with `--branch`', editor: 'choose another name' },
  renameTo: { terminal: 'run `wt rename {name} {better}`', editor: 'name it {better}' },
  renameWithBranch: {
    terminal: 'run `wt rename {name} {to} --branch {better}`',
    editor: 'choose another name than {to}',
  },
  worktreeAlready: 'There is a worktree {name} already.',
  chooseNameSeeOther: {
    terminal: 'choose another name; `wt info {name}` shows that one',
    editor: 'choose another name than {name}',
  },
  operationsStoppedNone: '{count} operations have stopped, none of them in this worktree.',
  nameOneWorktrees: { terminal: 'name one of the worktrees below', editor: 'choose one of them in the Worktrees view' },
  noStoppedRebase: 'There is no stopped rebase to continue.',
  logListsPast: {
    terminal: '`wt log` lists past operations; a rebase started with git is continued with git',
    editor: 'continue a rebase that was started with git in Source Control',
  },
  gitCouldNotAbort: 'Git could not abort the rebase in {stopPath}.',
  seeOutputThenAbort: {
    terminal: 'see its output, then run `wt rebase {stopName} --abort` again',
    editor: 'see the log, then abort it again',
    remedies: [{ kind: 'abortOperation', operation: 'rebase', worktree: '{stopName}' }],
  },
  couldNotContinue: 'Could not continue the rebase of {stopName}.',
  seeOutputThenContinue: {
    terminal: 'see the output of git in {stopPath}, then run `wt rebase {stopName} --continue`',
    editor: 'see what git says in {stopPath}, then continue',
    remedies: [{ kind: 'continueOperation', operation: 'rebase', worktree: '{stopName}' }],
  },
  gitCouldNotBegin: 'Git could not begin the rebase of {stopName} in {stopPath}.',
  fixThenContinue: {
    terminal: 'fix what it reports, then run `wt rebase {name} --continue`, or `--abort` to roll everything back',
    editor: 'fix what it reports, then continue, or abort it',
    remedies: [
      { kind: 'continueOperation', operation: 'rebase', worktree: '{name}' },
      { kind: 'abortOperation', operation: 'rebase', worktree: '{name}' },
    ],
  },
  stoppedUnsigned: '{stopName} has stopped in {stopPath}: its commits could not be signed.',
  stopped: 'stopped',
  stoppedIn: '{stopName} has {what} in {stopPath}.',
  resolveFilesGit: {
    terminal:
      'resolve the files there and `git add` them (session files: `wt resolve`), then `wt rebase {name} --continue`; or `--skip` the commit, or `--abort` all of it',
    editor: 'resolve and stage the files of {name}, then continue; or abort',
    remedies: [
      { kind: 'continueOperation', operation: 'rebase', worktree: '{name}' },
      { kind: 'abortOperation', operation: 'rebase', worktree: '{name}' },
    ],
  },
  nothingMergeStaged: 'Nothing of the merge is staged in {path}, so all of it would be lost.',
  stageWantedGit: {
    terminal:
      'stage what is wanted (`git -C {path} checkout {theirs} -- <file>`), or `wt rebase {word} --abort`; if nothing is wanted, `git commit` there, then `wt rebase {word} --continue`',
    editor: 'stage what is wanted, or abort; if nothing is wanted, commit in {path}, then continue',
    remedies: [
      { kind: 'openChanges', worktree: '{path}' },
      { kind: 'abortOperation', operation: 'rebase', worktree: '{word}' },
    ],
  },
  notAsPlanned: 'The rebase did not end as planned for: {wrong}.',
  undoRollsBack: {
    terminal: '`wt undo` rolls everything back',
    editor: 'an undo rolls everything back',
    remedies: [{ kind: 'undo' }],
  },
  folderMissing: 'its folder is not there',
  filesNotRead: 'its files could not be read',
  baseGone: 'its base {gone} is gone, {why}',
  firstOwnCommit: 'its first own commit is unknown',
  conflictsThere: 'it conflicts',
  nowhereCheckedOut: '{why}, and no worktree has it checked out',
  worktreeOutSight: 'its worktree cannot be found, so its files could not follow',
  makeVisibleAgain: {
    terminal:
      'make {path} visible again, or run `wt doctor --fix` where it was moved, then run the same again; if the folder was deleted, `git worktree prune` forgets it',
    editor: 'make {path} visible again, or run the doctor where it was moved, then try again',
    remedies: [{ kind: 'runDoctor' }],
  },
  calledNow: '{at} is called {renamed} now.',
  wasMerged: '{at} was merged.',
  appliesHere: {
    terminal: '{label} has {what}, {why}; `{pick}` applies it here.',
    editor: '{label} has {what}, {why}; cherry-pick them to apply them here.',
  },
  includingMergesNothing: 'including merges, so nothing was taken over',
  butConflictsLocal: 'but {subject} conflicts with the local branch',
  basesFormCycle: 'its bases form a cycle',
  cleanupRemoves: {
    terminal: '`wt cleanup {name}` removes it',
    editor: 'remove it',
    remedies: [{ kind: 'removeWorktree', worktree: '{name}' }],
  },
  cannotGoBackNothingMoved: '{checkoutPath} cannot go back to where {moveBranch} was, so nothing was moved',
  gitRebaseContinue: {
    terminal:
      'run `git rebase --continue` in a terminal in {path}, where your key can be unlocked, then `wt rebase {name} --continue`; or `--abort` all of it',
    editor: 'continue the rebase of {name} in a terminal in {path}, where your key can be unlocked; or abort it',
    remedies: [
      { kind: 'openTerminal', worktree: '{path}' },
      { kind: 'abortOperation', operation: 'rebase', worktree: '{name}' },
    ],
  },
  couldNotContinueRebase: 'Could not continue the rebase of {stopName}',
  commitGone: 'its commit {commit} is not there any more',
  goneSince: '{branch} has gone on since',
  pushed: 'it was pushed',
  otherBranchesBased: 'other branches are based on it',
  movedSubmodulesToo: 'it has moved submodules too',
  nothingButHolds: 'nothing but {branch} holds the commits of {mergedBranch} any more',
  notRebasedNothing: '{name} was not rebased, and nothing was moved',
  couldNotAbort: 'Could not abort the rebase of {stopName}',
  wtRebaseOnto: {
    terminal:
      "{keep}`wt rebase {name} --onto {onto}` leaves its commits behind, and with `--base {onto}` too they are kept as {branchName}'s own",
    editor: "{keep}choose whether its commits stay behind, or are kept as {branchName}'s own",
    remedies: [{ kind: 'moveOnto', worktree: '{name}' }],
  },
  breakCycle: {
    terminal: 'break the cycle with `wt move {name} --onto <branch>`',
    editor: 'break the cycle: move {name} onto another branch',
    remedies: [{ kind: 'moveOnto', worktree: '{name}' }],
  },
  moveThemFirst: 'move them first, or {revert}',
  conflicts: 'conflicts',
  couldNotSigned: 'could not be signed ({unsigned})',
  commitFails: '{subject} {what}',
  remoteWorkConflicts: '{label} has work that was merged there, and on the new base {why}',
  bringHere: {
    terminal: 'bring it here with `git {checkout}merge --ff-only {label}`, then run the same again',
    editor: 'bring {label} here by a fast-forward merge, then try again',
    remedies: [{ kind: 'retry' }],
  },
  checkGitLog: {
    terminal: 'check with `git log` what happened to it; `wt move --onto` sets another base',
    editor: 'check in its history what happened to it, or give it another base',
  },
  revertRevertSame: 'revert that revert in {base}, then run the same again; until then the branch is not moved',
  theTrunk: 'the trunk',
  workIsIn: 'its work is in {base}',
  makeWorktree: {
    terminal: 'make one with `git worktree add <path> {planBranch}`, then run the same again',
    editor: 'make a worktree for {planBranch}, then try again',
    remedies: [{ kind: 'useBranch', name: '{planBranch}', branch: '{planBranch}' }],
  },
  commitThemThere: {
    // The buttons of VS Code say it all.
    terminal: 'commit them or move them away in {path}, then run the same again',
    remedies: [
      { kind: 'openChanges', worktree: '{path}' },
      { kind: 'stashAndRetry', worktree: '{path}' },
    ],
  },
  finishThatAgain: {
    text: 'finish that in {path}, then run the same again',
    remedies: [{ kind: 'openWorktree', worktree: '{path}' }],
  },
  branchStops: '{name} {stops}',
  notRebased: '{belowName} is not rebased',
  notSigned: 'could not be signed',
  tookOver: 'Took over from {label} {what}.',
  aCommit: 'a commit',
  commits: '{count} commits',
  commitsByOthers: '{what} by others ({commits})',
  gitRevertM: {
    terminal: '`git revert -m 1 {commit}` undoes it with a new commit',
    editor: 'a revert of the merge {commit} undoes it with a new commit',
  },
  gitResetKeep: {
    terminal: '`git reset --keep {from}` moves {branch} back, and `git submodule update` the submodules',
    editor: 'a reset of {branch} to {from} that keeps changes moves it back, and an update of the submodules',
  },
  takeBackRemoval: {
    terminal: 'undo its removal first (`wt log` shows it), or keep them with `git branch {mergedBranch} {theirs}`',
    editor: 'undo its removal first, or keep them in a branch {mergedBranch}',
    remedies: [{ kind: 'undo' }],
  },
  noSignOfMerge: 'and there is no sign that it was merged',
  revertedIn: 'and its work was reverted in {branch}',
  branchRestores: {
    terminal: '`git branch {branch} {commit}` restores it, ',
    editor: 'a branch {branch} at {commit} restores it, ',
  },
  mayBe: ' (it may be {commits})',
  movingBranches: 'Moving branches and worktrees',
  rebasingInWorktree: 'Rebasing {name} in its worktree',
  fetching: 'Fetching from the remote',
  rebasingInMemory: 'Rebasing in memory',
  triedInMemory: 'Tried {name} in memory ({done} of {all})',
  branchStays: {
    terminal: 'The branch stays {branch}, because it was pushed; `--branch` renames it all the same.',
    editor: 'The branch stays {branch}, because it was pushed.',
  },
  branchOfAnother: '{branch} belongs to {author}: after this only a force push brings it to the remote.',
  isMainWorkingTree: 'is the main working tree',
  hasNoBranch: 'has no branch checked out',
  notInRegistry: 'is not in the registry',
  notThereNow: 'is not there any more',
  isCalledNow: 'is called {name} now, with the branch {branch}',
  nameBase: {
    terminal: '`wt rebase {branchName} --base <commit>` names the last commit before it{hint}',
    editor: 'name the last commit before it as the base of {branchName}{hint}',
  },
});
