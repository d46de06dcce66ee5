import { messages } from './message.ts';

/** What `core/lifecycle` has to say. */
export const lifecycleMessages = messages('lifecycle', {
  trackingNotUpdated: 'The tracking file was not updated: {reason}',
  trackingNotUpdatedNext: 'The tracking file was not updated: {reason} ({next})',
});
