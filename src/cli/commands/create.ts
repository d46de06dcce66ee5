import { resolve } from 'node:path';
import { Problem } from '../../core/base/problem.ts';
import { parseSubject } from '../../core/create/subject.ts';
import { createWorktree } from '../../core/create/create.ts';
import type { Created } from '../../core/create/created.ts';
import { toCreatedJson, type UncommittedJson } from '../../core/create/createdJson.ts';
import type { CreateRequest } from '../../core/create/request.ts';
import type { ResolvedSubject } from '../../core/github/subject/resolveSubject.ts';
import { readActive } from '../../core/repository/stateFile.ts';
import type { Progress } from '../../core/worktree/model.ts';
import { noteSwitch } from '../../core/worktree/previousWorktree.ts';
import { readSnapshot } from '../../core/snapshot/snapshot.ts';
import { dirtyEntries } from '../../core/worktree/cleanTree.ts';
import { findWorktree } from '../../core/worktree/find.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import {
  textOption,
  textsOption,
  type CommandLine,
  type CommandOptions,
  type CommandRun,
  type ExitCode,
} from '../command.ts';
import { namePrompt } from '../../core/texts/namePrompt.ts';
import { checkGenerate, generateText } from '../generateText.ts';
import { askForBranch } from '../askForBranch.ts';
import { openWorkspace } from '../context.ts';
import { tellCreated } from '../createdReport.ts';
import { failureJson } from '../output.ts';
import { hookTalk } from '../hookTalk.ts';
import { setupTalk } from '../setupPrompt.ts';
import { hintOnShell } from '../shellHint.ts';
import { cliMessages } from '../cliMessages.ts';
import { textsMessages } from '../../core/messages/texts.ts';
import { counts } from '../../core/messages/counts.ts';
import { textOf } from '../../core/messages/message.ts';

export const run: CommandRun = async (cli, [name], options) => {
  const tasks = textsOption(options, 'task');
  if (tasks.length > 1) checkAlone(name, options);
  const generate = checkGenerate(options);
  if (generate && (name !== undefined || tasks.length !== 1))
    throw new Problem('usage', cliMessages.generateFromTask(), { next: cliMessages.giveTask() });
  const { workspace } = await openWorkspace(cli);
  const yes = options['yes'] === true;
  const written = generate ? await generateName(cli, workspace, tasks[0] ?? '', yes) : undefined;
  const request = requestOf(cli, written ?? name, options);
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
  if (stack || !only) {
    if (isWithChanges(options)) throw severalGetNoWork();
    return createSeveral(cli, workspace, requests, options);
  }
  const before = await placeNow(cli, workspace);
  const { created, uncommitted } = await createOne(cli, workspace, only, options);
  cli.output.done();
  if (cli.output.json) cli.output.answerJson(toCreatedJson(created, uncommitted));
  else tellCreated(cli, created, uncommitted);
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

const isWithChanges = (options: CommandOptions): boolean =>
  options['withChanges'] === true || options['copyChanges'] === true;

const severalGetNoWork = (): Problem =>
  new Problem('usage', cliMessages.severalGetNoWork(), { next: cliMessages.leaveOutCreate() });

/** One worktree, with the uncommitted work of the one that we are in, or with word of what stays there. */
async function createOne(
  cli: CommandLine,
  workspace: Workspace,
  asked: CreateRequest,
  options: CommandOptions,
): Promise<{ readonly created: Created; readonly uncommitted: UncommittedJson | undefined }> {
  const { environment } = cli;
  if (!isWithChanges(options)) {
    // Beside the creation: it takes as long in a large repository. A task is moved in the session file, which is looked at before.
    const looking = uncommittedHere(workspace, cli.signal);
    if (asked.task !== undefined) await looking;
    const created = await create(cli, workspace, asked, options);
    const files = await looking;
    return { created, uncommitted: files.length === 0 ? undefined : { state: 'stays', files, operation: null } };
  }
  const { createWithChanges } = await import('../../core/carry/createWithChanges.ts');
  const snapshot = await readSnapshot(workspace, { withChanges: false, signal: cli.signal });
  const from = await findWorktree(snapshot, '.', environment.cwd);
  const mode = options['copyChanges'] === true ? 'copy' : 'move';
  const request = await requestFor(cli, workspace, asked);
  const talk = { ...setupTalk(cli), ...hookTalk(cli, options) };
  const { created: made, carried } = await createWithChanges(workspace, request, { from, mode }, talk);
  const created = await ownerOf(cli, workspace, made);
  cli.output.done();
  if (!carried) {
    cli.output.tell(textOf(cliMessages.nothingUncommitted({ name: from.name })));
    return { created, uncommitted: undefined };
  }
  for (const note of carried.notes) cli.output.tell(`note: ${textOf(note)}`);
  const state = mode === 'move' ? 'moved' : 'copied';
  return { created, uncommitted: { state, files: carried.files, operation: carried.id } };
}

/** What is not committed in the worktree that we are in, if we are in one. */
async function uncommittedHere(workspace: Workspace, signal: AbortSignal): Promise<string[]> {
  const root = workspace.here?.root;
  if (root === undefined) return [];
  const entries = await dirtyEntries(workspace, root, { signal }).catch(() => []);
  return entries.map(({ path }) => path);
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

/** A name for a task; what is made of it is checked like a name that somebody types. */
async function generateName(cli: CommandLine, workspace: Workspace, task: string, yes: boolean): Promise<string> {
  const { worktrees } = await readSnapshot(workspace, { signal: cli.signal, withChanges: false });
  const others = worktrees.filter(({ main }) => !main).map((worktree) => worktree.name);
  const about = 'The name of the new worktree. Its branch and its folder are named after it.';
  const name = await generateText(cli, workspace, { kind: 'name', prompt: namePrompt(task, others), about, yes });
  // Nobody has looked at it: it is a name, whatever else it could be taken for.
  if (yes && parseSubject(name).kind !== 'text')
    throw new Problem('text-failed', textsMessages.noName({ name }), {
      next: textsMessages.writeItYourself(),
      outcome: 'incomplete',
    });
  return name;
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
  const request = await requestFor(cli, workspace, asked);
  const created = await createWorktree(workspace, request, { ...setupTalk(cli), ...hookTalk(cli, options) });
  return ownerOf(cli, workspace, created);
}

/** What was created, with whose branch it continues. Where it continues none of a remote, nothing of GitHub is loaded. */
async function ownerOf(cli: CommandLine, workspace: Workspace, created: Created): Promise<Created> {
  if (created.fromRemote === undefined) return created;
  const { withOwner } = await import('../../core/github/subject/ownerOfBranch.ts');
  return withOwner(workspace, created, { signal: cli.signal, progress: cli.output.progress });
}

/** The request, with the branch that a person was asked for. */
async function requestFor(cli: CommandLine, workspace: Workspace, asked: CreateRequest): Promise<CreateRequest> {
  const isOpen = cli.mayAsk && asked.branch === undefined && !asked.newBranch && !asked.pull;
  return isOpen ? askForBranch(cli, workspace, asked) : asked;
}

/** What belongs to one worktree cannot be said of several. */
function checkAlone(name: string | undefined, options: CommandOptions): void {
  if (isWithChanges(options)) throw severalGetNoWork();
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
      created: created.map((each) => toCreatedJson(each)),
      failed: failed.map(({ task, problem }) => ({ task, error: failureJson(problem).error })),
      ...(summary ? { error: failureJson(summary).error } : {}),
    });
  } else if (summary && failed.length > 1) output.report(summary);
  if (failed.length === 0) return 0;
  return failed.some(({ problem }) => problem.outcome === 'error') ? 2 : 1;
}
