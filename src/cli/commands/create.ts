import { basename, resolve } from 'node:path';
import { Problem } from '../../core/base/problem.ts';
import { branchesOfName } from '../../core/create/branchOfName.ts';
import { parseSubject } from '../../core/create/subject.ts';
import { createWorktree } from '../../core/create/create.ts';
import type { Created } from '../../core/create/run.ts';
import { toCreatedJson } from '../../core/create/createdJson.ts';
import { sharedMessages } from '../../core/create/shared.ts';
import type { CreateRequest } from '../../core/create/request.ts';
import type { ResolvedSubject } from '../../core/github/subject/resolveSubject.ts';
import { readActive } from '../../core/repository/stateFile.ts';
import type { Progress } from '../../core/worktree/model.ts';
import { noteSwitch } from '../../core/worktree/previousWorktree.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import {
  textOption,
  textsOption,
  type CommandLine,
  type CommandOptions,
  type CommandRun,
  type ExitCode,
} from '../command.ts';

import { askOneOf, askYesNo } from '../ask.ts';
import { openWorkspace } from '../context.ts';
import { failureJson } from '../output.ts';
import { hookTalk } from '../hookTalk.ts';
import { setupTalk, tellSetup } from '../setupPrompt.ts';
import { hintOnShell } from '../shellHint.ts';
import { cliMessages } from '../cliMessages.ts';
import { counts } from '../../core/messages/counts.ts';
import { textOf } from '../../core/messages/message.ts';

export const run: CommandRun = async (cli, [name], options) => {
  const tasks = textsOption(options, 'task');
  if (tasks.length > 1) checkAlone(name, options);
  const { workspace } = await openWorkspace(cli);
  const request = requestOf(cli, name, options);
  if (tasks.length > 1)
    return createSeveral(
      cli,
      workspace,
      tasks.map((task) => ({ ...request, task })),
      options,
    );
  const stack = options['stack'] === true;
  const { requests, notes } = await requestsOf(cli, workspace, { ...request, task: tasks[0] }, stack);
  cli.output.done();
  for (const note of notes) cli.output.tell(`note: ${textOf(note)}`);
  const [only] = requests;
  if (stack && only?.pull === undefined) {
    throw new Problem('usage', cliMessages.stackOfPull(), { next: cliMessages.namePullRequest() });
  }
  if (stack || !only) return createSeveral(cli, workspace, requests, options);
  const before = await placeNow(cli, workspace);
  const created = await create(cli, workspace, only, options);
  cli.output.done();
  if (cli.output.json) cli.output.answerJson(toCreatedJson(created));
  else tellCreated(cli, created);
  await noteSwitch(workspace.repository, before, created.path);
  if (options['cd'] === false) return 0;
  if (cli.shell.follows) cli.shell.lead(created.path);
  else await hintOnShell(cli);
  return 0;
};

/** Where a person is: in a shell that follows its folder, else the active worktree. */
async function placeNow({ shell }: CommandLine, { repository, here }: Workspace): Promise<string | undefined> {
  const active = shell.follows ? undefined : await readActive(repository).catch(() => undefined);
  return active?.path ?? here?.root;
}

function requestOf({ environment }: CommandLine, name: string | undefined, options: CommandOptions): CreateRequest {
  const session = textOption(options, 'session');
  const { autoCleanup } = options;
  return {
    name,
    base: textOption(options, 'base'),
    branch: textOption(options, 'branch'),
    newBranch: options['newBranch'] === true,
    sessionFile: session === undefined ? undefined : resolve(environment.cwd, session),
    workId: textOption(options, 'workId'),
    runSetup: options['setup'] === false ? 'never' : 'approved',
    autoCleanup: typeof autoCleanup === 'boolean' ? autoCleanup : undefined,
    workflowRunId: textOption(options, 'workflowRunId'),
    createdBy: textOption(options, 'createdBy')?.trim() || 'wt',
  };
}

/** What the name stands for. Of a text nobody is asked, and nothing of GitHub is loaded. */
async function requestsOf(
  cli: CommandLine,
  workspace: Workspace,
  request: CreateRequest,
  stack: boolean,
): Promise<ResolvedSubject> {
  if (parseSubject(request.name ?? '').kind === 'text') return { requests: [request], notes: [] };
  const { resolveSubject } = await import('../../core/github/subject/resolveSubject.ts');
  const progress: Progress = (step) => step && cli.output.progress(textOf(step));
  return resolveSubject(workspace, request, { stack, signal: cli.signal, progress });
}

async function create(
  cli: CommandLine,
  workspace: Workspace,
  asked: CreateRequest,
  options: CommandOptions,
): Promise<Created> {
  const request =
    cli.mayAsk && asked.branch === undefined && !asked.newBranch && !asked.pull
      ? await askForBranch(cli, workspace, asked)
      : asked;
  return createWorktree(workspace, request, { ...setupTalk(cli), ...hookTalk(cli, options) });
}

/** Where the name alone does not tell which branch is meant, the person does. */
async function askForBranch(cli: CommandLine, workspace: Workspace, request: CreateRequest): Promise<CreateRequest> {
  const found = await branchesOfName(workspace, request, cli.signal);
  if (!found) return request;
  cli.output.done();
  const { branches, areRemote } = found;
  if (!areRemote) {
    const question = cliMessages.checkOutExisting({ branch: branches[0] });
    return (await askYesNo(textOf(question), cli.signal, true)) ? { ...request, branch: branches[0] } : request;
  }
  const choices = [...branches.map((branch) => cliMessages.continueBranch({ branch })), cliMessages.startNewBranch()];
  const question = cliMessages.whichRemoteBranch({ name: request.name ?? request.task ?? '' });
  const chosen = await askOneOf(textOf(question), choices.map(textOf), cli.signal);
  if (chosen === undefined) return request;
  const branch = branches[chosen];
  return branch === undefined ? { ...request, newBranch: true } : { ...request, branch };
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
  requests: readonly CreateRequest[],
  options: CommandOptions,
): Promise<ExitCode> {
  const { output } = cli;
  const created: Created[] = [];
  const failed: { task: string; problem: Problem }[] = [];
  for (const request of requests) {
    const task = request.task ?? request.name ?? '';
    try {
      const one = await create(cli, workspace, request, options);
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
          cliMessages.notCreated({ count: failed.length, worktrees: counts.worktrees({ count: requests.length }) }),
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
  const { name, branch, base, fromRemote, path } = created;
  const start = fromRemote === undefined ? '' : `, which continues ${fromRemote}`;
  output.tell(`Created worktree ${name} on branch ${branch}${start} (based on ${base}).`);
  if (basename(path) !== name) output.tell(textOf(cliMessages.folderIsCalled({ folder: basename(path) })));
  if (created.taskMoved) output.tell(`Moved the task ${JSON.stringify(created.task)} to the worktree tasks.`);
  for (const each of sharedMessages(created.shared)) output.tell(textOf(each));
  tellSetup(cli, created.setup);
  output.answer(created.relativePath);
}
