import type { Operation } from '../../core/worktrees/operationLog.ts';
import { redo } from '../../core/stack/undo.ts';
import type { CommandLine, CommandRun, ExitCode } from '../command.ts';
import { openWorkspace } from '../openWorkspace.ts';
import { operationJson } from '../operationJson.ts';

export const run: CommandRun = async (cli) => {
  const { workspace } = await openWorkspace(cli);
  return tellTakenBack(cli, await redo(workspace, cli.signal));
};

/** Prints an undo or a redo: what was done, and where each branch is now. */
export function tellTakenBack({ output }: CommandLine, operation: Operation): ExitCode {
  output.done();
  if (output.json) output.answerJson({ success: true, operation: operationJson(operation) });
  else {
    output.answer(
      operation.moves.map(({ branch, from, to }) => `${branch} ${from.slice(0, 8)} -> ${to.slice(0, 8)}`).join('\n'),
    );
    output.tell(`${operation.title.replace(/^(undo|redo)/, (word) => (word === 'undo' ? 'Undone' : 'Done again'))}.`);
  }
  return 0;
}
