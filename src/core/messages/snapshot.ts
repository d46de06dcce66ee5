import { messages } from './message.ts';

/** What `core/snapshot` has to say. */
export const snapshotMessages = messages('snapshot', {
  noWorkingTree: 'There is no working tree of {name} at {path}.',
  seeWtInfo: { terminal: 'see `wt info {name}`', editor: 'see the tooltip of {name} in the Worktrees view' },
  baseMissing: 'The base {base} of {name} does not exist any more.',
  noCommitCommon: '{name} and {base} have no commit in common.',
});
