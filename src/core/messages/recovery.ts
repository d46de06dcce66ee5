import { messages } from './message.ts';

/** What `core/recovery` has to say. */
export const recoveryMessages = messages('recovery', {
  redoAgain: { terminal: '`wt redo` does it again', editor: 'a redo does it again' },
  lastOperationStopped: 'The last operation has stopped and is not done: {title}.',
  abortOrContinue: {
    terminal: '`wt rebase --abort` takes it back, `wt rebase --continue` goes on with it',
    editor: 'abort it, or continue it',
  },
  broughtBack: 'Brought back: {back}. {what}',
  thereIsNothing: 'There is nothing to {what}.',
  noOperation: 'There is no operation {id}.',
});
