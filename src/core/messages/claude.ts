import { messages } from './message.ts';

/** What `core/claude` has to say. */
export const claudeMessages = messages('claude', {
  noAgent: '{name} has no agent',
  noProcess: 'There is no process {pid}.',
  nameRunningProcess: 'name one that runs as long as the workflow does, such as `--pid $$` in a script',
  noTime: '{text} is no time.',
  write90m12h: 'write 90m, 12h, 2d, 1w, or a date such as 2026-11-28',
});
