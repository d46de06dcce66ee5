import { stat } from 'node:fs/promises';
import { asGitTakesIt } from '../base/composed.ts';
import { samePlace } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { fillPattern } from '../repository/fillPattern.ts';
import { chooseTask, type TaskToAssign } from '../tasks/assign.ts';
import { projectByPattern } from '../worktree/composeProject.ts';
import { resolveLocation } from '../worktree/location.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { readContext, type CreateContext } from './context.ts';
import type { Tracking } from './createData.ts';
import type { CreateRequest } from './request.ts';
import { resolveBase } from './resolveBase.ts';
import { resolveBranch, type ResolvedBranch } from './resolveBranch.ts';
import { branchOfPull } from './branchOfPull.ts';
import { beingCreated } from './beingCreated.ts';
import { checkName, givenName, resolveName } from './resolveName.ts';
import { keepingWorkId } from './workIdName.ts';
import { planSetup, type SetupPlan } from './setup.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

/** A request with everything in it worked out: what would be created. Nothing has been touched. */
export interface ResolvedRequest {
  readonly request: CreateRequest;
  readonly name: string;
  readonly slug: string;
  /** Absolute, in the person's spelling of the main root. */
  readonly path: string;
  /** Relative to the main root, with forward slashes. */
  readonly relativePath: string;
  readonly branch: string;
  /** The branch does not exist yet. */
  readonly newBranch: boolean;
  /** The remote branch that a new branch continues, such as `origin/x`; `undefined` for one that starts at its base. */
  readonly fromRemote: string | undefined;
  /** What a new branch follows. */
  readonly tracking: Tracking | undefined;
  /** The branch that it is based on. */
  readonly base: string;
  /** The commit of the base after which the branch's own commits begin. */
  readonly baseCommit: string;
  /** The commit that the branch points at, or will. */
  readonly startCommit: string;
  /** What is to be done in it, as the registry records it. */
  readonly task: string | undefined;
  /** That task in the session file, where it is one. */
  readonly assigned: TaskToAssign | undefined;
  readonly composeProject: string | undefined;
  readonly setup: SetupPlan;
  /** The version of the worktrees that this was resolved against, by `worktreesVersion`. */
  readonly version: string;
  /** Sentences about what a person may not expect. */
  readonly warnings: readonly Message[];
}

/**
 * Works out what a request means: task, name, branch, location and base, each once. Reads only, and little: it runs as a person types.
 *
 * @throws Problem for everything that is wrong with the request: `invalid-name`, `taken`, `in-use`, `not-found`, `usage`,
 *   `outside-repository`, `unreadable-file`; as {@link chooseTask}.
 */
export async function resolveRequest(
  workspace: Workspace,
  asked: CreateRequest,
  signal?: AbortSignal,
): Promise<ResolvedRequest> {
  const { configuration, environment, repository } = workspace;
  const composed = (text: string | undefined): string | undefined => asGitTakesIt(text, environment.platform);
  const request = {
    ...asked,
    name: composed(asked.name),
    branch: composed(asked.branch),
    base: composed(asked.base),
    workId: composed(asked.workId?.trim()),
  };
  const given = request.pull && !request.name?.trim() ? undefined : givenName(request, configuration);
  const [context, task, setup] = await Promise.all([
    readContext(workspace, signal),
    request.pull ? titleOf(request) : resolveTask(workspace, request.task?.trim(), given !== undefined, signal),
    planSetup(workspace),
    checkSessionFile(request.sessionFile),
  ]);
  const ofPull = request.pull && (await branchOfPull(context, request.pull));
  const named = given ?? (ofPull && { name: checkName(ofPull.name), isWorkId: false });
  const naming = resolveName(context, named, task.text);
  const values = { ...naming, project: repository.name, work_id: request.workId };
  const imply = (name: string): string =>
    fillPattern(configuration.worktree.branchPattern, { ...values, name }, 'worktree.branch_pattern');
  const find = (): Promise<ResolvedBranch> => resolveBranch(context, request, imply, naming.name);
  const branch =
    ofPull ??
    (await (given?.isWorkId && request.branch === undefined
      ? keepingWorkId(given.name, imply(given.name), find)
      : find()));
  const [location, base] = await Promise.all([
    resolveLocation(workspace, { ...values, branch: branch.name }, context.listing),
    resolveBase(context, request, branch),
  ]);
  await checkUnderWay(context, location.path, branch.name);
  return {
    request,
    ...naming,
    ...location,
    branch: branch.name,
    newBranch: branch.isNew,
    fromRemote: branch.fromRemote,
    tracking: branch.tracking,
    base: base.branch,
    baseCommit: base.commit,
    startCommit: base.start,
    task: task.text,
    assigned: task.task,
    composeProject: projectByPattern(workspace, values),
    setup,
    version: context.version,
    warnings: [task.warnings, branch.warnings, base.warnings, setup.trouble ?? []].flat(),
  };
}

/** The title of a pull request says what the worktree is for; it is no task of the session file. */
function titleOf({ task }: CreateRequest): Awaited<ReturnType<typeof resolveTask>> {
  return { text: task, task: undefined, warnings: [] };
}

/** Whether the request's task is one of the session file, or a text that only says what the worktree is for. */
async function resolveTask(
  workspace: Workspace,
  asked: string | undefined,
  isNamed: boolean,
  signal: AbortSignal | undefined,
): Promise<{ text: string | undefined; task: TaskToAssign | undefined; warnings: readonly Message[] }> {
  if (!asked) return { text: undefined, task: undefined, warnings: [] };
  const { task, warnings } = await chooseTask(workspace, asked, isNamed, signal);
  return { text: task?.name ?? asked, task, warnings };
}

async function checkUnderWay({ underWay }: CreateContext, path: string, branch: string): Promise<void> {
  for (const other of underWay)
    if (other.branch === branch || (await samePlace(other.path, path))) throw beingCreated(other);
}

async function checkSessionFile(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return;
  throw new Problem(
    'not-found',
    createMessages.sessionFileUnusable({
      file,
      what: found ? createMessages.notFile() : createMessages.doesNotExist(),
    }),
    {
      file,
      next: createMessages.correctPathFollows(),
    },
  );
}
