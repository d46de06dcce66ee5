import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import type { GitOptions } from '../git/gitProcess.ts';
import { gitProblem } from '../git/gitError.ts';

/** The commit that is checked out. */
export async function headOf(git: Git, options: GitOptions): Promise<string> {
  return (await git.text(['rev-parse', '--verify', 'HEAD^{commit}'], options)).trim();
}

/** Whether one commit is in the history of another. A commit that is not there is in none. */
export async function isAncestor(git: Git, options: GitOptions, one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  return (await git.run(['merge-base', '--is-ancestor', one, other], options)).exitCode === 0;
}

/**
 * What a merge of two commits has as its base: a commit, or a tree where several commits qualify and merge cleanly;
 * `undefined` for histories that have nothing in common, and where several disagree.
 */
export async function mergeBase(
  git: Git,
  options: GitOptions,
  ours: string,
  theirs: string,
): Promise<string | undefined> {
  const answer = await git.run(['merge-base', '--all', ours, theirs], options);
  if (answer.exitCode > 1) throw gitProblem(['merge-base', ours, theirs], answer);
  const [first, second] = answer.stdout.split('\n').filter((line) => line !== '');
  if (first === undefined || second === undefined) return first;
  const merged = await git.run(['merge-tree', '--write-tree', first, second], options);
  return merged.exitCode === 0 ? merged.stdout.split('\n')[0] : undefined;
}

/** The merge commit in the first-parent history of a commit that brought another one in; `undefined` where none did. */
export async function findMergeOf(
  git: Git,
  options: GitOptions,
  theirs: string,
  head: string,
): Promise<string | undefined> {
  const args = ['rev-list', '--first-parent', '--merges', '--parents', head, `^${theirs}`];
  for (const line of (await git.text(args, options)).split('\n')) {
    const [commit, , ...others] = line.split(' ');
    if (others.includes(theirs)) return commit;
  }
  return undefined;
}

/** The commit that is being merged in a git directory; `undefined` when none is, or several are. */
export async function mergeHeadIn(gitDir: string): Promise<string | undefined> {
  const text = await readFile(join(gitDir, 'MERGE_HEAD'), 'utf8').catch(() => '');
  return /^([0-9a-f]{40,64})\s*$/.exec(text)?.[1];
}
