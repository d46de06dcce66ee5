import { Problem } from '../../core/base/problem.ts';
import { adopt, planAdoption, type AdoptionPlan } from '../../core/create/adopt.ts';
import { textOf } from '../../core/messages/message.ts';
import { findWorktree } from '../../core/worktree/find.ts';
import type { Snapshot, Worktree } from '../../core/worktree/model.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { askOneOf } from '../ask.ts';
import { cliMessages } from '../cliMessages.ts';
import { textOption, type CommandLine, type CommandOptions, type CommandRun } from '../command.ts';
import { openWorkspace, readFollowing } from '../context.ts';
import { failureJson } from '../output.ts';
import { bundledPrograms } from '../programs.ts';
import { isUnadopted } from '../../core/worktree/unadopted.ts';

export const run: CommandRun = async (cli, words, options) => {
  const { output } = cli;
  const { workspace } = await openWorkspace(cli);
  const { snapshot } = await readFollowing(cli, workspace);
  const wanted = await wantedOf(cli, snapshot, words, options);
  const base = textOption(options, 'base');
  const plan = await askForBases(
    cli,
    workspace,
    snapshot,
    await planAdoption(workspace, snapshot, wanted, { base, signal: cli.signal }),
  );
  const notes = await adopt(workspace, plan.adoptions, bundledPrograms());
  output.done();
  const [first, ...more] = plan.left.map(({ problem }) => problem);
  const summary = first && (more.length === 0 ? first : notAdopted(first, plan));
  if (output.json) {
    output.answerJson({
      success: first === undefined,
      adopted: plan.adoptions.map(({ name, path, branch, base: on, baseCommit }) => ({
        ...{ name, path, branch, base: on, base_commit: baseCommit ?? null },
      })),
      left: plan.left.map(({ worktree, problem, bases }) => ({
        ...{ name: worktree.name, path: worktree.path, why: problem.message, next: problem.next ?? null, bases },
      })),
      notes: notes.map((note) => textOf(note)),
      ...(summary ? { error: failureJson(summary).error } : {}),
    });
  } else {
    for (const { name } of plan.adoptions) output.answer(name);
    for (const { name, branch, base: on } of plan.adoptions)
      output.tell(textOf(cliMessages.adopted({ name, branch, base: on })));
    for (const note of notes) output.tell(`note: ${textOf(note)}`);
    if (plan.adoptions.length + plan.left.length === 0) output.tell(textOf(cliMessages.nothingToAdopt()));
    if (more.length > 0) for (const { problem } of plan.left) output.report(problem);
    else if (first) output.report(first);
  }
  return first === undefined ? 0 : 1;
};

/** The worktrees that are named; with `--all` those that the registry does not know. One with the trunk checked out needs no base. */
async function wantedOf(
  cli: CommandLine,
  snapshot: Snapshot,
  words: readonly string[],
  options: CommandOptions,
): Promise<Worktree[]> {
  const { worktrees, trunk } = snapshot;
  if (options['all'] === true) {
    if (words.length > 0) throw new Problem('usage', cliMessages.adoptAllOrSome(), { next: cliMessages.leaveOutOne() });
    return worktrees.filter((each) => isUnadopted(each) && each.branch !== undefined && each.branch !== trunk);
  }
  const named = words.length === 0 ? ['.'] : words;
  return Promise.all(named.map((word) => findWorktree(snapshot, word, cli.environment.cwd)));
}

/** Where history does not tell the base, the person does. */
async function askForBases(
  cli: CommandLine,
  workspace: Workspace,
  snapshot: Snapshot,
  plan: AdoptionPlan,
): Promise<AdoptionPlan> {
  if (!cli.mayAsk) return plan;
  const adoptions = [...plan.adoptions];
  const left = [];
  for (const each of plan.left) {
    const { worktree, bases } = each;
    cli.output.done();
    const question = textOf(cliMessages.whichBase({ name: worktree.name }));
    const chosen = bases.length === 0 ? undefined : await askOneOf(question, bases, cli.signal);
    const base = chosen === undefined ? undefined : bases[chosen];
    if (base === undefined) left.push(each);
    else {
      const again = await planAdoption(workspace, snapshot, [worktree], { base, signal: cli.signal });
      adoptions.push(...again.adoptions);
      left.push(...again.left);
    }
  }
  return { adoptions, left };
}

function notAdopted({ reason }: Problem, { left }: AdoptionPlan): Problem {
  return new Problem(reason, cliMessages.notAdopted({ count: left.length }), {
    next: cliMessages.doWhatIsSaid(),
    items: left.map(({ worktree }) => worktree.name),
    outcome: 'incomplete',
  });
}
