import { join } from 'node:path';
import { isAncestor, headOf, mergeBase } from './commits.ts';
import { readGitlinks, type Gitlink } from './gitlinks.ts';
import { planMerge } from './planned.ts';
import { submoduleSource, type Source } from './fetchSubmodule.ts';
import type { SubmoduleFate } from './model.ts';
import { hasCommit } from '../git/fetchRefs.ts';
import type { Git } from '../git/git.ts';
import { repositoryOf } from '../worktree/submoduleRepository.ts';

/** What a merge would do with a submodule. */
export interface PlannedSubmodule {
  /** The path from the root of the working tree, also of one inside another. */
  readonly path: string;
  /**
   * What a merge does with it; `fetched`: its commit is fetched first, so that nothing more can be told; `missing`: both sides
   * have changed it, and it is not checked out here, which stops the merge.
   */
  readonly fate: SubmoduleFate | 'fetched' | 'missing';
  /** The files in it that would conflict, from its own root. */
  readonly conflicts: readonly string[];
}

/** Two commits of a working tree that would be merged. */
interface Level {
  readonly tree: string;
  /** The path from the target's root, with a slash at the end; empty for the target itself. */
  readonly prefix: string;
  readonly ours: string;
  readonly theirs: string;
  /** A working tree whose repository has both commits: that of the level, or the merged worktree's own of it. */
  readonly reader: string;
  /** Where the merged worktree keeps its repository. */
  readonly source: Source;
  readonly signal?: AbortSignal | undefined;
}

/** What a merge would do with the submodules that the two sides record differently, the outer ones first. Changes nothing. */
export async function previewSubmodules(git: Git, level: Level): Promise<PlannedSubmodule[]> {
  const { reader, ours, theirs, signal } = level;
  const at = { cwd: reader, signal };
  const base = await mergeBase(git, at, ours, theirs);
  const { differing } = await readGitlinks(git, at, { ours, theirs, base });
  const planned: PlannedSubmodule[] = [];
  // Only ours has changed the others: git keeps ours as well.
  for (const link of differing.filter((each) => each.theirs !== each.base))
    planned.push(...(await previewOne(git, level, link)));
  return planned;
}

async function previewOne(git: Git, level: Level, link: Gitlink): Promise<PlannedSubmodule[]> {
  const { tree, prefix, signal } = level;
  const { theirs } = link;
  const [inner, path] = [join(tree, link.path), prefix + link.path];
  const alone = (fate: PlannedSubmodule['fate']): PlannedSubmodule[] => [{ path, fate, conflicts: [] }];
  if ((await repositoryOf(inner)) === undefined) return alone(link.ours === link.base ? 'taken' : 'missing');
  const source = await submoduleSource(level.source, link);
  const ours = await headOf(git, { cwd: inner, signal });
  const reader = (await hasCommit(git, inner, theirs, signal))
    ? inner
    : // The worktree's own store borrows from this one, so that it may have both.
      source.tree !== undefined && (await hasCommit(git, source.tree, ours, signal))
      ? source.tree
      : undefined;
  if (reader === undefined) return alone('fetched');
  const at = { cwd: reader, signal };
  if (await isAncestor(git, at, theirs, ours)) return alone('contained');
  if (await isAncestor(git, at, ours, theirs)) return alone('forwarded');
  const below = await previewSubmodules(git, { tree: inner, prefix: `${path}/`, ours, theirs, reader, source, signal });
  const settled = new Set(below.map((each) => each.path));
  const plan = await planMerge(git, at, ours, theirs);
  const conflicts = [...(plan?.versions.keys() ?? [])].filter((file) => !settled.has(`${path}/${file}`));
  return [{ path, fate: 'merged', conflicts }, ...below];
}
