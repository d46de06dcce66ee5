import { messages } from './message.ts';

/** What `core/integration` has to say. */
export const integrationMessages = messages('integration', {
  noBranchCommit: 'There is no branch or commit named {word}.',
});
