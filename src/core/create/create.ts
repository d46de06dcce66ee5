import { allOrAbort } from '../base/allOrAbort.ts';
import { prepareAfter } from '../hooks/plan.ts';
import { placeOf, runAfter } from '../hooks/runHooks.ts';
import { findNotIgnored, rulesFor } from '../repository/ignoreRules.ts';
import { requirePlaces } from '../repository/places.ts';
import { worktreeAt } from '../snapshot/variablesAt.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { explainFailure } from './createFailure.ts';
import { planCreate } from './plan.ts';
import type { CreateRequest } from './request.ts';
import { resolveRequest } from './resolveRequest.ts';
import type { CreateOptions, Created } from './created.ts';
import { runCreate } from './run.ts';
import { createMessages } from '../messages/create.ts';

/**
 * Creates a worktree: resolves the request, plans, and runs. It is there complete, or, after a failure or a cancel at any step, not at
 * all. That includes the setup commands: a worktree whose setup failed holds no work yet, and the same command can be run again;
 * whoever wants it all the same asks for it without setup.
 *
 * Killed at any moment, recovery finishes it or rolls it back.
 *
 * @throws Problem as {@link resolveRequest}, before anything is touched; `setup-failed`, `git-failed`, `not-ignored`, `cancelled`, … after
 *   everything was rolled back.
 */
export async function createWorktree(
  workspace: Workspace,
  request: CreateRequest,
  options: CreateOptions = {},
): Promise<Created> {
  const { git, repository, configuration } = workspace;
  try {
    await requirePlaces(
      git,
      repository,
      createMessages.cannotBeCreated({ name: request.name ?? request.task ?? createMessages.theWorktree() }),
      options.signal,
    );
    const [resolved, areIgnored] = await allOrAbort(options.signal, [
      (stop) => resolveRequest(workspace, request, stop),
      (stop) =>
        findNotIgnored(git, repository, rulesFor(configuration), stop).then(
          (found) => found.length === 0,
          () => false,
        ),
    ]);
    const plan = await planCreate(workspace, resolved, options);
    const hooks = await prepareAfter(workspace, 'after_create', options);
    return await withHooks(workspace, await runCreate(workspace, plan, areIgnored, options), hooks, options);
  } catch (thrown) {
    throw await explainFailure(thrown, request.name, repository.commonDir);
  }
}

/** Runs the commands after a creation. The worktree is there whatever becomes of them. */
async function withHooks(
  workspace: Workspace,
  created: Created,
  { planned, notes }: Awaited<ReturnType<typeof prepareAfter>>,
  options: CreateOptions,
): Promise<Created> {
  const worktree = planned.length === 0 ? undefined : await worktreeAt(workspace, created.path);
  if (!worktree) return { ...created, warnings: [...created.warnings, ...notes] };
  const report = await runAfter(workspace, planned, await placeOf(workspace, worktree, options), options);
  return { ...created, hooks: report.results, warnings: [...created.warnings, ...notes, ...report.notes] };
}
