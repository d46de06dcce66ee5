import { deleteTrash } from '../../core/worktrees/trash.ts';
import type { CommandRun } from '../command.ts';

export const run: CommandRun = async (_cli, [folder = '']) => {
  await deleteTrash(folder);
  return 0;
};
