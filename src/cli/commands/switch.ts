import { hooksJson } from '../../core/hooks/hookJson.ts';
import { switchTo } from '../../core/hooks/switchTo.ts';
import { textOf } from '../../core/messages/message.ts';
import { activeJson } from '../activeJson.ts';
import type { CommandRun } from '../command.ts';
import { openWorktree } from '../context.ts';
import { hookTalk } from '../hookTalk.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { workspace, worktree } = await openWorktree(cli, word, { tolerant: true });
  const { active, results, notes } = await switchTo(workspace, worktree, hookTalk(cli, options));
  cli.output.done();
  for (const note of notes) cli.output.tell(textOf(note));
  if (cli.output.json) cli.output.answerJson({ ...activeJson(active), hooks: hooksJson(results) });
  else {
    cli.output.answer(active.path);
    cli.output.tell(`${worktree.name} is now the active worktree.`);
  }
  return 0;
};
