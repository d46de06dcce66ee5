import type { Rule } from './rule.ts';
import { waitingCommand } from './wtCommandLine.ts';

/** `wt …`: everything is free but what goes on until something happens, which has to run in the background. */
export const worktreeTool: Rule = ({ name, words }, guard) => {
  const waits = guard.background ? undefined : waitingCommand(words);
  if (waits !== undefined) guard.deny({ kind: 'poll', words: [name, waits] });
  return undefined;
};
