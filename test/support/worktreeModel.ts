import type { Worktree } from '../../src/core/worktree/model.ts';

/**
 * A linked worktree as a snapshot has it, on the branch of its own name, of which nothing special is known.
 *
 * @param base what its branch is based on; not known without one.
 */
export function worktreeModel(name: string, base?: string, more: Partial<Worktree> = {}): Worktree {
  return {
    name,
    slug: name,
    id: name,
    path: `/orchard/${name}`,
    main: false,
    bare: false,
    branch: name,
    head: 'a'.repeat(40),
    base: base === undefined ? undefined : { branch: base, recorded: true, exists: true, distance: undefined },
    upstream: undefined,
    changes: undefined,
    operation: undefined,
    condition: 'fine',
    staleLink: false,
    lockReason: undefined,
    sparse: false,
    active: false,
    sharesBranchWith: [],
    lastCommit: undefined,
    gitDir: undefined,
    entry: undefined,
    ports: undefined,
    urls: [],
    trouble: undefined,
    ...more,
  };
}
