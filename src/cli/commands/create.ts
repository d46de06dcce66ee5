import { resolve } from 'node:path';
import { Problem } from '../../core/base/problem.ts';
import { branchOfName } from '../../core/create/branchOfName.ts';
import { createWorktree } from '../../core/create/create.ts';
import type { Created } from '../../core/create/run.ts';
import { toCreatedJson } from '../../core/create/createdJson.ts';
import type { CreateRequest } from '../../core/create/request.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import {
  textOption,
  textsOption,
  type CommandLine,
  type CommandOptions,
  type CommandRun,
  type ExitCode,
} from '../command.ts';

import { askYesNo } from '../ask.ts';
import { openWorkspace } from '../context.ts';
import { failureJson } from '../output.ts';
import { hookTalk } from '../hookTalk.ts';
import { setupTalk, tellSetup } from '../setupPrompt.ts';
import { cliMessages } from '../cliMessages.ts';
import { counts } from '../../core/messages/counts.ts';
import { textOf } from '../../core/messages/message.ts';

export const run: CommandRun = async (cli, [name], options) => {
  const tasks = textsOption(options, 'task');
  if (tasks.length > 1) checkAlone(name, options);
  const { workspace } = await openWorkspace(cli);
  const request = requestOf(cli, name, options);
  if (tasks.length > 1) return createSeveral(cli, workspace, request, tasks, options);
  const created = await create(cli, workspace, { ...request, task: tasks[0] }, options);
  cli.output.done();
  if (cli.output.json) cli.output.answerJson(toCreatedJson(created));
  else tellCreated(cli, created);
  return 0;
};

function requestOf({ environment }: CommandLine, name: string | undefined, options: CommandOptions): CreateRequest {
  const session = textOption(options, 'session');
  const { autoCleanup } = options;
  return {
    name,
    base: textOption(options, 'base'),
    branch: textOption(options, 'branch'),
    sessionFile: session === undefined ? undefined : resolve(environment.cwd, session),
    workId: textOption(options, 'workId'),
    runSetup: options['setup'] === false ? 'never' : 'approved',
    autoCleanup: typeof autoCleanup === 'boolean' ? autoCleanup : undefined,
    workflowRunId: textOption(options, 'workflowRunId'),
    createdBy: textOption(options, 'createdBy')?.trim() || 'wt',
  };
}

async function create(
  cli: CommandLine,
  workspace: Workspace,
  asked: CreateRequest,
  options: CommandOptions,
): Promise<Created> {
  const request = cli.mayAsk && asked.branch === undefined ? await askForBranch(cli, workspace, asked) : asked;
  return createWorktree(workspace, request, { ...setupTalk(cli), ...hookTalk(cli, options) });
}

/** Where there is a branch of the name already, here or on the remote, the person says whether it is meant. */
async function askForBranch(cli: CommandLine, workspace: Workspace, request: CreateRequest): Promise<CreateRequest> {
  const found = await branchOfName(workspace, request, cli.signal);
  if (!found) return request;
  const { branch, isRemote } = found;
  const question = isRemote ? cliMessages.continueRemote({ branch }) : cliMessages.checkOutExisting({ branch });
  cli.output.done();
  return (await askYesNo(textOf(question), cli.signal, true)) ? { ...request, branch } : request;
}

/** What belongs to one worktree cannot be said of several. */
function checkAlone(name: string | undefined, options: CommandOptions): void {
  const single = ['branch', 'session', 'workId'].find((each) => options[each] !== undefined);
  if (name === undefined && single === undefined) return;
  const what =
    name === undefined ? `--${single === 'workId' ? 'work-id' : (single ?? '')}` : `the name ${JSON.stringify(name)}`;
  throw new Problem('usage', cliMessages.severalTasksGet({ what }), {
    next: cliMessages.leaveOutCreate(),
  });
}

/** One worktree after the other; one that fails does not keep the others from being made. */
async function createSeveral(
  cli: CommandLine,
  workspace: Workspace,
  request: CreateRequest,
  tasks: readonly string[],
  options: CommandOptions,
): Promise<ExitCode> {
  const { output } = cli;
  const created: Created[] = [];
  const failed: { task: string; problem: Problem }[] = [];
  for (const task of tasks) {
    try {
      const one = await create(cli, workspace, { ...request, task }, options);
      created.push(one);
      output.done();
      if (!output.json) tellCreated(cli, one);
    } catch (thrown) {
      if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
      output.done();
      output.report(thrown);
      failed.push({ task, problem: thrown });
    }
  }
  const [first] = failed;
  const summary =
    first &&
    (failed.length === 1
      ? first.problem
      : new Problem(
          first.problem.reason,
          cliMessages.notCreated({ count: failed.length, worktrees: counts.worktrees({ count: tasks.length }) }),
          {
            items: failed.map(({ task }) => task),
          },
        ));
  if (output.json) {
    output.answerJson({
      success: failed.length === 0,
      created: created.map(toCreatedJson),
      failed: failed.map(({ task, problem }) => ({ task, error: failureJson(problem).error })),
      ...(summary ? { error: failureJson(summary).error } : {}),
    });
  } else if (summary && failed.length > 1) output.report(summary);
  if (failed.length === 0) return 0;
  return failed.some(({ problem }) => problem.outcome === 'error') ? 2 : 1;
}

function tellCreated(cli: CommandLine, created: Created): void {
  const { output } = cli;
  for (const warning of created.warnings) output.tell(`${output.messageColours.yellow('warning:')} ${textOf(warning)}`);
  output.tell(`Created worktree ${created.name} on branch ${created.branch} (based on ${created.base}).`);
  if (created.taskMoved) output.tell(`Moved the task ${JSON.stringify(created.task)} to the worktree tasks.`);
  tellSetup(cli, created.setup);
  output.answer(created.relativePath);
}
