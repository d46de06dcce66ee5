import type { Snapshot } from '../../worktree/model.ts';
import type { Workspace } from '../../worktree/workspace.ts';
import type { PullRequest } from '../pullRequest.ts';
import { worktreeGraph, type StackedWorktree } from '../../stack/graph.ts';

/**
 * What the pull request of a branch may be into: its base, and where that one was merged into its own base, that one
 * as well, and so on. The last one is what it is to be into.
 *
 * @param found the pull requests of the branches below.
 * @param remotes bases may be written with the name of one of these before them.
 */
export function basesOf(
  workspace: Workspace,
  snapshot: Snapshot,
  member: StackedWorktree,
  found: ReadonlyMap<string, PullRequest>,
  remotes: readonly string[] = [],
): [string, ...string[]] {
  const members = worktreeGraph(snapshot).branches;
  const plain = (base: string): string => withoutRemote(workspace, snapshot, base, remotes);
  const bases: [string, ...string[]] = [plain(member.base)];
  for (;;) {
    const last = bases.at(-1) ?? '';
    const pull = found.get(last);
    const under = plain(members.get(last)?.base ?? snapshot.trunk ?? last);
    // What was merged into something else is not in its base.
    if (pull?.state !== 'merged' || bases.includes(under) || !isBelow(pull.base.branch, under)) return bases;
    bases.push(under);
  }

  function isBelow(into: string, under: string): boolean {
    for (let at: string | undefined = under, steps = 0; at !== undefined && steps <= members.size; steps++) {
      if (at === into) return true;
      const next: string | undefined = members.get(at)?.base;
      at = next === undefined ? undefined : plain(next);
    }
    return into === snapshot.trunk;
  }
}

/** What the pull request of a branch is to be into, see {@link basesOf}. */
export function baseFor(...about: Parameters<typeof basesOf>): string {
  return basesOf(...about).at(-1) ?? '';
}

/** The name of a base on the remote, which may be written with the remote's name before it. */
export function withoutRemote(
  { configuration }: Workspace,
  snapshot: Snapshot,
  base: string,
  remotes: readonly string[] = [],
): string {
  if (snapshot.worktrees.some(({ branch }) => branch === base)) return base;
  const names = [configuration.stack.remote, ...remotes];
  const prefix = names.map((remote) => `${remote}/`).find((each) => base.startsWith(each));
  return prefix === undefined ? base : base.slice(prefix.length);
}
