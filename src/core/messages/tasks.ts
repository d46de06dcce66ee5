import { messages } from './message.ts';

/** What `core/tasks` has to say. */
export const tasksMessages = messages('tasks', {
  noSessionFile: 'There is no session file {session}, so no task {word} either.',
  giveWorktreeName: 'give the worktree a name: `wt create <name> --task {word}`',
  taskIsText: '{reason} The worktree gets it as a text.',
  sessionFileLeft: 'The session file was left as it is: {reason}',
  noTask: 'There is no task {word} in {session}.',
  seeWtTasks: 'see `wt tasks`',
  thereAreTasks: 'There are {count} tasks {word} in {session}.',
  giveEachName: 'give each a name of its own',
  taskFinishedAlready: 'The task {name} in {session} is finished already.',
  chooseAnotherOne: 'choose another one; `wt tasks` lists them',
  taskWorktreeAlready: 'The task {task} is in the worktree {holderName} already.',
  switchToHolder: 'run `wt switch {holderName}` to go on there',
  tasksCannotRead: 'The tasks in {relative} cannot be read: line {line}: {what}.',
  correctFile: 'correct the file there',
});
