import { Git } from '../../core/git/git.ts';
import { readContext } from '../../core/repository/context.ts';
import type { CommandRun } from '../command.ts';
import { openWorkspace } from '../context.ts';

export const run: CommandRun = async (cli) => {
  const { environment, output } = cli;
  const [context] = await Promise.all([
    readContext(new Git(environment), environment.cwd),
    openWorkspace(cli, { tolerant: true }),
  ]);
  if (output.json) output.answerJson(context);
  else
    output.answer(
      Object.entries(context)
        .map(([field, value]) => `${field}: ${String(value)}`)
        .join('\n'),
    );
  return 0;
};
