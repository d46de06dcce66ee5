import { runOperation } from '../operations/runner.ts';
import { ensureIgnored, rulesFor } from '../repository/ignoreRules.ts';
import { keepSpareRoom } from '../repository/spareRoom.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { CreatePlan } from './plan.ts';
import { createKind } from './recoverCreate.ts';
import { reserveName } from './reserve.ts';
import { commitSession } from './sessionCommit.ts';
import type { CreateOptions, Created } from './created.ts';
import { Creation } from './creation.ts';

/**
 * Carries out a plan: writes the session file's commit and the ignore rules, reserves the name, and creates the worktree, or rolls it back.
 *
 * @param areIgnored git ignores already what the product writes into every worktree's repository.
 * @throws Problem as {@link reserveName}; whatever a step of {@link Creation} throws, after everything was rolled back.
 */
export async function runCreate(
  workspace: Workspace,
  plan: CreatePlan,
  areIgnored: boolean,
  options: CreateOptions,
): Promise<Created> {
  const { signal, work } = options;
  await work?.check(plan);
  const [startCommit] = await Promise.all([
    plan.session === undefined ? plan.startCommit : commitSession(workspace, plan, plan.session, signal),
    ignoreOwnFiles(workspace, plan, areIgnored, signal),
  ]);
  workspace.environment.log.debug(`[create ${plan.name}] planned`);
  const { plan: current, reservation } = await reserveName(
    workspace,
    { ...plan, startCommit },
    signal,
    work?.operation,
  );
  const creation = new Creation(workspace, current, reservation, options);
  let created: Created | undefined;
  await runOperation(workspace, createKind, () => Promise.resolve(reservation), {
    prepare: async () => void (created = await creation.run()),
    finish: () => Promise.resolve({ operation: undefined }),
    rollBack: (_, failure) => creation.rollBack(failure),
  });
  if (!created) throw new Error('the worktree was not created');
  await keepSpareRoom(workspace.repository.commonDir);
  return created;
}

async function ignoreOwnFiles(
  { environment, git, repository, configuration }: Workspace,
  { relativePath }: CreatePlan,
  areIgnored: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  // A worktree may need a rule of its own, which has not been looked at.
  const isWhole = rulesFor(configuration, relativePath).length === rulesFor(configuration).length;
  if (!areIgnored || !isWhole) await ensureIgnored(environment, git, repository, configuration, signal, relativePath);
}
