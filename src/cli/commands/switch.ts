import { switchActive } from '../../core/worktree/switchActive.ts';
import { activeJson } from '../activeJson.ts';
import type { CommandRun } from '../command.ts';
import { openWorktree } from '../context.ts';

export const run: CommandRun = async (cli, [word]) => {
  const { workspace, worktree } = await openWorktree(cli, word, { tolerant: true });
  const active = await switchActive(workspace, worktree);
  if (cli.output.json) cli.output.answerJson(activeJson(active));
  else {
    cli.output.answer(active.path);
    cli.output.tell(`${worktree.name} is now the active worktree.`);
  }
  return 0;
};
