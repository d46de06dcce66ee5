import type { Registry } from '../repository/registry.ts';
import { matchRecords } from './matching.ts';
import { nameWorktrees, type Naming } from './naming.ts';
import type { Workspace } from './workspace.ts';
import type { Listing } from './worktreeList.ts';

/** What the linked worktrees of a listing are called, in its order; the main one, which comes first there, has no name. */
export async function nameListings(
  { environment, repository }: Pick<Workspace, 'environment' | 'repository'>,
  listing: readonly Listing[],
  registry: Registry,
): Promise<Naming[]> {
  const matches = await matchRecords(repository.mainRoot, listing, registry, undefined);
  return nameWorktrees(
    listing
      .slice(1)
      .map(({ path, branch }, index) => ({ path, branch, registered: matches.entries.get(index + 1)?.name })),
    environment.platform,
  );
}
