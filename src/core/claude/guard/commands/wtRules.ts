import type { Rule } from './rule.ts';
import { waitingCommand } from './wtCommandLine.ts';

/** `wt …`: everything is free, except that a command that waits must run in the background. */
export const worktreeTool: Rule = ({ name, words }, guard) => {
  const waits = guard.background ? undefined : waitingCommand(words);
  if (waits !== undefined) guard.deny({ kind: 'poll', words: [name, waits] });
  return undefined;
};
