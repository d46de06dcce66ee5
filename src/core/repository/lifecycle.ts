import type { Environment } from '../base/environment.ts';
import type { Repository } from './identity.ts';
import { updateRegistry, type Lifecycle } from './registry.ts';

const order: readonly Lifecycle[] = ['created', 'active', 'merged'];

/**
 * Moves a worktree on in its life (seed 004): created, active, merged; removed is the end of its entry. It never goes back: a
 * session that starts in a merged worktree does not make it active again.
 *
 * @returns whether it has moved; false for one that is not registered.
 * @throws Problem as `updateRegistry`.
 */
export async function advanceLifecycle(
  environment: Environment,
  repository: Repository,
  name: string,
  to: Lifecycle,
): Promise<boolean> {
  return updateRegistry(environment, repository, ({ worktrees }) => {
    const entry = worktrees.get(name);
    if (!entry || order.indexOf(entry.lifecycle ?? 'created') >= order.indexOf(to)) return false;
    worktrees.set(name, { ...entry, lifecycle: to });
    return true;
  });
}
