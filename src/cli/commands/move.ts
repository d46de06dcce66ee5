import { Problem } from '../../core/base/problem.ts';
import { textOption, type CommandRun } from '../command.ts';
import { openWorktree } from '../context.ts';
import { carryOut } from './rebase.ts';
import { cliMessages } from '../cliMessages.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const onto = textOption(options, 'onto');
  if (onto === undefined) {
    throw new Problem('usage', cliMessages.missingOntoBranch(), { next: 'add `--onto <branch>`' });
  }
  const opened = await openWorktree(cli, word);
  const since = textOption(options, 'base');
  const { worktree } = opened;
  return carryOut(cli, opened, { worktree, onto, since, wholeStack: true, move: true }, options);
};
