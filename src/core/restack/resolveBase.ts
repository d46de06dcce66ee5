import type { Message } from '../messages/message.ts';
import { tipsOf, type Branches } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { RegisteredBranch, StackGraph } from '../stack/graph.ts';
import type { Stack, StackBranch } from '../stack/model.ts';
import { restackMessages } from '../messages/restack.ts';

/** The base that a branch is rebased onto. */
export interface StackBase {
  /** The branch; `undefined` when it is unknown. */
  readonly base: string | undefined;
  /** The bases on the way there, from the recorded one on; the resolved one is the last. */
  readonly passed: readonly string[];
  /** Sentences about what happened to the recorded one. */
  readonly notes: readonly Message[];
}

/** What resolving bases works with. */
export interface BaseResolution {
  readonly stack: Stack;
  readonly branches: Branches;
  readonly remote: string;
  /** What the registry has, also of branches that are gone. */
  readonly registered: StackGraph<RegisteredBranch>;
  /** Branches whose work is in their nearest existing base, with the label of that base. */
  readonly merged: ReadonlyMap<string, string>;
}

/**
 * Finds the first base of a branch that exists and is not merged: a base that was merged, or is gone with its work in its own base, is
 * replaced by that one. The replacement of a base that is gone and not merged is never guessed.
 *
 * @param isMerged whether the work of a base that is gone is in another branch.
 */
export async function resolveBase(
  branch: StackBranch,
  sources: BaseResolution,
  isMerged: (gone: string, into: string) => Promise<boolean>,
  renamedTo: (gone: string) => Promise<string | undefined>,
): Promise<StackBase> {
  const { stack, branches, remote, registered, merged } = sources;
  const passed: string[] = [];
  const notes: Message[] = [];
  let at = branch.base;
  while (at !== undefined && !passed.includes(at) && at !== branch.branch) {
    passed.push(at);
    if (at === stack.trunk) return { base: at, passed, notes };
    const tips = tipsOf(branches, at, remote);
    const gone = tips.local === undefined && tips.remote === undefined;
    if (gone && !merged.has(at)) {
      const renamed = await renamedTo(at);
      if (renamed !== undefined) {
        notes.push(restackMessages.calledNow({ at, renamed }));
        at = renamed;
        continue;
      }
    }
    const below: string | undefined = stack.branches.get(at)?.base ?? registered.branches.get(at)?.base ?? stack.trunk;
    if (!merged.has(at) && !(gone && below !== undefined && (await isMerged(at, below))))
      return { base: gone ? undefined : at, passed, notes };
    notes.push(restackMessages.wasMerged({ at }));
    at = below;
  }
  return { base: undefined, passed, notes };
}

/**
 * The branch that a base which is gone was renamed to: the only one that holds the commit that was recorded, and of which nothing is
 * recorded. Other dependents of the gone base have it as well and do not count, nor do copies of the branch itself.
 *
 * @param firstOwn the first of the branch's own commits.
 */
export async function findRenamed(
  { git, repository }: Workspace,
  branch: StackBranch,
  { stack, registered }: BaseResolution,
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
  // In the trunk it would be merged.
  if (stack.trunk !== undefined && holders.includes(stack.trunk)) return undefined;
  const others = holders.filter((each) => each !== branch.branch && !registered.branches.has(each));
  return others.length === 1 ? others[0] : undefined;
}
