import type { Git } from './git.ts';
import type { GitOptions } from './gitProcess.ts';
import { isGitlink, parseTreeChanges, type TreeChange } from './treeDiff.ts';

/** A merge that is under way. */
export interface MergeUnderWay {
  readonly ours: string;
  readonly theirs: string;
  /** Paths that are not git's alone to merge, so that they prove nothing: files with rules of their own. Submodules never count. */
  readonly apart?: readonly string[];
  /**
   * Whether the index was seen to hold the merge before. What a person has staged since is theirs: a conflict that was settled by keeping
   * ours looks like nothing then, and proves nothing.
   */
  readonly seen: boolean;
}

/**
 * Whether the index holds nothing of a merge that is under way, although that changes something: git that could not write the index says
 * that all is well, and a git that was killed, or a tool, may have put back the index of ours. A commit would then lose all that theirs
 * has, and theirs would count as merged.
 *
 * @param options the folder is the root of the working tree.
 */
export async function holdsNothingOf(git: Git, options: GitOptions, merge: MergeUnderWay): Promise<boolean> {
  const { ours, theirs, seen } = merge;
  const apart = new Set(merge.apart);
  const counted = (changes: readonly TreeChange[]): TreeChange[] =>
    changes.filter((change) => !isGitlink(change) && !apart.has(change.path));
  const raw = ['-z', '--raw', '--no-renames'];
  const staged = parseTreeChanges(await git.text(['diff-index', '--cached', ...raw, ours, '--'], options));
  if (counted(staged).length > 0) return false;
  const words = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const merged = await git.run(words, options);
  // What git cannot work out again, as of histories with nothing in common, was for a person to begin and is for them to end.
  const [tree, ...conflicts] = merged.exitCode <= 1 ? merged.stdout.split('\0') : [];
  if (!tree) return false;
  const changes = counted(parseTreeChanges(await git.text(['diff-tree', '-r', ...raw, ours, tree], options)));
  const settled = new Set(seen ? conflicts : []);
  return changes.some(({ path }) => !settled.has(path));
}
