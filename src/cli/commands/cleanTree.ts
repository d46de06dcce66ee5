import { cleanTree } from '../../core/worktrees/cleanTree.ts';
import type { CommandRun } from '../command.ts';
import { openWorkspace, requireWorktree } from '../openWorkspace.ts';

export const run: CommandRun = async (cli) => {
  const { output, signal } = cli;
  const { workspace, location } = await openWorkspace(cli, { tolerant: true });
  const dirty = await cleanTree(workspace, requireWorktree(location), { signal });
  if (output.json) output.answerJson({ success: dirty.length === 0, clean: dirty.length === 0, dirty });
  else output.answer(dirty.join('\n'));
  return dirty.length === 0 ? 0 : 1;
};
