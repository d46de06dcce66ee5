import { Problem } from '../../core/base/problem.ts';
import { addCommit } from '../../core/worktree/addCommit.ts';
import type { CommandRun } from '../command.ts';
import { openWorkspace, requireWorktree } from '../context.ts';
import { readAllInput } from '../readInput.ts';

export const run: CommandRun = async (cli, files) => {
  const { output, signal, input, mayAsk } = cli;
  const { workspace, location } = await openWorkspace(cli, { tolerant: true });
  const root = requireWorktree(location);
  if (mayAsk) output.tell('Type the commit message, then press Ctrl-D on an empty line.');
  const message = await readAllInput(input, signal);
  const commit = await addCommit(workspace, root, files, message, { signal }).catch((thrown: unknown) => {
    // Scripts tell "nothing was committed" by exit code 1, whatever the reason.
    if (!Problem.is(thrown) || thrown.outcome === 'incomplete') throw thrown;
    throw asIncomplete(thrown);
  });
  if (output.json) output.answerJson({ success: true, commit: commit ?? null });
  else output.answer(commit ?? '');
  return 0;
};

function asIncomplete(problem: Problem): Problem {
  const { reason, what, nextStep, file, line, items } = problem;
  return new Problem(reason, what, {
    next: nextStep,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    items,
    outcome: 'incomplete',
    cause: problem,
  });
}
