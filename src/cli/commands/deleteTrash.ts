import { deleteTrash } from '../../core/worktrees/remove/trash.ts';
import type { CommandRun } from '../command.ts';

export const run: CommandRun = async (_cli, [folder = '']) => {
  await deleteTrash(folder);
  return 0;
};
