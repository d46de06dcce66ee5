import { samePlace } from '../base/paths.ts';
import type { Workspace } from './workspace.ts';
import { readListing, type Listing } from './worktreeList.ts';

/** The linked worktree that git has on record at a path. */
export async function findListed(workspace: Workspace, path: string): Promise<Listing | undefined> {
  const [, ...linked] = await readListing(workspace, new AbortController().signal);
  for (const listed of linked) if (await samePlace(listed.path, path)) return listed;
  return undefined;
}
