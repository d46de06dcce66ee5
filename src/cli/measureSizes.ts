import { messageOf, Problem } from '../core/base/problem.ts';
import { byteSizeWords } from '../core/base/byteSize.ts';
import type { Snapshot, Worktree } from '../core/worktree/model.ts';
import { measureWorktree, type WorktreeSize } from '../core/worktree/worktreeSize.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import type { CommandLine } from './command.ts';

/**
 * Measures worktrees one after the other, each of them whole, and says which one it is at. One that git cannot read has no size, and that is
 * told as a warning.
 *
 * @throws Problem `cancelled`.
 */
export async function measureSizes(
  { output, signal }: CommandLine,
  { git }: Workspace,
  { worktrees: all }: Snapshot,
  which: readonly Worktree[] = all,
): Promise<ReadonlyMap<Worktree, WorktreeSize>> {
  const sizes = new Map<Worktree, WorktreeSize>();
  for (const [index, worktree] of which.entries()) {
    output.progress(`Measuring ${worktree.name}${which.length > 1 ? ` (${index + 1} of ${which.length})` : ''}`);
    try {
      const measured = await measureWorktree(git, worktree, { all, signal });
      if (measured) sizes.set(worktree, measured.size);
    } catch (thrown) {
      if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
      output.tell(`${worktree.name} could not be measured: ${messageOf(thrown)}`);
    }
  }
  output.done();
  return sizes;
}

/** A size for people, `+` behind it where not all could be read. */
export const sizeText = ({ bytes, whole }: WorktreeSize): string => `${byteSizeWords(bytes)}${whole ? '' : ' +'}`;
