import type { Workspace } from '../worktree/workspace.ts';
import type { StackState } from './readStack.ts';

/** Branches to fetch beside the trunk. */
export interface BranchesToFetch {
  /** From the remote that has the trunk. */
  readonly names: readonly string[];
  /** From other remotes that branches are pushed to, such as a fork, by remote. */
  readonly elsewhere: ReadonlyMap<string, readonly string[]>;
}

/**
 * The branches to fetch for a restack beside the trunk: those to be restacked, as far as the remotes had them, and a base that only the
 * remote has.
 *
 * @param names the branches to restack.
 * @param onto the requested base.
 * @param remotes the remotes that the branches are pushed to.
 */
export function branchesToFetch(
  { configuration }: Workspace,
  { stack, branches }: StackState,
  names: readonly string[],
  onto: string | undefined,
  remotes: ReadonlyMap<string, string>,
): BranchesToFetch {
  const { remote } = configuration.stack;
  const elsewhere = new Map<string, string[]>();
  const pushed: string[] = [];
  for (const name of names) {
    const to = remotes.get(name) ?? remote;
    if (!branches.remote.oids.has(`refs/remotes/${to}/${name}`)) continue;
    if (to === remote) pushed.push(name);
    else elsewhere.set(to, [...(elsewhere.get(to) ?? []), name]);
  }
  const prefix = `${remote}/`;
  const base = onto?.startsWith(prefix) ? onto.slice(prefix.length) : onto;
  const isBranch = base !== undefined && base !== stack.trunk && !branches.local.has(base) && isBranchName(base);
  return { names: isBranch ? [...pushed, base] : pushed, elsewhere };
}

/** Whether a word can name a branch of the remote, and is no commit. */
function isBranchName(word: string): boolean {
  return /^[\w][\w./-]*$/.test(word) && !/\.\.|^[0-9a-f]{7,64}$/.test(word);
}
