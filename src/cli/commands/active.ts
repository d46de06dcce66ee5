import { stat } from 'node:fs/promises';
import { Problem } from '../../core/base/problem.ts';
import { clearActive, readActive } from '../../core/repository/stateFile.ts';
import { activeJson } from '../activeJson.ts';
import type { CommandLine, CommandRun, ExitCode } from '../command.ts';
import { openWorkspace, type OpenWorkspace } from '../openWorkspace.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const opened = await openWorkspace(cli, { tolerant: true });
  return options['clear'] === true ? clear(cli, opened) : show(cli, opened);
};

async function show({ output }: CommandLine, { workspace }: OpenWorkspace): Promise<ExitCode> {
  const active = await readActive(workspace.repository);
  if (!active) {
    throw new Problem('not-found', 'There is no active worktree.', {
      next: 'choose one with `wt switch <name>`',
      outcome: 'incomplete',
    });
  }
  const folder = await stat(active.path).catch(() => undefined);
  if (!folder?.isDirectory()) {
    throw new Problem('not-found', `The active worktree ${active.path} is gone.`, {
      file: active.path,
      next: 'choose another with `wt switch <name>`, or have none with `wt active --clear`',
      outcome: 'incomplete',
    });
  }
  if (output.json) output.answerJson(activeJson(active));
  else output.answer(active.path);
  return 0;
}

async function clear({ output }: CommandLine, { workspace }: OpenWorkspace): Promise<ExitCode> {
  const cleared = await clearActive(workspace.environment, workspace.repository);
  if (output.json) output.answerJson({ success: true, cleared });
  else output.tell(cleared ? 'No worktree is active any more.' : 'No worktree was active.');
  return 0;
}
