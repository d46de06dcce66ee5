import { relativeTo } from '../../core/base/paths.ts';
import { outdatedBases, outdatedNotes } from '../../core/github/pr/outdatedBases.ts';
import type { Operation } from '../../core/operations/operation.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { redo } from '../../core/recovery/undo.ts';
import type { CommandLine, CommandRun, ExitCode } from '../command.ts';
import { openWorkspace, readFollowing } from '../context.ts';
import { operationJson } from '../operationJson.ts';
import { textOf } from '../../core/messages/message.ts';

export const run: CommandRun = async (cli) => {
  const { workspace } = await openWorkspace(cli);
  await readFollowing(cli, workspace);
  return tellTakenBack(cli, workspace, await redo(workspace, cli.signal));
};

/** Prints an undo or a redo: what was done, where each branch is now, and the paths of worktrees that are there again. */
export async function tellTakenBack({ output }: CommandLine, workspace: Workspace, done: Operation): Promise<ExitCode> {
  output.done();
  const { repository } = workspace;
  const outdated = outdatedNotes(
    await outdatedBases(
      workspace,
      done.moves.map(({ branch }) => branch),
    ),
  );
  const operation = outdated.length === 0 ? done : { ...done, notes: [...(done.notes ?? []), ...outdated] };
  if (output.json) output.answerJson({ success: true, operation: operationJson(operation) });
  else {
    const { moves, restored = [], notes = [] } = operation;
    const lines = [
      ...moves.map(({ branch, from, to }) => `${branch} ${from.slice(0, 8)} -> ${to.slice(0, 8)}`),
      ...restored.map(({ path }) => relativeTo(repository.mainRoot, path)),
    ];
    output.answer(lines.join('\n'));
    output.tell(`${operation.title.replace(/^(undo|redo)/, (word) => (word === 'undo' ? 'Undone' : 'Redone'))}.`);
    for (const note of notes) output.tell(`  ${textOf(note)}`);
  }
  return 0;
}
