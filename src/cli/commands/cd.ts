import { Problem } from '../../core/base/problem.ts';
import { quoted } from '../../core/base/quoted.ts';
import { worktreeMessages } from '../../core/messages/worktree.ts';
import { cliMessages } from '../cliMessages.ts';
import type { CommandRun } from '../command.ts';
import { openWorktree } from '../context.ts';

export const run: CommandRun = async (cli, [word = '@']) => {
  const { worktree } = await openWorktree(cli, word, { tolerant: true });
  const { name, path, condition } = worktree;
  if (condition === 'missing')
    throw new Problem('not-found', cliMessages.folderGone({ name, path }), {
      ...{ next: worktreeMessages.cleanupDropsEntry({ name: quoted(name) }), outcome: 'incomplete' },
    });
  cli.shell.lead(path);
  // At the prompt of a shell that goes there, the shell shows it.
  const isShown = cli.shell.follows && cli.output.width !== undefined;
  if (cli.output.json) cli.output.answerJson({ success: true, name, path });
  else if (!isShown) cli.output.answer(path);
  return 0;
};
