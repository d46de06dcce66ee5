import { readRegistry, updateRegistry, type RegistryEntry } from '../../repository/registry.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { CarriedOut } from './carryOut.ts';
import type { MadePlan } from './makePlan.ts';

/** What the registry says that the pull request of an entry is into. It only helps where GitHub cannot be asked. */
export function recordedBaseOf(entry: RegistryEntry | undefined): string | undefined {
  const base = entry?.['prBase'];
  return entry?.pr && typeof base === 'string' ? base : undefined;
}

/** Records what pull requests are into, as far as that is not known yet. */
export async function recordBases(workspace: Workspace, plan: MadePlan, { changed }: CarriedOut): Promise<void> {
  const bases = new Map([...plan.pulls, ...changed].map(([number, { base }]) => [number, base.branch]));
  const isNews = (entry: RegistryEntry): boolean => {
    const base = bases.get(entry.pr?.number ?? 0);
    return base !== undefined && recordedBaseOf(entry) !== base;
  };
  const { worktrees: now } = await readRegistry(workspace.repository);
  if (![...now.values()].some(isNews)) return;
  await updateRegistry(workspace.environment, workspace.repository, ({ worktrees }) => {
    for (const [name, entry] of worktrees)
      if (isNews(entry)) worktrees.set(name, { ...entry, prBase: bases.get(entry.pr?.number ?? 0) });
  });
}
