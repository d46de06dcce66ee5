import { messages } from './message.ts';

/** What `core/claude` has to say. */
export const claudeMessages = messages('claude', {
  noAgent: '{name} has no agent',
  agentNotWritten: '{file} was not written: {why}. Sessions that start there will not find the agent.',
  linkLeadsOutside: 'it is a link that leads outside, to {folder}',
  fileIsCommitted: 'a file of that name is committed there',
  gitWouldCommit: 'git would commit it',
  noProcess: 'There is no process {pid}.',
  nameRunningProcess: {
    terminal: 'name one that runs as long as the workflow does, such as `--pid $$` in a script',
    editor: 'name one that runs as long as the workflow does',
  },
  noTime: '{text} is no time.',
  write90m12h: 'write 90m, 12h, 2d, 1w, or a date such as 2026-11-28',
});
