import { Problem } from '../../core/base/problem.ts';
import { commitPrompt } from '../../core/texts/commitPrompt.ts';
import { requireTextWriter } from '../../core/texts/userCommand.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { checkGenerate, generateText } from '../generateText.ts';
import { addCommit, stageFiles } from '../../core/worktree/addCommit.ts';
import type { CommandLine, CommandRun } from '../command.ts';
import { openWorkspace, requireWorktree } from '../context.ts';
import { readAllInput } from '../readInput.ts';

export const run: CommandRun = async (cli, files, options) => {
  const { output, signal, input, mayAsk } = cli;
  const { workspace, location } = await openWorkspace(cli, { tolerant: true });
  const root = requireWorktree(location);
  const generate = checkGenerate(options);
  if (!generate && mayAsk) output.tell('Type the commit message, then press Ctrl-D on an empty line.');
  const message = generate
    ? await generateMessage(cli, workspace, root, files, options['yes'] === true)
    : await readAllInput(input, signal);
  const commit = await addCommit(workspace, root, files, message, { signal }).catch((thrown: unknown) => {
    // Scripts tell "nothing was committed" by exit code 1, whatever the reason.
    if (!Problem.is(thrown) || thrown.outcome === 'incomplete') throw thrown;
    throw asIncomplete(thrown);
  });
  if (output.json) output.answerJson({ success: true, commit: commit ?? null });
  else output.answer(commit ?? '');
  return 0;
};

/** What is committed is staged before: the message is about exactly that. */
async function generateMessage(
  cli: CommandLine,
  workspace: Workspace,
  root: string,
  files: readonly string[],
  yes: boolean,
): Promise<string> {
  const { signal } = cli;
  await requireTextWriter(workspace);
  await stageFiles(workspace, root, files, { signal });
  const prompt = await commitPrompt(workspace.git, root, { signal });
  return generateText(cli, workspace, { kind: 'commit', prompt, about: `The message of a commit in ${root}.`, yes });
}

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
