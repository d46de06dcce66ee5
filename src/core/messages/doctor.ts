import { messages } from './message.ts';

/** What `core/doctor` has to say. */
export const doctorMessages = messages('doctor', {
  worktreeGone: 'The registry names {name}, but there is no such worktree any more.',
  baseGone: 'The base {base} of {name} is gone.',
  baseCycle: 'The bases of {name} form a cycle.',
  moveOnto: {
    terminal: '`wt move {word} --onto <branch>`',
    editor: 'move it onto another branch',
    remedies: [{ kind: 'moveOnto', worktree: '{word}' }],
  },
  findBase: {
    terminal: '`wt rebase {word}` looks where it went',
    editor: 'a rebase looks where it went',
    remedies: [{ kind: 'rebase', worktree: '{word}' }],
  },
  cannotWork: 'Worktrees cannot be worked with',
  nothingWritten: 'Nothing of ours is written there',
  foundAgainAfterRepair: 'the repair was made, but it is found again.',
  notRemoved: '{file} was not removed: {still}.',
  generatedAgentMissing: 'A generated agent is missing or does not match its worktree.',
  putAsideRemoval: '{path} is left from a removal that nothing else is known of.',
  lookWhetherAnything: 'check whether you need anything in it, then delete it',
  leftOperationKilled: '{path} was left by an operation that was killed.',
  movedAndBroken: '{name} was moved to {path}, or its repository was, and git does not work there.',
  movedGitLooks: '{name} was moved to {path}, and git looks for it elsewhere.',
  outSightKept: 'The folder of {name} cannot be found; it is kept: {whereFolderIs}{lock}.',
  lockedGitCommand: 'The lock on {thing} is {ageWords} old: the git command that made it has most likely died.',
  noGitCommand: {
    terminal: 'if no git command runs there any more, remove it: `rm {file}`',
    editor: 'if no git command runs there any more, delete the file {file}',
  },
  filesKept: 'its files are kept; {next}',
  registryNamesGit:
    'The registry names {name}, which git does not know; what is at {path} cannot be told now, so it is kept.',
  makeFolderVisible: 'make the folder visible again (mount its disk), or remove the entry from the registry by hand',
  operationStoppedWaits: 'An operation has stopped and waits for you: {title}.',
  continueOrAbort: {
    terminal: '`wt rebase {name} --continue`, or `--abort`',
    editor: 'continue it, or abort it',
    remedies: [
      { kind: 'continueOperation', operation: 'rebase', worktree: '{name}' },
      { kind: 'abortOperation', operation: 'rebase', worktree: '{name}' },
    ],
  },
  madeByOthers: {
    one: 'Another program has made the worktree {names}; its base is not recorded.',
    other: 'Other programs have made {count} worktrees, whose bases are not recorded: {names}.',
  },
  andMore: '{names} and {count} more',
  adoptOthers: {
    terminal: '`wt adopt` records the base of one, `wt adopt --all` those of all',
    editor: 'Adopt Worktree records the base of one',
  },
  recordedMergedInto: '{name} is recorded as merged into {into}, which does not have that merge any more.',
  pollDied: '{name} looks watched, but the poll that did so has died.',
  generatedAgentsLeft: 'Generated agents are left of worktrees that are gone: {orphans}.',
  missingStartsAnother: '{file} is missing or starts another program than this one, so hooks may not start.',
  notIgnored: 'Git does not ignore {missing}.',
  leftBehindWorktree: '{state} was left behind by a worktree that is gone.',
  gitLostRecord: 'Git has lost its record of {name}, whose folder is at {path}.',
  branchCheckedOut: {
    terminal:
      'its branch {branch} is checked out in {holderPath}; check out another one there, then run `wt doctor --fix` again',
    editor:
      'its branch {branch} is checked out in {holderPath}; check out another one there, then run the doctor again',
    remedies: [{ kind: 'runDoctor' }],
  },
  branchGoneMake: {
    terminal:
      'its branch {branch} is gone; make it again with `git branch {branch2} <commit>`, then run `wt doctor --fix`',
    editor: 'its branch {branch} is gone; make it again, then run the doctor again',
    remedies: [{ kind: 'runDoctor' }],
  },
  gitWorktreeAdd: {
    terminal: '`git worktree add {path} {branch}` brings it back, `git branch -d {branch}` drops the branch',
    editor: 'a worktree at {path} brings it back; without the branch {branch} there is nothing to bring back',
  },
  rebaseDependents: {
    terminal: 'run `wt rebase` for its dependents ({dependents}), then `wt doctor --fix` again',
    editor: 'rebase its dependents ({dependents}), then run the doctor again',
    remedies: [{ kind: 'runDoctor' }],
  },
  nowRegistrySays: '{name} is at {path} now; the registry says {beforePath}.',
  activeWorktreeNow: {
    terminal: 'The active worktree {name} is at {path} now; the state file says {activePath}.',
    editor: "Claude's worktree {name} is at {path} now; the state file says {activePath}.",
  },
  branchCalledNow: 'The branch of {name} is called {branch} now, and was {entryBranch}.',
  baseCalledNow: 'The base of {name} is called {base} now, and was {recordedBase}.',
  noBaseCommit: 'It is not recorded where the commits of {name} begin.',
  doesNotStand: '{name} is not based on its recorded base commit ({baseCommit}) any more.',
  trackingFileNames: 'The tracking file names {path} as a worktree, but there is none.',
  trackedWithout: 'The tracking file has {path} without {keys}.',
  trackedKey: 'The tracking file has {path} with the {key} {says}; it is {is}.',
  worktreeNotTracking: 'The worktree {path} is not in the tracking file.',
  noPath: 'no path',
  trackedElsewhere: 'The tracking file has {path} at {says}, where it is not any more.',
  noBranch: 'no branch',
  trackedOnAnotherBranch: 'The tracking file has {path} on {says}; it is on {branch}.',
  nothing: 'nothing',
  trackedStatus: 'The tracking file says that {path} is {says}; it is {status}.',
  removeRuleTakes: 'remove the rule that undoes it: {undoneAlready}',
  nameBaseCommit: {
    terminal: '`wt rebase {name} --base <commit>` with the last commit that is not its own',
    editor: 'rebase {name} and name the last commit that is not its own as the base',
    remedies: [{ kind: 'rebase', worktree: '{name}' }],
  },
  lookGitKnows: {
    terminal: 'check what {path} is: git knows no worktree there, and `git worktree repair {path}` may bring it back',
    editor: 'check what {path} is: git knows no worktree there, and a repair may bring it back',
    remedies: [{ kind: 'repair', worktree: '{path}' }],
  },
  gitWorksNow: {
    terminal: 'Git works in {path} again, as after `git worktree repair`; its files are as they were.',
    editor: 'Git works in {path} again; its files are as they were.',
  },
  itIsLocked: '; it is locked',
  itIsLockedBecause: '; it is locked ({reason})',
  adminDirRebuilt:
    "Git's record was made again from the registry: on {branch}, with the files as they are, and nothing staged. What was staged or under way there is not known any more.",
});
