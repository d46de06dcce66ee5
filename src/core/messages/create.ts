import { messages } from './message.ts';

/** What `core/create` has to say. */
export const createMessages = messages('create', {
  keptForItsFiles: '{what} {path} was kept, because it holds files that are not from the commit.',
  notCreatedBecause: '{name} was not created: {why}.',
  notCreatedWithSubmodule: '{name} was not created: {why}. {what}',
  madeSomebodyElse: '{folder} was created by another process meanwhile.',
  tryAgain: { text: 'try again', remedies: [{ kind: 'retry' }] },
  noWorktreeThere: '{path} is no worktree any more.',
  notCheckedOut: 'The files of {name} could not be checked out.',
  seeGitAndSpace: {
    terminal: 'see what git says below, and check that the disk has space left',
    editor: 'see the log, and check that the disk has space left',
    remedies: [{ kind: 'retry' }],
  },
  repositoryNoCommits: 'This repository has no commits yet, so there is nothing to start a worktree from.',
  makeFirstCommit: {
    terminal: 'make a first commit, such as `git commit --allow-empty -m Start`',
    editor: 'make a first commit in Source Control',
  },
  cannotWrite: '{file} cannot be written: {reason}',
  lookFilesBelow: {
    terminal: 'check the files below, then run `wt cleanup {name}`',
    editor: 'check its files, then remove the worktree {name}',
    remedies: [{ kind: 'removeWorktree', worktree: '{name}' }],
  },
  nothingWritten: 'Nothing was written to {name}: {what}{where}.',
  takeSettingOut: {
    terminal:
      'take the setting out with `git config --file {file} --unset {setting}`, or move it to config.worktree of the main worktree (git help worktree); then run this again',
    editor:
      'remove the setting {setting} from {file}, or move it to config.worktree of the main working tree; then try again',
    remedies: [{ kind: 'openFile', file: '{file}' }, { kind: 'retry' }],
  },
  nothingWrittenGit:
    'Nothing was written to {name}: git does not trust the folder {path}, because it belongs to another user.',
  userOwnsFolder: {
    terminal:
      'run this as the user who owns the folder above, or run `git config --global --add safe.directory {path}`; then run this again',
    editor: 'work as the user who owns the folder {path}, or trust it; then try again',
    remedies: [{ kind: 'trustFolder', folder: '{path}' }],
  },
  creatingInterruptedHolds: 'Creating {relativePath} was interrupted, and it holds files that are not from the commit.',
  moveFilesBelow: {
    terminal: 'move the files below away, then run any `wt` command to have the rest removed',
    editor: 'move its files away (the log names them), then refresh',
  },
  gitMadeNo: 'Git has made no worktree at {path}.',
  branchMadeSomebody: 'The branch {branch} was created by another process meanwhile.',
  chooseAnotherName: 'choose another name',
  nameTakenMeanwhile: 'The name of {key} has been taken meanwhile.',
  sessionFileCan: 'A session file can only be committed on a new branch, and {branchName} exists.',
  leaveOutSession: {
    terminal: 'leave out `--session`, or `--branch`',
    editor: 'leave out the session file, or the branch',
  },
  noBranchWorktree: 'There is no branch, worktree or commit named {asked} to start from.',
  nameBaseBase: {
    terminal: 'name a base with `--base`; `wt list` shows the worktrees, `git branch --all` the branches',
    editor: 'choose another base',
  },
  noTrunkStart: 'There is no trunk to start from.',
  trunkMissing: 'The trunk {trunk} does not exist.',
  nameBaseBaseSet: {
    terminal: 'name a base with `--base`, or set `stack.trunk` in .worktrees.yml',
    editor: 'choose a base, or set `stack.trunk` in .worktrees.yml',
    remedies: [{ kind: 'openSettings' }],
  },
  nothingCommittedYet: 'Nothing is committed in {path} yet, so nothing can start from there.',
  commitSomethingName: {
    terminal: 'commit something there, or name another base with `--base`',
    editor: 'commit something there, or choose another base',
  },
  branchAlready: 'There is a branch {branch} already.',
  chooseNameOrUseBranch: {
    terminal: 'choose another name, or run `wt create {name} --branch {branch}` to use that branch',
    editor: 'choose another name, or use that branch',
    remedies: [{ kind: 'useBranch', name: '{name}', branch: '{branch}' }],
  },
  branchCheckedOut: 'The branch {branch} is checked out already, in {holderPath}.',
  chooseAnotherNameWtSwitch: {
    terminal: 'choose another name, or run `wt switch {name}` to go on there',
    editor: 'choose another name, or go on in that worktree',
    remedies: [{ kind: 'openWorktree', worktree: '{name}' }],
  },
  cannotNameBranch: '{branch} cannot be the name of a branch.',
  createWithBranch: {
    terminal: 'run `wt create {name} --branch {better}`',
    editor: 'name its branch {better}',
    remedies: [{ kind: 'createWorktree', name: '{name}', branch: '{better}' }],
  },
  branchUnfit: 'Windows cannot hold a branch {branch}: {why}.',
  continueBranchAs: {
    terminal: 'run `wt create {name} --branch {better} --base {branch}` to continue it on a branch {better}',
    editor: 'continue it on a branch {better}',
    remedies: [{ kind: 'createWorktree', name: '{name}', branch: '{better}', base: '{branch}' }],
  },
  branchUnfitForOthers: 'A branch {branch} cannot be held on Windows: {why}. Those who work there could not fetch it.',
  branchCannotMade: 'A branch {branch} cannot be made while there is a branch {other}.',
  chooseAnotherNameAnother: {
    terminal: 'choose another name, or another branch with `--branch`',
    editor: 'choose another name',
  },
  newWorktreeNeeds: 'The new worktree needs a name.',
  invalidName: '{name} cannot be a name: {why}.',
  createNamed: {
    terminal: 'run `wt create {better}`',
    editor: 'name it {better}',
    remedies: [{ kind: 'createWorktree', name: '{better}' }],
  },
  invalidWorkId: '{workId} cannot be a work id: {why}.',
  chooseAnotherWorkId: 'choose another work id',
  isEmpty: 'it is empty',
  hasMeaning: 'it is a reserved name',
  looksLikeOption: 'it looks like an option',
  leadsElsewhere: 'it leads to another folder',
  hasControlCharacter: 'it holds a line break or another control character',
  tooLong: 'it is longer than {count} bytes',
  giveNameWork: { terminal: 'run `wt create <name>`, or give a work id with `--work-id`', editor: 'give it a name' },
  workIdHeld: 'The worktree {name} at {path} has the work id {held} already.',
  nameWithoutWorkId:
    'There is a worktree {name} already, at {path}, without a work id; the new one would be called {id}.',
  nameWithOtherWorkId:
    'There is a worktree {name} already, at {path}, with the work id {held}; the new one would be called {id}.',
  switchOrNameForWorkId: {
    terminal: 'run `wt switch {name}` to go on in it, or give the new one a name: `wt create <name> --work-id {id}`',
    editor: 'go on in that worktree, or give the new one another name',
    remedies: [{ kind: 'openWorktree', worktree: '{name}' }],
  },
  createNamedForWorkId: {
    terminal: 'give it another name: `wt create {name} --work-id {id}`',
    editor: 'give it another name than {name}',
  },
  nameForWorkId: {
    terminal: 'give it another name: `wt create <name> --work-id {id}`',
    editor: 'give it another name; its work id is {id}',
  },
  nameOrBranchForWorkId: {
    terminal:
      'give it another name: `wt create <name> --work-id {id}`, or use that branch: `wt create --work-id {id} --branch {branch}`',
    editor: 'give it another name, or use the branch {branch} for {id}',
  },
  creatingWorktreeInterrupted: 'Creating the worktree {word} was interrupted and has not been recovered yet.',
  listRecovers: {
    terminal: 'run `wt list`, which recovers it or says why it cannot',
    editor: 'refresh, which recovers it or says why it cannot',
    remedies: [{ kind: 'runDoctor' }],
  },
  worktreeBeingCreated: 'The worktree {word} is being created right now.',
  chooseAnotherNameTry: {
    text: 'choose another name, or try again when that has ended',
    remedies: [{ kind: 'retry' }],
  },
  notFile: 'is not a file',
  doesNotExist: 'does not exist',
  sessionFileUnusable: 'The session file {file} {what}.',
  correctPathFollows: {
    terminal: 'correct the path that follows `--session`',
    editor: 'correct the path of the session file',
  },
  notCreated: '{reason}, so {name} was not created.',
  correctWrongCreate: {
    terminal:
      'correct what is wrong and create it again, or run `wt create {name} --no-setup` to have it without setup',
    editor: 'correct what is wrong, then create {name} again',
    remedies: [{ kind: 'retry' }],
  },
  sessionFileInTheWay: 'The session file cannot be committed as {target}: something else is in its way.',
  correctSessionSession: 'correct `session.session` in .worktrees.yml',
  setupCommandCommand: { terminal: 'The setup command `{command}` {how}.', editor: 'A setup command {how}: {command}' },
  setUpAgain: {
    terminal: 'correct what is wrong, then run `wt setup {name}` again',
    editor: 'correct what is wrong, then run the setup of {name} in a terminal',
    remedies: [{ kind: 'openTerminal', worktree: '{name}' }],
  },
  couldNotInitialised: '{what} could not be initialised.',
  seeGitSaysBelowGit: {
    terminal: 'see what git says below; `git submodule update --init` in the main working tree must succeed first',
    editor: 'see the log; the submodules of the main working tree must be initialised first',
  },
  checkedOutWrongly: {
    one: 'Git checked out {name} and reported no failure, but a file is not as the commit has it.',
    other: 'Git checked out {name} and reported no failure, but {count} files are not as the commit has them.',
  },
  oneFile: '{files} are one file on this disk, which does not tell their names apart; only one of them is there.',
  gitReported: 'Git reported while it wrote the files: {line}',
  hookFailed: 'The post-checkout hook failed with exit code {code}.',
  hookFailedWith: 'The post-checkout hook failed with exit code {code}: {words}.',
  noCommonCommit: '{branch} and {base} have no commit in common.',
  behind: {
    one: '{branch} is 1 commit behind {remote}.',
    other: '{branch} is {count} commits behind {remote}.',
  },
  commitCheckedOut: 'the commit that is checked out in {path}',
  noBranchHolds: 'No branch holds {commit}; {branch} is recorded as the base.',
  remoteBranchUnused: {
    terminal:
      'There is a branch {branch}; the new branch does not start there. To continue it, use `--branch {branch}`.',
    editor: 'There is a branch {branch}; the new branch does not start there.',
  },
  localBranchUsed: 'The local branch {branch} is used; it is not where {remote} is.',
  notCopied: '{path} was not copied: {why}.',
  specialFile: 'it is {what}, and not a file',
  linkInTheWay: 'a link in the worktree is in its way',
  linkLeadsOut: 'it is a link that leads out of the worktree, to {link}',
  cannotBeRead: 'it cannot be read',
  submoduleLeftOut: 'The submodule {path} was left out, as it is in the main checkout.',
  submoduleLeftOutBecause: 'The submodule {path} was left out, as it is in the main checkout: {reason}.',
  theSubmodule: 'The submodule {path}',
  oneOfSubmodules: 'One of the submodules {paths}',
  creating: 'Creating {what}',
  checkingOut: 'Checking out {branch}',
  initialising: { one: 'Initialising 1 submodule', other: 'Initialising {count} submodules' },
  copying: { one: 'Copying 1 ignored file', other: 'Copying {count} ignored files' },
  runningSetup: 'Running {command}',
  endedBySignal: 'was ended by a signal',
  failedWithCode: 'failed with exit code {code}',
  movedToConfigWorktree:
    '{setting} was moved from {from} to config.worktree beside it, as git wants it with extensions.worktreeConfig.',
  becauseSet: ', because {setting} is set in {file}',
  noWorkingTree: 'git takes {path} for no working tree',
  otherWorkingTree: 'git takes {path} for the working tree of {other} and would write there',
  checkDiskSpace:
    'check that the disk has space left and works, and that nothing else changes files there; then run this again',
  cannotMakeFolder: 'Cannot make the folder',
  theWorktree: 'The worktree',
  cannotBeCreated: '{name} cannot be created',
});
