import { messages } from './message.ts';

/** What `core/recovery` has to say. */
export const recoveryMessages = messages('recovery', {
  redoAgain: { terminal: '`wt redo` redoes it', editor: 'a redo does it again' },
  lastOperationStopped: 'The last operation has stopped and is not done: {title}.',
  abortOrContinue: {
    terminal: '`wt rebase --abort` aborts it, `wt rebase --continue` continues it',
    editor: 'abort it, or continue it',
  },
  broughtBack: 'Restored {back}. {what}',
  thereIsNothing: 'There is nothing to {what}.',
  noOperation: 'There is no operation {id}.',
});
