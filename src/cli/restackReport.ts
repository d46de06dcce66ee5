import { Problem } from '../core/base/problem.ts';
import type { Move, Stop } from '../core/operations/operation.ts';
import type { BranchPlan } from '../core/restack/plan.ts';
import { conflictProblem } from '../core/restack/stopProblems.ts';
import { quoted } from '../core/base/quoted.ts';
import type { Colours } from './colour.ts';
import type { ExitCode } from './command.ts';
import { counted } from '../core/base/phrases.ts';
import { oneLine } from './factLabels.ts';
import { failureJson, type Output } from './output.ts';
import { layOut } from './table.ts';
import { cliMessages } from './cliMessages.ts';
import { textOf, type Message } from '../core/messages/message.ts';

/** What a restack would do, or did. */
export interface RestackReport {
  readonly dryRun: boolean;
  readonly branches: readonly BranchPlan[];
  readonly operation: string | undefined;
  readonly stop: Stop | undefined;
  readonly notes: readonly Message[];
  /** What a rebase that had stopped has moved when it went on, where `branches` says nothing of it. */
  readonly resumed?: readonly Move[];
}

/**
 * Prints a restack: the branches as the answer, what is in the way as a problem on standard error.
 *
 * @returns 0 when every branch is where it should be, 1 when something is left to a person.
 */
export async function reportRestack(output: Output, report: RestackReport): Promise<ExitCode> {
  output.done();
  const problem = problemOf(report);
  for (const note of report.notes) output.tell(`note: ${textOf(note)}`);
  if (output.json) {
    output.answerJson({
      success: problem === undefined,
      dry_run: report.dryRun,
      operation: report.operation ?? null,
      branches: report.branches.map(branchJson),
      stop: report.stop ? stopJson(report.stop) : null,
      notes: report.notes,
      ...(report.resumed ? { resumed: report.resumed.map(({ branch, from, to }) => ({ branch, from, to })) } : {}),
      ...(problem ? { error: failureJson(problem).error } : {}),
    });
  } else if (report.branches.length + (report.resumed?.length ?? 0) > 0)
    output.answer(await table(output.colours, report));
  if (problem) output.report(problem);
  return problem ? 1 : 0;
}

/** Where it waits, as `--json` prints it. */
function stopJson(stop: Stop): Record<string, unknown> {
  return { name: stop.name, branch: stop.branch, path: stop.path, files: stop.files };
}

function table(colours: Colours, { branches, dryRun, resumed = [] }: RestackReport): Promise<string> {
  const rows = [
    ...resumed.map(({ branch, from, to }) => [
      oneLine(branch),
      `${from.slice(0, 8)} -> ${to.slice(0, 8)}`,
      colours.green('rebased'),
    ]),
    ...branches.map((plan) => [oneLine(plan.name), movement(plan), outcomeText(plan, dryRun, colours)]),
  ];
  const columns = [0, 1, 2].map((yields) => ({ title: '', yields }));
  return layOut(columns, rows, undefined);
}

function movement({ outcome, commits, baseLabel, base, onto }: BranchPlan): string {
  if (outcome === 'landed' || base === undefined || onto === undefined) return '';
  const label = baseLabel ?? base;
  return `${counted(commits, 'commit')} on ${oneLine(label)} ${onto.slice(0, 8)}`;
}

function outcomeText(plan: BranchPlan, dryRun: boolean, colours: Colours): string {
  const dropped =
    plan.dropped.length === 0
      ? ''
      : `, without ${counted(plan.dropped.length, 'commit')} that ${plan.dropped.length === 1 ? 'is' : 'are'} there already`;
  const moved = plan.base !== plan.baseBefore && plan.baseBefore !== undefined ? `, instead of ${plan.baseBefore}` : '';
  switch (plan.outcome) {
    case 'moves':
      return `${colours.green(dryRun ? 'clean' : 'rebased')}${moved}${dropped}`;
    case 'current':
      return `${colours.dim('up to date')}${moved}`;
    case 'landed':
      return colours.dim('merged');
    case 'conflict':
      if (plan.unsigned) return colours.red(`stops: ${textOf(plan.why ?? '')}`);
      return colours.red(`${dryRun ? 'will conflict' : 'conflicts'}: ${plan.files.join(', ')}`);
    case 'held':
      return colours.yellow(`stays: ${textOf(plan.why ?? '')}`);
    case 'waits':
      return colours.yellow(`waits: ${textOf(plan.why ?? '')}`);
  }
}

/** What is left to a person; `undefined` when nothing is. */
function problemOf({ branches, stop, dryRun }: RestackReport): Problem | undefined {
  if (stop) return conflictProblem(stop);
  const held = branches.filter(({ outcome }) => outcome === 'held');
  const conflicts = dryRun ? branches.filter(({ outcome }) => outcome === 'conflict') : [];
  const [first] = [...held, ...conflicts];
  if (!first) return undefined;
  if (conflicts.length > 0) {
    const would = conflicts.every(({ unsigned }) => unsigned) ? 'could not be signed' : 'would conflict';
    return new Problem('conflicts', cliMessages.nothingTouched({ list: list(conflicts), would }), {
      next: cliMessages.withoutDryRun({ firstName: quoted(first.name) }),
      items: conflicts.flatMap(({ name, files }) => files.map((file) => `${name}: ${file}`)),
      outcome: 'incomplete',
    });
  }
  const [name, why] = [list(held), textOf(first.why ?? '')];
  const what = dryRun
    ? held.length === 1
      ? cliMessages.wouldNotBeRebased({ name, why })
      : cliMessages.severalWouldNotBeRebased({ names: name })
    : held.length === 1
      ? cliMessages.notRebased({ name, why })
      : cliMessages.severalNotRebased({ names: name });
  const items = held.length === 1 ? first.files : held.map(({ name, why }) => `${name}: ${textOf(why ?? '')}`);
  return new Problem(first.files.length > 0 ? 'dirty' : 'in-use', what, {
    ...(first.next === undefined ? {} : { next: first.next }),
    items,
    outcome: 'incomplete',
  });
}

const list = (plans: readonly BranchPlan[]): string => plans.map(({ name }) => name).join(', ');

function branchJson(plan: BranchPlan): Record<string, unknown> {
  return {
    name: plan.name,
    branch: plan.branch,
    outcome: plan.outcome,
    from: plan.from,
    to: plan.to,
    base: plan.base ?? null,
    base_before: plan.baseBefore ?? null,
    onto: plan.onto ?? null,
    base_commit: plan.since ?? null,
    commits: plan.commits,
    dropped: plan.dropped,
    files: plan.files,
    why: plan.why ?? null,
    next: plan.next ?? null,
    notes: plan.notes,
  };
}
