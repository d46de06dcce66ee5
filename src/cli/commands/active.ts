import { stat } from 'node:fs/promises';
import { samePath } from '../../core/base/paths.ts';
import { Problem } from '../../core/base/problem.ts';
import { isWorktreeOf } from '../../core/claude/worktreeLocation.ts';
import { clearActive, readActive, type ActiveWorktree } from '../../core/repository/stateFile.ts';
import { activeIn } from '../../core/relocation/moves.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { activeJson } from '../activeJson.ts';
import type { CommandLine, CommandRun, ExitCode } from '../command.ts';
import { openWorkspace, type OpenWorkspace } from '../context.ts';
import { cliMessages } from '../cliMessages.ts';
import { verbatim } from '../../core/messages/message.ts';

export const run: CommandRun = async (cli, _words, options) => {
  const opened = await openWorkspace(cli, { tolerant: true });
  return options['clear'] === true ? clear(cli, opened) : show(cli, opened);
};

async function show({ output, signal }: CommandLine, { workspace }: OpenWorkspace): Promise<ExitCode> {
  const written = await readActive(workspace.repository);
  if (!written) {
    throw new Problem('not-found', cliMessages.noActiveWorktree(), {
      next: cliMessages.chooseActive(),
      outcome: 'incomplete',
    });
  }
  const { active, onRecord } = await whereItIs(workspace, written, signal);
  const folder = await stat(active.path).catch(() => undefined);
  if (!folder?.isDirectory()) {
    const what = onRecord ? 'cannot be seen now: its folder is not there' : 'is gone';
    const others = 'choose another with `wt switch <name>`, or have none with `wt active --clear`';
    throw new Problem('not-found', cliMessages.activeWorktree({ activePath: active.path, what }), {
      file: active.path,
      next: onRecord ? cliMessages.mountOrRepair({ others }) : verbatim(others),
      outcome: 'incomplete',
    });
  }
  if (output.json) output.answerJson(activeJson(active));
  else output.answer(active.path);
  return 0;
}

/** The worktree may have been moved since it was written down; only then everything is read. */
async function whereItIs(
  workspace: Workspace,
  written: ActiveWorktree,
  signal: AbortSignal,
): Promise<{ readonly active: ActiveWorktree; readonly onRecord: boolean }> {
  const { commonDir, mainRoot } = workspace.repository;
  if (isWorktreeOf(commonDir, written.path) || samePath(written.path, mainRoot))
    return { active: written, onRecord: true };
  const snapshot = await readSnapshot(workspace, { signal, withChanges: false });
  return { active: activeIn(snapshot) ?? written, onRecord: snapshot.worktrees.some((each) => each.active) };
}

async function clear({ output }: CommandLine, { workspace }: OpenWorkspace): Promise<ExitCode> {
  const cleared = await clearActive(workspace.environment, workspace.repository);
  if (output.json) output.answerJson({ success: true, cleared });
  else output.tell(cleared ? 'Cleared the active worktree.' : 'No worktree was active.');
  return 0;
}
