import { isThere } from '../base/isThere.ts';
import { Problem } from '../base/problem.ts';
import { reserve, type Reservation } from '../operations/store.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { firstMissing } from './checkout.ts';
import { worktreesVersion } from './context.ts';
import { createKindName, type CreateData } from './createData.ts';
import type { CreatePlan } from './plan.ts';
import { resolveRequest } from './resolveRequest.ts';
import { createMessages } from '../messages/create.ts';

/** A name that other processes cannot take any more. */
export interface ReservedName {
  /** The plan that holds now. */
  readonly plan: CreatePlan;
  readonly reservation: Reservation<CreateData>;
}

/**
 * Reserves the slug. The plan may be outdated by then: whoever had the slug until now may have created that very
 * worktree, and rolling back ours would remove theirs. So the request is resolved again when worktrees were created or removed meanwhile.
 *
 * @param carries the operation that carries uncommitted work to it.
 * @throws Problem as {@link resolveRequest}; `in-use` when another process works on a worktree of that name.
 */
export async function reserveName(
  workspace: Workspace,
  planned: CreatePlan,
  signal: AbortSignal | undefined,
  carries?: string,
): Promise<ReservedName> {
  for (let plan = planned, attempt = 0; ; attempt++) {
    const key = plan.slug;
    const check = async (): Promise<CreateData> => {
      if ((await worktreesVersion(workspace)) !== plan.version) plan = await resolveAgain(workspace, planned, signal);
      if (plan.slug !== key)
        throw new Problem('in-use', createMessages.nameTakenMeanwhile({ key: JSON.stringify(key) }));
      return { ...(await dataOf(workspace, plan)), ...(carries === undefined ? {} : { carries }) };
    };
    try {
      const reservation = await reserve(workspace, createKindName, key, check);
      return { plan, reservation };
    } catch (thrown) {
      if (!Problem.is(thrown, 'in-use') || attempt === 3) throw thrown;
      plan = await resolveAgain(workspace, planned, signal);
    }
  }
}

/** What the request means now. Its branch still starts where it was planned to, which may be a commit of ours by now. */
async function resolveAgain(
  workspace: Workspace,
  planned: CreatePlan,
  signal: AbortSignal | undefined,
): Promise<CreatePlan> {
  const later = { ...planned, ...(await resolveRequest(workspace, planned.request, signal)) };
  if (!planned.newBranch || !later.newBranch) return later;
  const { base, baseCommit, startCommit } = planned;
  return { ...later, base, baseCommit, startCommit };
}

async function dataOf({ environment }: Workspace, plan: CreatePlan): Promise<CreateData> {
  const { name, slug, path, relativePath, branch, newBranch, startCommit, composeProject, task, assigned } = plan;
  const { tracking } = plan;
  const { pull } = plan.request;
  const { workId, workflowRunId, createdBy, autoCleanup } = plan.request;
  return {
    name,
    slug,
    path,
    relativePath,
    branch,
    newBranch,
    startCommit,
    ...(tracking === undefined ? {} : { tracking }),
    firstMade: await firstMissing(path),
    folderThere: await isThere(path),
    entry: {
      path,
      branch,
      base: plan.base,
      pr: pull
        ? { number: pull.number, url: pull.url, ...(pull.author === undefined ? {} : { author: pull.author }) }
        : null,
      created: environment.now().toISOString(),
      createdBy,
      ...(workId === undefined ? {} : { workId }),
      ...(workflowRunId === undefined ? {} : { workflowRunId }),
      ...(autoCleanup === undefined ? {} : { autoCleanup }),
      ...(task === undefined ? {} : { task }),
      ...(composeProject === undefined ? {} : { composeProject }),
      baseCommit: plan.baseCommit,
      lifecycle: 'created',
    },
    ...(assigned === undefined ? {} : { handedTask: assigned.name }),
  };
}
