import { messages } from './message.ts';

/** What `core/operations` has to say. */
export const operationsMessages = messages('operations', {
  notRecovered: 'An interrupted operation could not be recovered: {reason}',
  seeWhatIsLeft: {
    terminal: 'see what is left of it (`git worktree list`), then move its record away: {file}',
    editor: 'see what is left of it, then move its record away: {file}',
  },
  rollingBackFailed: '{what} Rolling back failed too: {then}',
  anyWtCommand: {
    terminal: 'run any `wt` command to try that again, such as `wt list`',
    editor: 'refresh to try that again',
  },
  anotherOperationUnder: 'Another operation on {key} is under way.',
});
