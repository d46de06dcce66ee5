import { resolve } from 'node:path';
import { isUnknown, knownText, type Argument } from '../shell/argument.ts';
import { passedCommandAt } from './passedCommand.ts';
import type { Rule } from './rule.ts';
import { isKnown, waitingCommand } from './wtCommandLine.ts';
import { wtTable } from './wtTable.ts';

/**
 * `wt …`: everything is free, except that a command that waits must run in the background, and that `wt exec` runs another command: that
 * one is checked as if it followed a `cd` to the worktree.
 */
export const worktreeTool: Rule = (call, guard) => {
  const { name, words, state, suspected } = call;
  const waits = guard.background ? undefined : waitingCommand(words);
  if (waits !== undefined) guard.deny({ kind: 'poll', words: [name, waits] });
  const { passes, at } = passedCommandAt(words.map(knownText), wtTable);
  const own = at === undefined ? words : words.slice(0, at);
  const isCertain = own.every(isKnown);
  // Certain words that pass nothing on are another command, ask for help, or are a mistake that runs nothing.
  if (at === undefined && (isCertain || isOtherCommand(words))) return undefined;
  return state.within('subshell', () => {
    state.directory = directoryOf(own, state.directory);
    // A word that is not known may be a name, an option or nothing: then the command may begin anywhere.
    if (!isCertain) guard.commandsAmong(words, state);
    return passes && at !== undefined ? guard.command(words.slice(at), state, suspected) : undefined;
  });
};

/** Whether the first word that is known and no option is another command of `wt`. */
function isOtherCommand(words: readonly Argument[]): boolean {
  const first = words.find((word) => isKnown(word) && !word.text.startsWith('-'));
  const name = first === undefined ? '' : knownText(first);
  return !Object.hasOwn(wtTable.passing, name) && wtTable.commands.split(' ').includes(name);
}

/** Where the aliases of git are looked up: all worktrees of a repository share its configuration, so only `-C` leads to another one. */
function directoryOf(words: readonly Argument[], from: string): string {
  let directory = from;
  for (const [index, word] of words.entries()) {
    const text = knownText(word);
    const value = text === '-C' ? words[index + 1] : /^-C./.test(text) ? { ...word, text: text.slice(2) } : undefined;
    if (value !== undefined && !isUnknown(value)) directory = resolve(directory, knownText(value));
  }
  return directory;
}
