import { cleanTree, hiddenChanges } from '../../core/worktree/cleanTree.ts';
import type { CommandRun } from '../command.ts';
import { openWorkspace, requireWorktree } from '../context.ts';

export const run: CommandRun = async (cli) => {
  const { output, signal } = cli;
  const { workspace, location } = await openWorkspace(cli, { tolerant: true });
  const root = requireWorktree(location);
  const [dirty, hidden] = await Promise.all([
    cleanTree(workspace, root, { signal }),
    hiddenChanges(workspace, root, { signal }),
  ]);
  // They are meant to stay uncommitted, so they do not make the tree dirty.
  for (const file of hidden) output.tell(`Git is told to overlook the changes in ${file}.`);
  if (output.json)
    output.answerJson({
      success: dirty.length === 0,
      clean: dirty.length === 0,
      dirty,
      ...(hidden.length > 0 ? { hidden } : {}),
    });
  else output.answer(dirty.join('\n'));
  return dirty.length === 0 ? 0 : 1;
};
