import { Problem } from '../base/problem.ts';
import type { Worktree } from '../worktree/model.ts';
import { findTrunk, readAllBranches } from './trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { snapshotMessages } from '../messages/snapshot.ts';

/** What a worktree is compared with. */
export interface DiffStart {
  /** A commit; the empty tree before the first commit. */
  readonly from: string;
  /** The base of the worktree's branch, `undefined` when it is based on none. */
  readonly base: string | undefined;
}

/**
 * Finds where a worktree's own changes begin: at the merge base with its base branch, or at the recorded base commit where
 * that is nearer (a parent that was squashed or amended has left the branch's history behind). A worktree on trunk itself is
 * compared with its upstream, one without an upstream with its last commit.
 *
 * @throws Problem `not-found` when the base is gone, or has no commit in common.
 */
export async function diffStart(
  workspace: Workspace,
  worktree: Worktree,
  signal: AbortSignal | undefined,
): Promise<DiffStart> {
  const { git } = workspace;
  const options = { cwd: worktree.path, signal };
  if (worktree.head === undefined) {
    const empty = await git.text(['hash-object', '-t', 'tree', '--stdin'], { ...options, input: '' });
    return { from: empty.trim(), base: worktree.base?.branch };
  }
  const base = worktree.base?.branch ?? (await trunkOfDetached(workspace, worktree, signal));
  const names = base === undefined ? [ownStart(worktree)] : baseNames(workspace, base, worktree);
  const input = names.map((name) => `${name}^{commit}\n`).join('');
  const answers = await git.text(['cat-file', '--batch-check'], { ...options, input });
  const others = [...answers.matchAll(/^([0-9a-f]{40,64}) commit /gm)].map(([, oid = '']) => oid);
  if (others.length === 0) {
    throw new Problem('not-found', snapshotMessages.baseMissing({ base: JSON.stringify(base), name: worktree.name }), {
      next: snapshotMessages.seeWtInfo({ name: JSON.stringify(worktree.name) }),
    });
  }
  // With several commits git finds the nearest one that the branch has in common with any of them.
  const found = await git.run(['merge-base', 'HEAD', ...others], options);
  const from = found.stdout.trim();
  if (found.exitCode !== 0 || from === '') {
    throw new Problem(
      'not-found',
      snapshotMessages.noCommitCommon({ name: worktree.name, base: JSON.stringify(base) }),
    );
  }
  return { from, base };
}

function ownStart({ upstream }: Worktree): string {
  return upstream && !upstream.gone ? '@{upstream}' : 'HEAD';
}

/** Everything that may be the base: the branch here and on the remote, and the commit that was recorded when it was left. */
function baseNames({ configuration }: Workspace, base: string, { entry }: Worktree): string[] {
  const branches = [`refs/heads/${base}`, `refs/remotes/${configuration.stack.remote}/${base}`, `refs/remotes/${base}`];
  return entry?.base === base && entry.baseCommit ? [...branches, entry.baseCommit] : branches;
}

async function trunkOfDetached(
  workspace: Workspace,
  { branch }: Worktree,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (branch !== undefined) return undefined;
  const branches = await readAllBranches(workspace, signal);
  return findTrunk(workspace, branches, undefined, signal);
}
