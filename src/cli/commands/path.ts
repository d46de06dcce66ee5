import { resolveProjectPath } from '../../core/worktree/pathResolution.ts';
import { textOption, type CommandRun } from '../command.ts';
import { openWorkspace, openWorktree, requireWorktree } from '../context.ts';

export const run: CommandRun = async (cli, [file = ''], options) => {
  const named = textOption(options, 'worktree');
  const { workspace, root } = named === undefined ? await here() : await there(named);
  const path = await resolveProjectPath(workspace, root, file);
  if (cli.output.json) cli.output.answerJson({ success: true, path, worktree_root: root });
  else cli.output.answer(path);
  return 0;

  async function here() {
    const { workspace, location } = await openWorkspace(cli, { tolerant: true });
    return { workspace, root: requireWorktree(location) };
  }

  async function there(word: string) {
    const { workspace, worktree } = await openWorktree(cli, word, { tolerant: true });
    return { workspace, root: worktree.path };
  }
};
