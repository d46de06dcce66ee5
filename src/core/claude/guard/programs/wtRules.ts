import { knownText } from '../shell/argument.ts';
import type { Handler } from '../judge.ts';
import { isAmong } from './names.ts';

const commands =
  'create new list ls stack info diff switch active rebase push pr poll merge resolve cleanup rm clean-tree add-commit check-ignore state path undo doctor retro hook';

/** `wt …`: everything is free but polling, which has to run in the background. */
export const worktreeTool: Handler = ({ name, words }, judge) => {
  if (judge.background) return undefined;
  const at = words.findIndex((word) => isAmong(commands, knownText(word)));
  if (at < 0 || knownText(words[at]!) !== 'poll') return undefined;
  if (
    words.some((word) => ['--help', '-h'].includes(knownText(word))) ||
    words.slice(0, at).some(({ text }) => text === 'help')
  )
    return undefined;
  judge.deny({ offence: 'poll', words: [name, 'poll'] });
  return undefined;
};
