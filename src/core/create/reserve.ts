import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { readRegistry } from '../repository/registry.ts';
import { openJournalAndLook, type Journal } from '../operations/journal.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { firstMissing, isThere } from './checkout.ts';
import { createKind, type CreateData } from './createJournal.ts';
import { planCreate, type CreatePlan, type CreateRequest } from './createPlan.ts';

/**
 * Opens the journal, which reserves the slug. What was planned may not be true any more by then: whoever had the slug until now has
 * made that very worktree, perhaps, and taking back ours would take theirs. So it is planned again when anything has changed.
 *
 * @param first the plan, from which the commits to start at are kept.
 * @param known.before {@link whatIsThere}, asked before that plan was made.
 * @returns the plan that holds now, and the open journal with its data.
 * @throws Problem as {@link planCreate}; `in-use` when somebody else works on a worktree of that name.
 */
export async function reserve(
  workspace: Workspace,
  request: CreateRequest,
  first: CreatePlan,
  known: { readonly before: string; readonly handedTask: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<{ plan: CreatePlan; data: CreateData; journal: Journal<CreateData> }> {
  const again = async (): Promise<CreatePlan> => startedAs(first, await planCreate(workspace, request, known));
  for (let plan = first, attempt = 0; ; attempt++) {
    const key = plan.slug;
    let data: CreateData | undefined;
    const look = async (): Promise<CreateData> => {
      if ((await whatIsThere(workspace)) !== known.before) plan = await again();
      if (plan.slug !== key)
        throw new Problem('in-use', `The name of ${JSON.stringify(key)} has been taken meanwhile.`);
      data = await dataOf(workspace, request, plan, known.handedTask);
      return data;
    };
    try {
      const journal = await openJournalAndLook(workspace, createKind, key, look);
      if (data) return { plan, data, journal };
    } catch (thrown) {
      if (!Problem.is(thrown, 'in-use') || attempt === 3) throw thrown;
      plan = await again();
    }
  }
}

/** A later plan, with the commits of the first one, which may have a commit of ours on top by now. */
function startedAs({ newBranch, base, baseCommit, startCommit }: CreatePlan, later: CreatePlan): CreatePlan {
  return newBranch && later.newBranch ? { ...later, base, baseCommit, startCommit } : later;
}

/**
 * What {@link reserve} tells by whether a plan is still true: differs as soon as a worktree was made or removed, by us or by git alone.
 *
 * @throws Problem `unreadable-file` when the registry cannot be read.
 */
export async function whatIsThere({ repository }: Workspace): Promise<string> {
  const records = await readdir(join(repository.commonDir, 'worktrees')).catch(() => []);
  const { revision } = await readRegistry(repository);
  return [revision, ...records.sort()].join('\0');
}

async function dataOf(
  { environment }: Workspace,
  request: CreateRequest,
  plan: CreatePlan,
  handedTask: string | undefined,
): Promise<CreateData> {
  const { name, slug, path, relativePath, branch, newBranch, startCommit } = plan;
  const { workId, workflowRunId, task } = request;
  const { composeProject } = plan;
  return {
    name,
    slug,
    path,
    relativePath,
    branch,
    newBranch,
    startCommit,
    firstMade: await firstMissing(path),
    folderThere: await isThere(path),
    entry: {
      path,
      branch,
      base: plan.base,
      pr: null,
      created: environment.now().toISOString(),
      createdBy: request.createdBy,
      ...(workId === undefined ? {} : { workId }),
      ...(workflowRunId === undefined ? {} : { workflowRunId }),
      ...(task === undefined ? {} : { task }),
      ...(composeProject === undefined ? {} : { composeProject }),
      baseCommit: plan.baseCommit,
      lifecycle: 'created',
    },
    ...(handedTask === undefined ? {} : { handedTask }),
  };
}
