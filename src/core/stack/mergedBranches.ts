import type { Message } from '../messages/message.ts';
import { listed } from '../base/phrases.ts';
import { integratedBranches, type BranchQuestion } from '../integration/integratedBranches.ts';
import type { Integration, MergeHints } from '../integration/isIntegrated.ts';
import { tipsOf } from '../snapshot/trunk.ts';
import { quoted } from '../base/quoted.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { baseCommitOf, type BaseSources } from './baseCommits.ts';
import type { History } from './history.ts';
import type { PullRequestState } from './pullRequestLookup.ts';
import type { StackBranch } from './model.ts';
import type { RebaseTarget } from './trunkTarget.ts';
import { stackMessages } from '../messages/stack.ts';

/** Which branches are merged, proven by local commits. */
export interface MergedBranches {
  /** Branches whose work is in their nearest existing base, with the label of that base. */
  readonly merged: ReadonlyMap<string, string>;
  /** Branches into which work was merged on the remote: the commit there is used. */
  readonly advanced: ReadonlyMap<string, RebaseTarget>;
  /** Heads of merged pull requests whose branches got commits since: everything before is in the base. */
  readonly mergedHeads: ReadonlyMap<string, string>;
  /** Branches that must not be moved, and why. */
  readonly blocked: ReadonlyMap<string, { readonly why: Message; readonly next: Message }>;
  /** Branches whose work was merged and reverted, with a sentence part about it. */
  readonly reverted: ReadonlyMap<string, Message>;
  /** Sentences about reported merges that no commit proves. */
  readonly notes: readonly Message[];
}

/** What {@link findMerged} works with. */
export interface MergedSources {
  readonly sources: BaseSources;
  readonly history: History;
  readonly trunk: RebaseTarget | undefined;
  /** The branches, each after its base. */
  readonly involved: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Finds the branches whose work is in their nearest existing base, the trunk or another branch. The host's word on pull requests is only a
 * hint; local commits count.
 */
export async function findMerged(workspace: Workspace, about: MergedSources): Promise<MergedBranches> {
  const { sources, history, trunk, involved, signal } = about;
  const { git, repository } = workspace;
  const { stack, branches, remote, pullRequests } = sources;
  const merged = new Map<string, string>();
  const advanced = new Map<string, RebaseTarget>();
  const blocked = new Map<string, { why: Message; next: Message }>();
  const reverted = new Map<string, Message>();
  const notes: Message[] = [];
  const questions = questionsAbout(about);
  const ask = (oid: string, some: Iterable<BranchQuestion>): Promise<Map<string, Integration>> =>
    integratedBranches(git, repository.commonDir, history, oid, [...some], signal);
  const inTrunk = trunk ? await ask(trunk.oid, questions.values()) : new Map<string, Integration>();
  for (const name of involved) {
    const question = questions.get(name);
    if (!question) continue;
    const base = existingBase(name);
    const pull = pullRequests.get(name);
    if (base === undefined || base === stack.trunk) settle(name, inTrunk.get(name), trunk?.label ?? '');
    else {
      const { local, remote: there } = tipsOf(branches, base, remote);
      const said = pull?.state === 'merged' || inTrunk.get(name)?.state === 'yes';
      const ahead = there !== undefined && (local === undefined || !history.isAncestor(there, local));
      const here = local !== undefined && said ? (await ask(local, [question])).get(name) : undefined;
      const lookThere = ahead && here?.state !== 'yes' && (said || history.isAncestor(question.tip, there));
      const onRemote = lookThere ? (await ask(there, [question])).get(name) : undefined;
      if (onRemote?.state === 'yes') mergedThere(name, base, local, there ?? '');
      else settle(name, here ?? onRemote, base);
    }
    if (pull?.state === 'merged' && pull.recorded && !merged.has(name) && !blocked.has(name))
      notes.push(noteOn(name, pull));
  }
  const mergedHeads = await findMergedHeads(about, merged, ask);
  return { merged, advanced, mergedHeads, blocked, reverted, notes };

  /** The nearest base that is not merged itself. */
  function existingBase(name: string): string | undefined {
    const bases = stack.chain(name).map(({ base }) => base);
    const at = bases.findLast((base) => base === undefined || !merged.has(base));
    // Without any base left, the trunk is the base.
    const tips = at === undefined ? undefined : tipsOf(branches, at, remote);
    return tips?.local === undefined && tips?.remote === undefined ? stack.trunk : at;
  }

  function settle(name: string, answer: Integration | undefined, label: string): void {
    if (answer?.state === 'yes') merged.set(name, label);
    else if (answer?.state === 'no' && answer.reverted) {
      const { files, commit } = answer.reverted;
      reverted.set(name, stackMessages.workReverted({ label, commit: commit.slice(0, 10), listed: listed(files, 3) }));
    }
  }

  function mergedThere(name: string, base: string, local: string | undefined, there: string): void {
    const label = `${remote}/${base}`;
    if (local === undefined || history.isAncestor(local, there)) {
      merged.set(name, label);
      advanced.set(base, { branch: base, oid: there, label });
      return;
    }
    const holder = stack.branches.get(base)?.worktrees[0];
    const checkout = holder === undefined ? '' : `-C ${quoted(holder.path)} `;
    blocked.set(name, {
      why: stackMessages.mergedButLocalAhead({ base, remote }),
      next: stackMessages.mergeBoth({ checkout, label }),
    });
  }

  function noteOn(name: string, { number }: PullRequestState): Message {
    const called = stack.branches.get(name)?.name ?? name;
    const taken = reverted.get(name);
    const base = existingBase(name) ?? 'its base';
    const label = base === stack.trunk ? (trunk?.label ?? base) : base;
    return taken === undefined
      ? stackMessages.countsMergedBut({ number, called, label, called2: quoted(called) })
      : stackMessages.mergedButAll({ number, called, taken });
  }
}

/** The branches that may be merged. */
function questionsAbout({ sources, history, involved }: MergedSources): Map<string, BranchQuestion> {
  const questions = new Map<string, BranchQuestion>();
  for (const name of involved) {
    const branch = sources.stack.branches.get(name);
    const pull = sources.pullRequests.get(name);
    // A pull request that is open or queued is not merged, whatever the commits suggest.
    if (!branch || pull?.state === 'open' || pull?.state === 'queued') continue;
    const since = beginningOf(branch, sources, history);
    if (since !== undefined)
      questions.set(name, { branch: name, tip: branch.tip, since, hints: hintsOf(branch, pull) });
  }
  return questions;
}

/** The current tip of the trunk would make a merged branch appear to have no commits of its own. */
function beginningOf(branch: StackBranch, sources: BaseSources, history: History): string | undefined {
  const { base, baseCommit, tip } = branch;
  if (baseCommit !== undefined && history.isAncestor(baseCommit, tip)) return baseCommit;
  return base === undefined ? undefined : baseCommitOf(branch, [base], sources, history);
}

/** Commits to check first for the work of a branch, from the host and the registry. */
export function hintsOf(
  branch: Pick<StackBranch, 'entry'> | undefined,
  pull: PullRequestState | undefined,
): MergeHints {
  const recorded = branch?.entry?.pr;
  const words = [recorded?.['headCommit'], recorded?.['mergeCommit']].map((word) =>
    typeof word === 'string' ? word : undefined,
  );
  const said = pull?.state === 'merged' ? pull : undefined;
  return { heads: [said?.headCommit, words[0]], commits: [said?.mergeCommit, words[1]] };
}

/** The merged heads of branches that got commits after their merge. */
async function findMergedHeads(
  { sources, history, trunk, involved }: MergedSources,
  merged: ReadonlyMap<string, string>,
  ask: (oid: string, some: Iterable<BranchQuestion>) => Promise<Map<string, Integration>>,
): Promise<Map<string, string>> {
  const questions: BranchQuestion[] = [];
  for (const name of involved) {
    const branch = sources.stack.branches.get(name);
    const head = sources.pullRequests.get(name)?.headCommit;
    if (!branch || head === undefined || merged.has(name) || sources.pullRequests.get(name)?.state !== 'merged')
      continue;
    if (head === branch.tip || !history.isAncestor(head, branch.tip)) continue;
    const since = beginningOf(branch, sources, history);
    if (since !== undefined) questions.push({ branch: name, tip: head, since });
  }
  if (!trunk || questions.length === 0) return new Map();
  const answers = await ask(trunk.oid, questions);
  return new Map(questions.flatMap(({ branch, tip }) => (answers.get(branch)?.state === 'yes' ? [[branch, tip]] : [])));
}
