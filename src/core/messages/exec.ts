import { messages } from './message.ts';

/** What `core/exec` has to say. */
export const execMessages = messages('exec', {
  noCommand: 'There is no command {program}.',
  noCommandFile: '{program} is not in {folder}.',
  wholeLine: 'give its words one by one; for a line of the shell: `wt exec {name} -- sh -c {line}`',
  installOrPath: 'install it, or correct the path to it',
  mayNotRun: '{program} may not be run: {why}.',
  notExecutable: 'it is not executable',
  noInterpreter: 'what its first line names to run it is not there',
  makeExecutable: 'make it executable (`chmod +x`), or name the program that runs it',
  correctFirstLine: 'correct its first line',
  noFolder: '{name} has no folder to run in: there is none at {path}.',
  notItsFolder: '{name} has no folder to run in: what is at {path} is not its working tree.',
  movedFolder: '{name} was moved to {path}, and git does not know yet.',
  bareRepository: '{name} is a bare repository, which has no working tree to run in.',
  bringBack: 'bring its folder back (mount its disk), or drop its entry with `wt cleanup {name}`',
  repair: 'run `git worktree repair {path}`',
  nameWorktree: 'name a worktree; `wt list` shows them',
  beingRemoved: '{name} is being removed.',
  beingCreated: '{name} is being created.',
  beingChanged: '{name} is being changed by another process.',
  waitForIt: 'wait until that is done, then try again',
  notAfterFailure: 'not run, because {name} failed',
  notAfterSignal: 'not run, because it was stopped',
  noStack: '{name} is in no stack: it is based on nothing.',
  nameStacked: 'name a worktree of a stack; `wt stack` shows them',
});
