import { messages } from './message.ts';

/** What `core/recovery` has to say. */
export const recoveryMessages = messages('recovery', {
  redoAgain: '`wt redo` does it again',
  lastOperationStopped: 'The last operation has stopped and is not done: {title}.',
  abortOrContinue: '`wt rebase --abort` takes it back, `wt rebase --continue` goes on with it',
  broughtBack: 'Brought back: {back}. {what}',
  thereIsNothing: 'There is nothing to {what}.',
  noOperation: 'There is no operation {id}.',
});
