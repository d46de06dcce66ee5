import { readOperations } from '../../core/operations/store.ts';
import { undoneIds } from '../../core/operations/operation.ts';
import type { CommandRun } from '../command.ts';
import { oneLine } from '../factLabels.ts';
import { openWorkspace } from '../context.ts';
import { operationJson } from '../operationJson.ts';
import { layOut } from '../table.ts';

export const run: CommandRun = async (cli) => {
  const { output } = cli;
  const { workspace } = await openWorkspace(cli, { tolerant: true });
  const operations = await readOperations(workspace);
  const undone = undoneIds(operations);
  if (output.json) {
    output.answerJson({
      success: true,
      operations: operations.map((operation) => operationJson(operation, undone.has(operation.id))),
    });
    return 0;
  }
  const rows = operations.map(({ id, started, title, state, moves, stop, removal, restored, carried }) => {
    const now = state === 'stopped' ? `stopped in ${stop?.name ?? '?'}` : undone.has(id) ? 'undone' : state;
    const colour = state === 'stopped' ? output.colours.yellow : output.colours.dim;
    return [
      output.colours.dim(id),
      started.slice(0, 16).replace('T', ' '),
      oneLine(title),
      removal
        ? '1 removed'
        : carried
          ? `${carried.files.count} carried`
          : restored
            ? `${restored.length} back`
            : `${moves.length} moved`,
      colour(now),
    ];
  });
  const columns = [4, 3, 0, 2, 1].map((yields) => ({ title: '', yields }));
  if (rows.length > 0) output.answer(await layOut(columns, rows, output.width));
  else output.tell('No operations in the last 30 days.');
  return 0;
};
