import { unlockWorktree } from '../../core/worktree/lock.ts';
import type { CommandRun } from '../command.ts';
import { openWorktree } from '../context.ts';
import { tellLock } from '../lockReport.ts';

export const run: CommandRun = async (cli, [word]) => {
  const { workspace, worktree } = await openWorktree(cli, word);
  return tellLock(cli, worktree, await unlockWorktree(workspace, worktree));
};
