import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../base/problem.ts';
import { landed, type Landing } from './landed.ts';
import type { Snapshot, Worktree } from '../model.ts';
import type { Workspace } from '../workspace.ts';

/** What happens to the branch of a worktree that is removed. */
export interface BranchFate {
  /** The short name. */
  readonly name: string;
  readonly fate: 'delete' | 'keep';
  /** Why, as a sentence part: "it is merged into main". */
  readonly why: string;
  /** The commit it was on when it was looked at. */
  readonly oid: string;
  /** How it came to be in the other branch; `undefined` for one that is kept. */
  readonly landing: Landing | undefined;
}

/**
 * Decides whether a branch goes with its worktree: only when everything on it is in its base or in trunk, here or on the
 * remote, and nobody else has it checked out. In doubt it is kept.
 *
 * @returns `undefined` when the worktree is on no branch, or on one without a commit.
 */
export async function decideBranch(
  workspace: Workspace,
  snapshot: Snapshot,
  worktree: Worktree,
  signal?: AbortSignal,
): Promise<BranchFate | undefined> {
  const { git, repository, configuration } = workspace;
  const name = worktree.branch;
  if (name === undefined) return undefined;
  const bases = [...new Set([worktree.base?.branch, snapshot.trunk])].filter((each) => each !== undefined);
  const { remote } = configuration.stack;
  const refs = bases.flatMap((base) => [
    { base, ref: `refs/heads/${base}` },
    { base: `${remote}/${base}`, ref: `refs/remotes/${remote}/${base}` },
    { base, ref: `refs/remotes/${base}` },
  ]);
  const own = `refs/heads/${name}`;
  const reached = await readRefs(workspace, ['--contains', own], [own, ...refs.map(({ ref }) => ref)], signal);
  const oid = reached.get(own);
  if (oid === undefined) return undefined;
  const keep = (why: string): BranchFate => ({ name, fate: 'keep', why, oid, landing: undefined });
  if (name === snapshot.trunk) return keep('it is the trunk');
  const others = snapshot.worktrees.filter((each) => each.branch === name && each.path !== worktree.path);
  if (others[0]) return keep(`it is also checked out in ${others.map((each) => each.path).join(', ')}`);
  if (await isHeadOf(repository.commonDir, name)) return keep("it is the repository's own HEAD");
  const remove = (base: string, landing: Landing): BranchFate => ({
    name,
    fate: 'delete',
    why: landing === 'ancestor' ? `all of it is in ${base}` : `its changes are in ${base}`,
    oid,
    landing,
  });
  const holder = refs.find(({ ref }) => ref !== own && reached.has(ref));
  if (holder) return remove(holder.base, 'ancestor');
  const there = await readRefs(
    workspace,
    [],
    refs.map(({ ref }) => ref),
    signal,
  );
  const into = refs.filter(({ ref }) => ref !== own && there.has(ref));
  if (into.length === 0) return keep('there is no base to compare it with');
  for (const { base, ref } of into) {
    const landing = await landed(git, repository, { branch: own, into: ref, signal }).catch(unlessCancelled);
    if (landing) return remove(base, landing);
  }
  return keep(`it is not merged into ${[...new Set(into.map(({ base }) => base))].join(' or ')}`);
}

/** A question that could not be answered keeps the branch. */
function unlessCancelled(thrown: unknown): undefined {
  if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
  return undefined;
}

/** The commits of those of the named refs that exist and match; a branch that does not exist is contained in none. */
async function readRefs(
  { git, repository }: Workspace,
  filter: readonly string[],
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const args = ['for-each-ref', '--format=%(refname) %(objectname)', ...filter, ...names];
  const answer = await git.run(args, { cwd: repository.commonDir, signal });
  const refs = answer.stdout.split('\n').map((line): [string, string] => {
    const space = line.lastIndexOf(' ');
    return [line.slice(0, space), line.slice(space + 1)];
  });
  // A name is also a pattern for everything below it.
  return new Map(refs.filter(([name]) => names.includes(name)));
}

/** In a bare layout nothing has the branch of `HEAD` checked out, and yet every clone begins with it. */
export async function isHeadOf(commonDir: string, branch: string): Promise<boolean> {
  const text = await readFile(join(commonDir, 'HEAD'), 'utf8').catch(() => '');
  return text.trim() === `ref: refs/heads/${branch}`;
}
