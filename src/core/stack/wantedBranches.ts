import type { Workspace } from '../worktree/workspace.ts';
import type { StackState } from './readStack.ts';

/** Branches that are to be fetched beside the trunk. */
export interface Wanted {
  /** Of the remote that has the trunk. */
  readonly names: readonly string[];
  /** Of other remotes that branches are pushed to, such as a fork, by remote. */
  readonly elsewhere: ReadonlyMap<string, readonly string[]>;
}

/**
 * What is to be fetched for a restack beside the trunk: the branches themselves, as far as the remote had them, and a base that only the remote has.
 *
 * @param names the branches that are to be restacked.
 * @param onto the base that a person has named.
 * @param remotes the remotes that the branches are pushed to.
 */
export function wantedOf(
  { configuration }: Workspace,
  { stack, branches }: StackState,
  names: readonly string[],
  onto: string | undefined,
  remotes: ReadonlyMap<string, string>,
): Wanted {
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
