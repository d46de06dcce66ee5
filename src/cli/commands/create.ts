import { resolve } from 'node:path';
import { createWorktree, toCreatedJson } from '../../core/worktrees/create/create.ts';
import { textOption, type CommandRun } from '../command.ts';
import { openWorkspace } from '../openWorkspace.ts';
import { bundledPrograms } from '../programs.ts';
import { setupTalk, tellSetup } from '../setupTalk.ts';

export const run: CommandRun = async (cli, [name], options) => {
  const { output, environment } = cli;
  const { workspace } = await openWorkspace(cli);
  const session = textOption(options, 'session');
  const created = await createWorktree(
    workspace,
    {
      name,
      base: textOption(options, 'base'),
      branch: textOption(options, 'branch'),
      task: textOption(options, 'task'),
      sessionFile: session === undefined ? undefined : resolve(environment.cwd, session),
      workId: textOption(options, 'workId'),
      runSetup: options['setup'] === false ? 'never' : 'approved',
      createdBy: 'wt',
    },
    { ...setupTalk(cli), programs: bundledPrograms() },
  );
  output.done();
  if (output.json) {
    output.answerJson(toCreatedJson(created));
    return 0;
  }
  for (const warning of created.warnings) output.tell(`${output.messageColours.yellow('warning:')} ${warning}`);
  output.tell(`Made ${created.name} on the branch ${created.branch}, which stands on ${created.base}.`);
  tellSetup(cli, created.setup);
  output.answer(created.relativePath);
  return 0;
};
