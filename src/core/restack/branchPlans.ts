import type { Message } from '../messages/message.ts';
import type { EntryChange } from '../operations/operation.ts';
import { quoted } from '../base/quoted.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { checkoutsOf } from '../checkout/checkout.ts';
import type { StackBranch } from '../stack/model.ts';
import type { BranchPlan } from './plan.ts';
import { restackMessages } from '../messages/restack.ts';

/** An empty plan for a branch. */
export function freshPlan(branch: StackBranch): BranchPlan {
  return {
    branch: branch.branch,
    name: branch.name,
    outcome: 'moves',
    from: branch.tip,
    to: branch.tip,
    base: branch.base,
    baseBefore: branch.recordedBase ?? branch.base,
    baseLabel: branch.base,
    onto: undefined,
    since: undefined,
    shownSince: undefined,
    upstream: undefined,
    commits: 0,
    dropped: [],
    merges: false,
    unsigned: false,
    checkouts: checkoutsOf(branch.worktrees),
    why: undefined,
    next: undefined,
    files: [],
    notes: [],
    entry: undefined,
  };
}

/** The plan of a branch that is held: why, as a sentence part, and what to do. */
export function heldPlan(branch: StackBranch, why: Message, next: Message): BranchPlan {
  return { ...freshPlan(branch), outcome: 'held', why, next };
}

/** A base that does not exist any more. */
interface GoneBase {
  readonly gone: string;
  readonly trunk: { readonly branch: string } | undefined;
  /** The base in which its work was merged and reverted. */
  readonly revertedIn: string | undefined;
}

/** Why a branch is held whose base is gone. */
export function withoutBase(
  branch: StackBranch,
  plan: BranchPlan,
  { gone, trunk, revertedIn: from }: GoneBase,
): BranchPlan {
  const name = quoted(branch.name);
  const onto = trunk ? quoted(trunk.branch) : '<branch>';
  const why = from === undefined ? restackMessages.noSignOfMerge() : restackMessages.revertedIn({ branch: from });
  const keep =
    branch.baseCommit === undefined
      ? ''
      : restackMessages.branchRestores({ branch: quoted(gone), commit: branch.baseCommit.slice(0, 12) });
  return {
    ...plan,
    ...heldPlan(
      branch,
      restackMessages.baseGone({ gone, why }),
      restackMessages.wtRebaseOnto({ keep, name, onto, branchName: branch.name }),
    ),
    notes: plan.notes,
  };
}

/** The plan of a branch whose first own commit is unknown. Fork point and merge base are only suggested to the person. */
export async function withoutSince(
  { git, repository }: Workspace,
  branch: StackBranch,
  plan: BranchPlan,
  signal: AbortSignal | undefined,
): Promise<BranchPlan> {
  const at = { signal };
  const base = plan.base ?? 'HEAD';
  const answers = await Promise.all(
    [
      ['--fork-point', base, branch.tip],
      [base, branch.tip],
    ].map((args) => git.in(repository.commonDir).line(['merge-base', ...args], at)),
  );
  const likely = [...new Set(answers.flatMap((oid) => oid || []))].map((oid) => oid.slice(0, 12));
  const hint = likely.length > 0 ? restackMessages.mayBe({ commits: likely.join(' or ') }) : '';
  const next = restackMessages.nameBase({ branchName: quoted(branch.name), hint });
  return {
    ...plan,
    ...heldPlan(branch, restackMessages.firstOwnCommit(), next),
    base: plan.base,
    notes: plan.notes,
  };
}

/** The change of a branch's registry entry for a new base and base commit; `undefined` when there is none. */
export function entryFor(
  branch: StackBranch,
  base: string,
  onto: string,
  trunk: string | undefined,
): EntryChange | undefined {
  const { entry, entryName } = branch;
  const after = { branch: branch.branch, base, baseCommit: onto };
  if (entry && entryName !== undefined) {
    const same = entry.base === base && entry.baseCommit === onto && entry.branch === branch.branch;
    const before = { branch: entry.branch, base: entry.base, baseCommit: entry.baseCommit };
    return same ? undefined : { name: entryName, path: entry.path, before, after };
  }
  // For a worktree of another tool, trunk is assumed anyway; only another base has to be recorded.
  const [worktree] = branch.worktrees;
  if (!worktree || base === trunk) return undefined;
  return { name: branch.name, path: worktree.path, before: null, after };
}

/** What a person should know before they move the branch of somebody else. */
export function noteOfAuthor({ branch, entry }: StackBranch): Message[] {
  const author = entry?.pr?.author;
  return author === undefined ? [] : [restackMessages.branchOfAnother({ branch, author })];
}
