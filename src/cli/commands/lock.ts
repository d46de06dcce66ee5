import { lockWorktree } from '../../core/worktree/lock.ts';
import { textOption, type CommandRun } from '../command.ts';
import { openWorktree } from '../context.ts';
import { tellLock } from '../lockReport.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { workspace, worktree } = await openWorktree(cli, word);
  return tellLock(cli, worktree, await lockWorktree(workspace, worktree, textOption(options, 'reason')));
};
