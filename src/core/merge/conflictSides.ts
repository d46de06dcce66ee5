import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import type { GitOperation, Snapshot, Worktree } from '../worktree/model.ts';

/** Whose versions a conflict is between. */
export interface Sides {
  readonly operation: GitOperation | undefined;
  /**
   * The branch, or the short name of the commit; `undefined` when nothing tells. In a rebase ours is the branch that is replayed, although
   * git calls that side theirs.
   */
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
  /** Ours is what git calls theirs, and the other way round. */
  readonly swapped: boolean;
  /** The linked worktree that is being merged, where it is one. */
  readonly merged: Worktree | undefined;
}

/**
 * Reads from git's own files what a working tree is in the middle of.
 *
 * @param worktree one of the snapshot's.
 */
export async function readSides(git: Git, snapshot: Snapshot, worktree: Worktree): Promise<Sides> {
  const { gitDir, operation } = worktree;
  const read = async (...names: string[]): Promise<string | undefined> => {
    if (gitDir === undefined) return undefined;
    const text = await readFile(join(gitDir, ...names), 'utf8').catch(() => undefined);
    return text?.split('\n')[0]?.trim() || undefined;
  };
  const branchAt = async (commit: string | undefined): Promise<string | undefined> => {
    if (commit === undefined) return undefined;
    const held = snapshot.worktrees.find((each) => each.head === commit && each.branch !== undefined);
    if (held) return held.branch;
    const one = ['--points-at', commit, '--format=%(refname:short)', '--count=1'];
    const args = ['for-each-ref', ...one, 'refs/heads', 'refs/remotes'];
    return (await git.in(snapshot.repository.commonDir).line(args)) || commit.slice(0, 7);
  };
  const ours = worktree.branch ?? worktree.head?.slice(0, 7);
  const plain = { operation, ours, theirs: undefined, swapped: false, merged: undefined };
  switch (operation) {
    case 'merge': {
      const [commit, message] = await Promise.all([read('MERGE_HEAD'), read('MERGE_MSG')]);
      const named = message === undefined ? undefined : namedIn(message);
      const others = snapshot.worktrees.filter((each) => !each.main && each.path !== worktree.path);
      // The branch may have gone on since the merge began; the message still names it.
      const merged =
        others.find((each) => named !== undefined && (each.branch === named || each.slug === named)) ??
        others.find((each) => each.head === commit);
      const theirs = merged?.branch ?? named ?? (await branchAt(commit));
      return { ...plain, theirs, merged };
    }
    case 'rebase': {
      const [merging, applying] = await Promise.all([read('rebase-merge', 'onto'), read('rebase-apply', 'onto')]);
      const theirs =
        worktree.base?.exists && (await isAt(git, snapshot, worktree.base.branch, merging ?? applying))
          ? worktree.base.branch
          : await branchAt(merging ?? applying);
      return { ...plain, ours: worktree.branch, theirs, swapped: true };
    }
    case 'cherry-pick':
    case 'revert': {
      const commit = await read(operation === 'revert' ? 'REVERT_HEAD' : 'CHERRY_PICK_HEAD');
      return { ...plain, theirs: commit?.slice(0, 7) };
    }
    case 'am':
    case 'bisect':
    case undefined:
      return plain;
  }
}

async function isAt(git: Git, { repository }: Snapshot, branch: string, commit: string | undefined): Promise<boolean> {
  const args = ['rev-parse', '--quiet', '--verify', '--end-of-options', `refs/heads/${branch}^{commit}`];
  return commit !== undefined && (await git.in(repository.commonDir).line(args)) === commit;
}

/** The branch or slug that a merge's message names: git's own message, and that of `wt merge`. */
function namedIn(message: string): string | undefined {
  return /^Merge (?:remote-tracking )?branch '([^']+)'/.exec(message)?.[1] ?? /\bMerge wt\/(\S+)$/.exec(message)?.[1];
}
