import { messages } from './message.ts';

/** What `core/trash` has to say. */
export const trashMessages = messages('trash', {
  notPutAside: '{folder} is no trash of Worktree Stacks.',
  keptInTree: 'What was {lookName} is kept in {tree}: {reason}',
  moveNeedOut: 'move what you need out of that folder, then delete it',
});
