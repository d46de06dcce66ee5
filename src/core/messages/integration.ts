import { messages } from './message.ts';

/** What `core/integration` has to say. */
export const integrationMessages = messages('integration', {
  noBranchCommit: 'There is no branch or commit named {word}.',
  workReverted: '{base} had its work and reverted it ({detail}{more})',
  historyHereCut: 'The history here is cut off (a shallow clone) before the two meet.',
  noBaseCompare: 'there is no base to compare it with',
  notMergedInto: 'it is not merged into {detail}',
});
