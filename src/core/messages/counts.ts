import { messages } from './message.ts';

/** How many there are of something. */
export const counts = messages('counts', {
  agents: { one: '1 agent', other: '{count} agents' },
  branches: { one: '1 branch', other: '{count} branches' },
  commits: { one: '1 commit', other: '{count} commits' },
  conflicts: { one: '1 conflict', other: '{count} conflicts' },
  files: { one: '1 file', other: '{count} files' },
  things: { one: '1 thing', other: '{count} things' },
  worktrees: { one: '1 worktree', other: '{count} worktrees' },
  more: '{names} and {count} more',
});
