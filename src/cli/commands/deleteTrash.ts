import { Git } from '../../core/git/git.ts';
import { deleteTrash } from '../../core/trash/trash.ts';
import type { CommandRun } from '../command.ts';

export const run: CommandRun = async ({ environment }, [folder = '']) => {
  await deleteTrash(new Git(environment), folder);
  return 0;
};
