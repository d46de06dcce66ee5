import { messages } from './message.ts';

/** What `core/trash` has to say. */
export const trashMessages = messages('trash', {
  writtenLate: {
    one: '{name} was removed, but a file was written to it at that very moment; it is kept in {tree}.',
    other: '{name} was removed, but {count} files were written to it at that very moment; it is kept in {tree}.',
  },
  deleting: 'Deleting what was {was}',
  notDeleted: '{what} {size} of it is left.',
  folderInUse: 'The folder {path} is empty, and a program uses it, such as a shell that stands in it.',
  leaveFolder: 'leave that folder there; it is deleted later by itself',
  notPutAside: '{folder} is no trash of Worktree Stacks.',
  keptInTree: 'What was {lookName} is kept in {tree}: {reason}',
  moveNeedOut: 'move what you need out of that folder, then delete it',
});
