import { tipsOf, type Branches } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Stack, StackBranch } from './model.ts';

/** What a branch is to stand on. */
export interface ResolvedBase {
  /** The branch; `undefined` when that cannot be told. */
  readonly base: string | undefined;
  /** The bases on the way there, from the recorded one on; the resolved one is the last. */
  readonly passed: readonly string[];
  /** Sentences about what happened to the recorded one. */
  readonly notes: readonly string[];
}

/** What resolving bases needs to know. */
export interface ParentSources {
  readonly stack: Stack;
  readonly branches: Branches;
  readonly remote: string;
  /** Bases by branch as the registry has them, also of branches that are gone. */
  readonly recorded: ReadonlyMap<string, string>;
  /** Branches whose work is in the nearest base that lives, and how people call that one. */
  readonly landed: ReadonlyMap<string, string>;
}

/**
 * Finds the first of a branch's bases that lives: one that was merged, or is gone with its work in its own base, hands its place on to
 * that. A base that is gone and has not landed is never guessed.
 *
 * @param hasLanded whether the work of a base that is gone is in another branch.
 */
export async function resolveBase(
  branch: StackBranch,
  sources: ParentSources,
  hasLanded: (gone: string, into: string) => Promise<boolean>,
  renamedTo: (gone: string) => Promise<string | undefined>,
): Promise<ResolvedBase> {
  const { stack, branches, remote, recorded, landed } = sources;
  const passed: string[] = [];
  const notes: string[] = [];
  let at = branch.base;
  while (at !== undefined && !passed.includes(at) && at !== branch.branch) {
    passed.push(at);
    if (at === stack.trunk) return { base: at, passed, notes };
    const tips = tipsOf(branches, at, remote);
    const gone = tips.local === undefined && tips.remote === undefined;
    if (gone && !landed.has(at)) {
      const renamed = await renamedTo(at);
      if (renamed !== undefined) {
        notes.push(`${at} is called ${renamed} now.`);
        at = renamed;
        continue;
      }
    }
    const below: string | undefined = stack.branches.get(at)?.base ?? recorded.get(at) ?? stack.trunk;
    if (!landed.has(at) && !(gone && below !== undefined && (await hasLanded(at, below))))
      return { base: gone ? undefined : at, passed, notes };
    notes.push(`${at} was merged.`);
    at = below;
  }
  return { base: undefined, passed, notes };
}

/**
 * The branch that a base which is gone was renamed to: the only one that holds the commit that was recorded, and of which nothing is
 * recorded. Branches that stand on the gone one hold it as well and do not count, nor do copies of the branch itself.
 *
 * @param firstOwn the first of the branch's own commits.
 */
export async function findRenamed(
  { git, repository }: Workspace,
  branch: StackBranch,
  { stack, recorded }: ParentSources,
  firstOwn: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (branch.baseCommit === undefined) return undefined;
  const without = firstOwn === undefined ? [] : [`--no-contains=${firstOwn}`];
  const args = ['for-each-ref', '--format=%(refname)', `--contains=${branch.baseCommit}`, ...without, 'refs/heads'];
  const answer = await git.in(repository.commonDir).run(args, { signal });
  if (answer.exitCode !== 0) return undefined;
  const holders = answer.stdout
    .split('\n')
    .filter((ref) => ref !== '')
    .map((ref) => ref.replace(/^refs\/heads\//, ''));
  // On the trunk it would have landed.
  if (stack.trunk !== undefined && holders.includes(stack.trunk)) return undefined;
  const others = holders.filter((each) => each !== branch.branch && !recorded.has(each));
  return others.length === 1 ? others[0] : undefined;
}
