import type { Handler } from '../judge.ts';
import { waitingCommand } from './wtLine.ts';

/** `wt …`: everything is free but what goes on until something happens, which has to run in the background. */
export const worktreeTool: Handler = ({ name, words }, judge) => {
  const waits = judge.background ? undefined : waitingCommand(words);
  if (waits !== undefined) judge.deny({ offence: 'poll', words: [name, waits] });
  return undefined;
};
