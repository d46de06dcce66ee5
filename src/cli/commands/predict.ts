import { predict, type PredictedConflict } from '../../core/restack/predict.ts';
import { PredictionCache } from '../../core/restack/predictionCache.ts';
import { readStack } from '../../core/stack/readStack.ts';
import { findWorktree } from '../../core/worktree/find.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import type { CommandRun } from '../command.ts';
import { counted } from '../../core/base/phrases.ts';
import { oneLine } from '../factLabels.ts';
import { openWorkspace } from '../context.ts';
import { layOut } from '../table.ts';
import { textOf } from '../../core/messages/message.ts';

export const run: CommandRun = async (cli, [word]) => {
  const { output, signal, environment } = cli;
  const { workspace } = await openWorkspace(cli, { tolerant: true });
  output.progress('Reading the worktrees');
  const snapshot = await readSnapshot(workspace, { signal });
  for (const problem of snapshot.problems) output.warn(problem);
  const wanted = word === undefined ? undefined : (await findWorktree(snapshot, word, environment.cwd)).name;
  output.progress('Merging in memory');
  const state = await readStack(workspace, { signal, snapshot });
  const cache = await PredictionCache.load(workspace.repository);
  const prediction = await predict(workspace, state, { cache, signal });
  await cache.keep(workspace.repository);
  output.done();
  const isWanted = (conflict: PredictedConflict): boolean =>
    wanted === undefined || conflict.worktree === wanted || conflict.with === wanted;
  const conflicts = prediction.conflicts.filter(isWanted);
  if (output.json) {
    const { pairs, left } = prediction;
    output.answerJson({ success: true, conflicts, pairs, left_out: left });
    return 0;
  }
  const rows = conflicts.map(({ worktree, with: other, kind, files }) => [
    oneLine(worktree),
    kind === 'base' ? `its base ${oneLine(other)}` : oneLine(other),
    output.colours.yellow(counted(files.length, 'file')),
    files.map(oneLine).join(', '),
  ]);
  const titles = ['WORKTREE', 'WOULD CONFLICT WITH', 'IN', ''].map((title) => output.colours.dim(title));
  if (rows.length > 0)
    output.answer(
      await layOut(
        titles.map((title, index) => ({ title, yields: index })),
        rows,
        output.width,
      ),
    );
  else output.tell('Nothing would conflict.');
  for (const { worktree, why } of prediction.left) output.tell(`note: ${worktree} was left out: ${textOf(why)}`);
  return 0;
};
