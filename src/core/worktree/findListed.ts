import { findAtPlace } from '../base/realNeighbours.ts';
import type { Workspace } from './workspace.ts';
import { readListing, type Listing } from './worktreeList.ts';

/** The linked worktree that git has on record at a path. */
export async function findListed(workspace: Workspace, path: string): Promise<Listing | undefined> {
  const [, ...linked] = await readListing(workspace, new AbortController().signal);
  return findAtPlace(linked, path);
}
