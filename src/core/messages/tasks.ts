import { messages } from './message.ts';

/** What `core/tasks` has to say. */
export const tasksMessages = messages('tasks', {
  noSessionFile: 'There is no session file {session}, so no task {word} either.',
  giveWorktreeName: {
    terminal: 'give the worktree a name: `wt create <name> --task {word}`',
    editor: 'give the worktree of {word} a name',
  },
  taskIsText: '{reason} The worktree gets it as a text.',
  sessionFileLeft: 'The session file was left as it is: {reason}',
  noTask: 'There is no task {word} in {session}.',
  seeWtTasks: { terminal: 'see `wt tasks`', editor: 'see the Tasks view' },
  thereAreTasks: 'There are {count} tasks {word} in {session}.',
  giveEachName: 'give each a name of its own',
  taskFinishedAlready: 'The task {name} in {session} is finished already.',
  chooseAnotherOne: {
    terminal: 'choose another one; `wt tasks` lists them',
    editor: 'choose another one in the Tasks view',
  },
  taskWorktreeAlready: 'The task {task} is in the worktree {holderName} already.',
  switchToHolder: {
    terminal: 'run `wt switch {holderName}` to go on there',
    editor: 'go on in {holderName}',
    remedies: [{ kind: 'openWorktree', worktree: '{holderName}' }],
  },
  tasksCannotRead: 'The tasks in {relative} cannot be read: line {line}: {what}.',
  correctFile: 'correct the file there',
});
