import { diffFromBase, diffTextFromBase } from '../../core/snapshot/diff.ts';
import type { CommandRun } from '../command.ts';
import { openWorktree } from '../context.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { output, signal } = cli;
  const { workspace, worktree } = await openWorktree(cli, word, { tolerant: true });
  if (output.json) {
    const { from, base, files } = await diffFromBase(workspace, worktree, { signal });
    output.answerJson({ success: true, name: worktree.name, from, base: base ?? null, files });
    return 0;
  }
  const stat = options['stat'] === true;
  const text = await diffTextFromBase(workspace, worktree, {
    form: stat ? 'stat' : 'patch',
    colour: output.coloured,
    ...(output.width === undefined ? {} : { width: output.width }),
    signal,
  });
  output.write(text.bytes);
  if (!stat && text.untracked.length > 0) {
    output.tell(`Not in the patch, because git does not track them yet: ${text.untracked.join(', ')}`);
  }
  return 0;
};
