import { StackGraph, withoutRemote, worktreeGraph, type StackedWorktree } from '../../stack/graph.ts';
import type { Snapshot } from '../../worktree/model.ts';
import type { PullRequest } from '../pullRequest.ts';

/** The stacks as the host knows them: without the names of remotes in their bases, and past branches that were merged there. */
export class HostedStack extends StackGraph<StackedWorktree> {
  readonly trunk: string | undefined;
  readonly #plain: (base: string) => string;

  /** @param remotes bases may be written with the name of one of these before them. */
  constructor(snapshot: Snapshot, remotes: readonly string[]) {
    const here = new Set(snapshot.worktrees.flatMap(({ branch }) => branch ?? []));
    const plain = (base: string): string => withoutRemote(base, remotes, here);
    super([...worktreeGraph(snapshot).branches.values()].map((each) => ({ ...each, base: plain(each.base) })));
    this.trunk = snapshot.trunk;
    this.#plain = plain;
  }

  /**
   * What the pull request of a branch may be into: its base, and where that one was merged into its own base, that one as well, and so on.
   * The last one is what it is to be into.
   *
   * @param found the pull requests of the branches below.
   */
  basesOf({ base }: Pick<StackedWorktree, 'base'>, found: ReadonlyMap<string, PullRequest>): [string, ...string[]] {
    const bases: [string, ...string[]] = [this.#plain(base)];
    for (;;) {
      const last = bases.at(-1) ?? '';
      const pull = found.get(last);
      const below = this.branches.get(last)?.base ?? this.trunk ?? last;
      // What was merged into something else is not in its base.
      if (pull?.state !== 'merged' || bases.includes(below) || !this.#leadsTo(pull.base.branch, below)) return bases;
      bases.push(below);
    }
  }

  /** What the pull request of a branch is to be into, see {@link basesOf}; `undefined` for a branch of no stack. */
  baseFor(branch: string, found: ReadonlyMap<string, PullRequest>): string | undefined {
    const own = this.branches.get(branch);
    return own && this.basesOf(own, found).at(-1);
  }

  /** What the pull request of a branch is to be into, then what the one of that branch is to be into, and so on. */
  basesBelow(branch: string, found: ReadonlyMap<string, PullRequest>): string[] {
    const below: string[] = [];
    for (let at = this.baseFor(branch, found); at !== undefined && !below.includes(at); at = this.baseFor(at, found))
      below.push(at);
    return below;
  }

  #leadsTo(into: string, base: string): boolean {
    return into === base || into === this.trunk || this.isBasedOn(base, into);
  }
}
