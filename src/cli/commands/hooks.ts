import { Problem } from '../../core/base/problem.ts';
import { hooksJson } from '../../core/hooks/hookJson.ts';
import { keptRuns, outputFile, type KeptRun } from '../../core/hooks/keptRuns.ts';
import { planHooks, prepareHooks, type PlannedHook } from '../../core/hooks/plan.ts';
import { placeOf, runAfter, runBefore, type HookReport } from '../../core/hooks/runHooks.ts';
import { textOf } from '../../core/messages/message.ts';
import { hookEvents, type HookEvent } from '../../core/repository/hookConfiguration.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { cliMessages } from '../cliMessages.ts';
import { textOption, type CommandLine, type CommandRun } from '../command.ts';
import { openWorktree } from '../context.ts';
import { oneLine } from '../factLabels.ts';
import { hookTalk } from '../hookTalk.ts';
import { layOut } from '../table.ts';

export const run: CommandRun = async (cli, [word], options) => {
  const { output } = cli;
  const { workspace, worktree } = await openWorktree(cli, word ?? '.');
  const event = eventOf(textOption(options, 'run'));
  const approveHooks = options['approve'] === true;
  const talk = { ...hookTalk(cli, options), approveHooks };
  let report: HookReport | undefined;
  if (event !== undefined) {
    const planned = await prepareHooks(workspace, event, talk);
    const place = await placeOf(workspace, worktree, talk);
    report = await (event.startsWith('before_') ? runBefore : runAfter)(workspace, planned, place, talk);
  } else if (approveHooks) {
    for (const each of hookEvents) await prepareHooks(workspace, each, talk);
  }
  const hooks = (await Promise.all(hookEvents.map((each) => planHooks(workspace, each)))).flat();
  const all = await keptRuns(workspace.environment, workspace.repository);
  // Without a name those of every worktree: one that was removed has some as well.
  const runs = word === undefined ? all : all.filter(({ slug }) => slug === worktree.slug);
  output.done();
  const success = (report?.results ?? []).every(({ state }) => state === 'passed' || state === 'started');
  if (output.json) {
    output.answerJson({
      success,
      name: worktree.name,
      hooks: hooks.map(plannedJson),
      ran: hooksJson(report?.results ?? []),
      runs: runs.map((each) => runJson(workspace, each)),
    });
    return success ? 0 : 1;
  }
  for (const note of report?.notes ?? []) output.tell(textOf(note));
  if (report) {
    if (report.results.length === 0) output.tell(textOf(cliMessages.noHooksFor({ event: event ?? '' })));
    return success ? 0 : 1;
  }
  await tell(cli, workspace, hooks, runs);
  return 0;
};

/** @throws Problem `usage` for what is no event. */
function eventOf(word: string | undefined): HookEvent | undefined {
  const event = hookEvents.find((each) => each === word);
  if (word === undefined || event) return event;
  throw new Problem('usage', cliMessages.noSuchHook({ word }), {
    next: cliMessages.useHookEvent({ events: hookEvents.join(', ') }),
  });
}

async function tell(
  { output }: CommandLine,
  workspace: Workspace,
  hooks: readonly PlannedHook[],
  runs: readonly KeptRun[],
): Promise<void> {
  const { colours } = output;
  if (hooks.length === 0) output.tell(textOf(cliMessages.noHooks()));
  const columns = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ title: '', yields: index === count - 1 ? 1 : 0 }));
  if (hooks.length > 0) {
    const rows = hooks.map(({ event, origin, approved, background, run: command }) => [
      event,
      origin,
      approved ? colours.green('approved') : colours.yellow('not approved'),
      background ? 'background' : '',
      oneLine(command),
    ]);
    output.answer(await layOut(columns(5), rows, undefined));
  }
  if (runs.length > 0) {
    const rows = runs.map((each) => [
      oneLine(each.name),
      each.event,
      each.state === 'passed' || each.state === 'running' ? each.state : colours.red(each.state),
      each.started,
      outputFile(workspace.repository, each.id),
    ]);
    output.answer(await layOut(columns(5), rows, undefined));
  }
}

function plannedJson({
  event,
  run: command,
  origin,
  background,
  timeout,
  approved,
}: PlannedHook): Record<string, unknown> {
  return { event, command, origin, background, timeout_ms: timeout, approved };
}

function runJson({ repository }: Workspace, each: KeptRun): Record<string, unknown> {
  const { event, run: command, origin, name, state, exitCode, started, ended, id } = each;
  return {
    ...{ name, event, command, origin, state },
    exit_code: exitCode ?? null,
    started,
    ended: ended ?? null,
    output: outputFile(repository, id),
  };
}
