import { messages } from './message.ts';

/** What `core/git` has to say. */
export const gitMessages = messages('git', {
  gitCouldNot: 'Git could not be run to its end: {detail}',
  folderDoesNot: 'The folder {cwd} does not exist.',
  gitCouldNotStarted: 'Git could not be started, because this machine is at its limits ({starved}).',
  closeProgramsRaise: 'close programs, or raise the limits (`ulimit -n 4096`, `ulimit -u`), then try again',
  gitCouldNotStarted2: 'Git could not be started ({binary}).',
  installGit2: 'install git 2.38 or later, or correct the path to it',
  gitCommandSaid: '`git {command}` said nothing for too long, so it was ended.',
  lookWhetherDisk:
    "look whether a disk is away, or a pipe lies where git wants a file (`find . -type p` in git's folder and in the working tree)",
  gitCommandCould: '`git {command}` could not be run: {thrown}',
  sameCommandAgain: 'run the same command again; if it stays so, with --verbose',
  gitDoesNot: 'Git does not trust this repository, because it belongs to another user.',
  seeGitHelp: 'see `git help config`, safe.directory',
  notInsideGit: 'This is not inside a git repository.',
  changeFolderRepository: 'change to a folder of the repository, or run `git init`',
  anotherGitCommand: 'Another git command is running in this repository.',
  tryAgainWhen: 'try again when it has ended',
  gitCommandwordsFailed: '`git {commandWords}` failed with exit code {exitCode}.',
  gitSOwn: "git's own words are below; `wt doctor` looks for what may be wrong here",
  at: ' at {file}',
  failed: '{who} failed{detail}: {what}.',
  anotherGitCommandRunning: 'Another git command is running in this repository: it holds {file}.',
  tryAgainWhenEnded: 'try again when it has ended; if none runs any more, remove that file (`rm {file}`)',
  lockGitS:
    "A lock of git's is in the way: {file} is {ageWords} old, so the git command that made it has died, most likely.",
  wtDoctorFix: 'run `wt doctor --fix`, which removes it when nothing uses it; or ',
  seeNoGit: '{detail}see that no git command runs here, and `rm {file}`',
  but: ' but {answer}',
  gitDidNot: 'Git did not write the object {oid}{detail}.',
  seeWhetherDisk: 'see whether the disk is full and `git fsck` is content, then run the same again',
  gitWorktreeStacks: 'This git is {version}; Worktree Stacks needs {oldestGit} or later.',
  updateGit: 'update git',
});
