import type { Workspace } from '../worktree/workspace.ts';
import type { StackState } from './readStack.ts';

/**
 * What is to be fetched for a restack beside the trunk: the branches themselves, as far as the remote had them, and a base that only the remote has.
 *
 * @param names the branches that are to be restacked.
 * @param onto the base that a person has named.
 */
export function wantedOf(
  { configuration }: Workspace,
  { stack, branches }: StackState,
  names: readonly string[],
  onto: string | undefined,
): string[] {
  const { remote } = configuration.stack;
  const pushed = names.filter((name) => branches.remote.oids.has(`refs/remotes/${remote}/${name}`));
  const prefix = `${remote}/`;
  const base = onto?.startsWith(prefix) ? onto.slice(prefix.length) : onto;
  const isBranch = base !== undefined && base !== stack.trunk && !branches.local.has(base) && isBranchName(base);
  return isBranch ? [...pushed, base] : pushed;
}

/** Whether a word can name a branch of the remote, and is no commit. */
function isBranchName(word: string): boolean {
  return /^[\w][\w./-]*$/.test(word) && !/\.\.|^[0-9a-f]{7,64}$/.test(word);
}
