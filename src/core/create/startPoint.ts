import { isWithin, realPathOf } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import type { Listing } from '../worktree/worktreeList.ts';
import type { Naming } from '../worktree/naming.ts';
import { tipsOf, type Branches } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** What the search for a base and a branch looks at. */
export interface Surroundings {
  readonly workspace: Workspace;
  readonly listing: readonly Listing[];
  /** The names of the linked worktrees, in the order of the listing without the main one. */
  readonly names: readonly Naming[];
  readonly branches: Branches;
  readonly trunk: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A branch to stand on, and the commit that is meant. */
export interface BaseChoice {
  readonly branch: string;
  readonly commit: string;
  readonly warning?: string;
}

/**
 * What a new worktree stands on: a branch, a worktree's name, a remote branch or a commit; when nothing is asked for, the branch that
 * is checked out where the command runs, else the trunk. What is recorded is always a branch: for a remote branch the one of
 * that name, for a commit one that holds it.
 *
 * @throws Problem `not-found`.
 */
export async function chooseBase(around: Surroundings, asked: string | undefined): Promise<BaseChoice> {
  if (asked === undefined || asked === 'HEAD' || asked === '.') return baseHere(around);
  const local = around.branches.local.get(asked.replace(/^refs\/heads\//, ''));
  if (local) return { branch: local.name, commit: local.oid };
  const worktree = worktreeNamed(around, asked);
  if (worktree) return baseAt(around, worktree);
  const remote = remoteBranch(around, asked);
  if (remote) return { branch: remote.branch, commit: remote.commit };
  const commit = await commitNamed(around, asked);
  if (commit !== undefined) return holderOf(around, commit, asked);
  throw new Problem(
    'not-found',
    `There is no branch, worktree or commit named ${JSON.stringify(asked)} to start from.`,
    {
      next: 'name a base with `--base`; `wt list` shows the worktrees, `git branch --all` the branches',
    },
  );
}

/** The trunk, as something to stand on. */
export function trunkBase({ branches, trunk, workspace }: Surroundings): BaseChoice {
  const tips = trunk === undefined ? undefined : tipsOf(branches, trunk, workspace.configuration.stack.remote);
  const commit = tips?.local ?? tips?.remote;
  if (trunk !== undefined && commit !== undefined) return { branch: trunk, commit };
  throw new Problem(
    'not-found',
    trunk === undefined ? 'There is no trunk to start from.' : `The trunk ${trunk} does not exist.`,
    {
      next: 'name a base with `--base`, or set `stack.trunk` in .worktrees.yml',
    },
  );
}

/** A branch of a remote by its name with the remote, such as `origin/x`, or by the short name of one on the configured remote. */
export function remoteBranch(
  { branches, workspace }: Surroundings,
  asked: string,
): { readonly branch: string; readonly full: string; readonly commit: string } | undefined {
  const configured = workspace.configuration.stack.remote;
  const full = asked.replace(/^refs\/remotes\//, '');
  const direct = branches.remote.oids.get(`refs/remotes/${full}`);
  if (direct !== undefined) {
    const remote = full.startsWith(`${configured}/`) ? configured : (full.split('/')[0] ?? '');
    return { branch: full.slice(remote.length + 1), full, commit: direct };
  }
  const commit = branches.remote.oids.get(`refs/remotes/${configured}/${asked}`);
  return commit === undefined ? undefined : { branch: asked, full: `${configured}/${asked}`, commit };
}

async function baseHere(around: Surroundings): Promise<BaseChoice> {
  const here = await listingAt(around);
  return here && !here.bare && here.head !== undefined ? baseAt(around, here) : trunkBase(around);
}

/** The innermost working tree that holds the current folder. */
async function listingAt({ listing, workspace }: Surroundings): Promise<Listing | undefined> {
  const cwd = await realPathOf(workspace.environment.cwd);
  let best: { listed: Listing; root: string } | undefined;
  for (const listed of listing) {
    const root = await realPathOf(listed.path);
    if (isWithin(root, cwd) && (!best || root.length > best.root.length)) best = { listed, root };
  }
  return best?.listed;
}

function worktreeNamed({ listing, names }: Surroundings, word: string): Listing | undefined {
  if (word === '@') return listing[0];
  const linked = listing.slice(1);
  const byName = names.findIndex(({ name }) => name === word);
  return linked[byName >= 0 ? byName : names.findIndex(({ slug }) => slug === word)];
}

async function baseAt(around: Surroundings, { branch, head, path }: Listing): Promise<BaseChoice> {
  const tip = branch === undefined ? undefined : around.branches.local.get(branch);
  if (tip) return { branch: tip.name, commit: tip.oid };
  if (head !== undefined) return holderOf(around, head, `the commit that is checked out in ${path}`);
  throw new Problem('not-found', `Nothing is committed in ${path} yet, so nothing can start from there.`, {
    next: 'commit something there, or name another base with `--base`',
  });
}

async function commitNamed({ workspace, signal }: Surroundings, word: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${word}^{commit}`];
  return workspace.git.line(args, { cwd: workspace.repository.mainRoot, signal });
}

/** The branch that a commit is recorded with: the one that is checked out here, the trunk, or any other that holds it. */
async function holderOf(around: Surroundings, commit: string, asked: string): Promise<BaseChoice> {
  const { workspace, signal, trunk } = around;
  const { commonDir } = workspace.repository;
  const args = ['for-each-ref', `--contains=${commit}`, '--format=%(refname)', 'refs/heads'];
  const output = await workspace.git.in(commonDir).text(args, { signal });
  const holders = output
    .split('\n')
    .filter((ref) => ref !== '')
    .map((ref) => ref.replace(/^refs\/heads\//, ''));
  const here = (await listingAt(around))?.branch;
  const branch = [here, trunk].find((each) => each !== undefined && holders.includes(each)) ?? holders[0];
  if (branch !== undefined) return { branch, commit };
  const { branch: fallback } = trunkBase(around);
  return { branch: fallback, commit, warning: `No branch holds ${asked}; ${fallback} is recorded as the base.` };
}
