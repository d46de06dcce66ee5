import { randomUUID } from 'node:crypto';
import { shellWord } from '../../core/base/quoted.ts';
import { displayPath, realPathOf } from '../../core/base/paths.ts';
import { Problem } from '../../core/base/problem.ts';
import { findCaller } from '../../core/claude/runs/caller.ts';
import { beginRun, type Begun, type Holder, type RunPlace, type RunRequest } from '../../core/claude/runs/claimRun.ts';
import { logRun } from '../../core/claude/runs/logRun.ts';
import { runFactsOf } from '../../core/claude/runs/runFacts.ts';
import { SessionLister } from '../../core/claude/claudeSessions.ts';
import { createWorktree } from '../../core/create/create.ts';
import { toCreatedJson } from '../../core/create/createdJson.ts';
import type { Created } from '../../core/create/created.ts';
import { recordRun } from '../../core/lifecycle/recordRun.ts';
import { checkRunId } from '../../core/repository/activeRun.ts';
import type { Snapshot, Worktree } from '../../core/worktree/model.ts';
import type { Workspace } from '../../core/worktree/workspace.ts';
import { textOf, type Message } from '../../core/messages/message.ts';
import { askYesNo } from '../ask.ts';
import { callerOptions, refuseForeignState } from '../callerOptions.ts';
import { cliMessages } from '../cliMessages.ts';
import { textOption, type CommandLine, type CommandRun } from '../command.ts';
import { openWorktree, requireWorktree } from '../context.ts';
import { hookTalk } from '../hookTalk.ts';
import { runJson } from '../runJson.ts';
import { heldProblem, runMessage } from '../runText.ts';
import { setupTalk, tellSetup } from '../setupPrompt.ts';

/** Where a run has begun, and what was made for it. */
interface Place {
  readonly worktree: Pick<Worktree, 'name' | 'path'>;
  readonly begun: Exclude<Begun, { outcome: 'conflict' }>;
  readonly created: Created | undefined;
}

/** All that beginning needs. */
interface Beginning {
  readonly cli: CommandLine;
  readonly workspace: Workspace;
  readonly snapshot: Snapshot;
  readonly request: RunRequest;
}

export const run: CommandRun = async (cli, _words, options) => {
  const given = callerOptions(options);
  const workId = textOption(options, 'workId');
  const { workspace, location, snapshot, worktree } = await openWorktree(cli, undefined);
  const request: RunRequest = {
    caller: await findCaller(cli.environment, given),
    runId: given.runId,
    workId: workId === undefined ? undefined : checkRunId(workId),
    takeOver: options['takeOver'] === true,
  };
  const beginning = { cli, workspace, snapshot, request };
  const elsewhere = (): Promise<Place> => beginElsewhere(beginning);
  const place =
    options['worktree'] === true
      ? await elsewhere()
      : await beginHere(
          beginning,
          worktree,
          requireWorktree(location),
          options['worktree'] === false ? undefined : elsewhere,
        );
  await tell(beginning, place);
  return 0;
};

/** Claims a worktree that is there. What to do where another run has it is for `.worktrees.yml` to say. */
async function beginHere(
  beginning: Beginning,
  worktree: Worktree,
  root: string,
  elsewhere?: () => Promise<Place>,
): Promise<Place> {
  const { cli, workspace, snapshot, request } = beginning;
  await refuseForeignState(root, snapshot.worktrees);
  const begun = await beginRun(runPlace(beginning, root), request);
  if (begun.outcome !== 'conflict') {
    await record(beginning, worktree.name, begun, root);
    return { worktree, begun, created: undefined };
  }
  const { autoCreate } = workspace.configuration.worktree;
  const message = cliMessages.runHasWorktree({ name: worktree.name, run: runMessage(begun.holder.run) });
  if (elsewhere && autoCreate === 'always') {
    cli.output.tell(textOf(message));
    return elsewhere();
  }
  const ask = elsewhere && autoCreate === 'prompt' && cli.mayAsk;
  if (ask && (await askYesNo(`${textOf(message)}\nCreate a worktree for this one?`, cli.signal))) return elsewhere();
  throw refusal(begun.holder, message, worktree, request, elsewhere !== undefined);
}

/** Claims the worktree of the same work or run, or makes one. */
async function beginElsewhere(beginning: Beginning): Promise<Place> {
  const { cli, workspace, snapshot, request } = beginning;
  const { workId } = request;
  const known = snapshot.worktrees.find(
    ({ main, condition, entry }) =>
      !main &&
      condition === 'fine' &&
      (workId === undefined
        ? request.runId !== undefined && entry?.workflowRunId === request.runId
        : entry?.workId === workId),
  );
  if (known) return beginHere(beginning, known, await realPathOf(known.path));
  const runId = request.runId ?? randomUUID();
  const name = workId === undefined ? (request.runId ?? `run-${runId.slice(0, 8)}`) : undefined;
  const created = await createWorktree(
    workspace,
    { name, workId, workflowRunId: runId, runSetup: 'approved', createdBy: 'wt' },
    { ...setupTalk(cli), ...hookTalk(cli, {}) },
  );
  cli.output.done();
  const root = await realPathOf(created.path);
  const begun = await beginRun(runPlace(beginning, root), { ...request, runId });
  // Between the two somebody else has begun there.
  if (begun.outcome === 'conflict') {
    throw refusal(
      begun.holder,
      cliMessages.runHasWorktree({ name: created.name, run: runMessage(begun.holder.run) }),
      created,
      request,
      false,
    );
  }
  await record(beginning, created.name, begun, root);
  return { worktree: created, begun, created };
}

function runPlace({ cli: { environment }, workspace }: Beginning, root: string): RunPlace {
  return { environment, commonDir: workspace.repository.commonDir, root, lister: new SessionLister(environment) };
}

/** What is written down of a registered worktree follows. That it cannot be written is no reason to go without the claim. */
async function record(
  { cli, workspace, snapshot }: Beginning,
  name: string,
  begin: Place['begun'],
  root: string,
): Promise<void> {
  const { run: begun, outcome } = begin;
  const isMain = snapshot.worktrees.some((each) => each.main && each.name === name);
  if (outcome !== 'resumed') {
    const event = outcome === 'begun' ? 'WorkflowBegin' : 'WorkflowTakeOver';
    logRun(cli.environment, workspace.repository.commonDir, event, { name: isMain ? undefined : name, root }, begun);
  }
  try {
    for (const warning of await recordRun(workspace, name, begun)) cli.output.tell(warning);
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    cli.output.warn(thrown);
  }
}

function refusal(
  holder: Holder,
  message: Message,
  { name }: Pick<Worktree, 'name'>,
  { workId }: RunRequest,
  mayGoElsewhere: boolean,
): Problem {
  const over = cliMessages.takeRunOver({ name });
  if (!mayGoElsewhere) return heldProblem(message, holder, over);
  const work = workId === undefined ? '' : ` --work-id ${shellWord(workId)}`;
  return heldProblem(message, holder, cliMessages.ownWorktree({ work, over }));
}

async function tell({ cli, workspace, snapshot }: Beginning, { worktree, begun, created }: Place): Promise<void> {
  const { output, environment } = cli;
  const { commonDir, mainRoot } = workspace.repository;
  const { name, path } = worktree;
  const unchecked = begun.run.pid === null && begun.run.session_id === null;
  const warnings = unchecked ? [textOf(cliMessages.runUnchecked())] : [];
  const facts = await runFactsOf(environment, commonDir, path);
  if (output.json) {
    const known = snapshot.worktrees.find((each) => each.path === path);
    output.answerJson({
      ...(created
        ? toCreatedJson(created)
        : {
            success: true,
            path: displayPath(mainRoot, path),
            absolute_path: path,
            branch: known?.branch ?? null,
            created_at: known?.entry?.created ?? null,
            name,
            slug: known?.slug ?? null,
            base: known?.base?.branch ?? null,
            base_commit: known?.entry?.baseCommit ?? null,
            task: known?.entry?.task ?? null,
            active: known?.active ?? false,
          }),
      created: created !== undefined,
      outcome: begun.outcome,
      run: runJson(facts),
      previous:
        begun.outcome === 'taken-over' ? { run_id: begun.previous.run.run_id, state: begun.previous.state } : null,
      warnings: [...(created?.warnings ?? []), ...warnings],
    });
    return;
  }
  for (const warning of [...(created?.warnings ?? []), ...warnings])
    output.tell(`${output.messageColours.yellow('warning:')} ${textOf(warning)}`);
  if (created) {
    output.tell(`Created worktree ${name} on branch ${created.branch} (based on ${created.base}).`);
    tellSetup(cli, created.setup);
  }
  if (begun.outcome === 'taken-over') {
    const { run: before, state } = begun.previous;
    output.tell(
      `${state === 'dead' ? 'Took over from a workflow that has ended' : 'Took over from a workflow'}: ${textOf(runMessage(before))}.`,
    );
  }
  output.tell(
    `${begun.outcome === 'resumed' ? 'Resumed' : 'Began'} a workflow in ${name}: ${textOf(runMessage(begun.run))}.`,
  );
  output.answer(path);
}
