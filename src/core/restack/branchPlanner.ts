import type { Message } from '../messages/message.ts';
import { Problem } from '../base/problem.ts';
import { partsOf, readCommits, type CommitObject } from '../git/commitObject.ts';
import type { Progress } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { quoted } from '../base/quoted.ts';
import { entryFor, noteOfAuthor } from './branchPlans.ts';
import type { CommitSettings } from './commitSettings.ts';
import type { CommitWriter } from './commitWriter.ts';
import { waiting } from './checkCheckouts.ts';
import type { StackBranch } from '../stack/model.ts';
import type { BranchPlan } from './plan.ts';
import type { PlanContext } from './planContext.ts';
import { findRange, tipOf, type RebaseRange } from './rebaseRange.ts';
import { rebaseInTempWorktree } from './rebaseInTempWorktree.ts';
import { isPlainLine, replay, type Replayed } from './replay.ts';
import { takeOver } from './takeOver.ts';
import { targetOf } from '../stack/trunkTarget.ts';
import { restackMessages } from '../messages/restack.ts';

/** What the planner works with. */
interface PlannerContext extends PlanContext {
  readonly writer: CommitWriter;
  /** What commits are made with in the worktree of a branch. */
  readonly settingsOf: (branch: string) => CommitSettings;
  readonly progress: Progress | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Plans one branch after the other: the base of each, then what its commits become there. */
export class BranchPlanner {
  readonly #workspace: Workspace;
  readonly #context: PlannerContext;
  readonly #plans = new Map<string, Promise<BranchPlan>>();
  #commits = new Map<string, CommitObject>();
  readonly #trees = new Map<string, string>();

  constructor(workspace: Workspace, context: PlannerContext) {
    this.#workspace = workspace;
    this.#context = context;
  }

  /** @param names each after its parent. */
  async planAll(names: readonly string[]): Promise<BranchPlan[]> {
    const { sources } = this.#context;
    const branches = names.map((name) => sources.stack.branches.get(name)).filter((branch) => branch !== undefined);
    const ranges = await Promise.all(
      branches.map((branch) => findRange(this.#workspace, this.#context, branch, this.#context.signal)),
    );
    await this.#readCommits(ranges);
    let done = 0;
    for (const range of ranges) {
      const plan = this.#planOne(range).then(async (own) => {
        const tried = await this.#withRemoteWork(own);
        const { name } = tried;
        this.#context.progress?.(restackMessages.triedInMemory({ name, done: ++done, all: ranges.length }));
        return tried;
      });
      this.#plans.set(range.branch.branch, plan);
    }
    return Promise.all(this.#plans.values());
  }

  /** Everything that will be replayed, in one process. */
  async #readCommits(ranges: readonly RebaseRange[]): Promise<void> {
    const { history, trunk, onto, signal } = this.#context;
    const wanted = new Set<string>();
    for (const { branch, plan, since } of ranges) {
      if (plan.outcome !== 'moves' || since === undefined) continue;
      for (const oid of history.own(tipOf(this.#context, branch), [since])) {
        wanted.add(oid);
        for (const parent of history.parentsOf(oid)) wanted.add(parent);
      }
      wanted.add(since).add(tipOf(this.#context, branch));
    }
    for (const { tip } of this.#context.sources.stack.branches.values()) if (history.has(tip)) wanted.add(tip);
    for (const target of [trunk, onto]) if (target) wanted.add(target.oid);
    const { git, repository } = this.#workspace;
    this.#commits = await readCommits(git, repository.commonDir, wanted, signal);
    for (const { oid, tree } of this.#commits.values()) this.#trees.set(oid, tree);
  }

  async #planOne({ branch, plan, since, others }: RebaseRange): Promise<BranchPlan> {
    if (plan.outcome !== 'moves' || since === undefined || plan.base === undefined) return plan;
    const { history } = this.#context;
    const target = await this.#target(branch, plan.base);
    if ('outcome' in target) return waiting(plan, target);
    const { oid: onto, label } = target;
    const known = {
      ...plan,
      onto,
      since,
      baseLabel: label,
      entry: entryFor(branch, plan.base, onto, this.#context.sources.stack.trunk),
    };
    const tip = tipOf(this.#context, branch);
    if (since === onto || (history.isAncestor(since, onto) && history.isAncestor(onto, tip))) {
      const outcome = tip === branch.tip ? 'current' : 'moves';
      return { ...known, outcome, to: tip, commits: history.own(tip, [onto]).length };
    }
    const own = history.own(tip, [since, onto, ...others]).reverse();
    const commits = own.map((oid) => this.#commits.get(oid)).filter((commit) => commit !== undefined);
    const merges = commits.some(({ parents }) => parents.length > 1);
    const plain = commits.length === own.length && isPlainLine(commits);
    const notesOfPlan = [...plan.notes, ...this.#droppedByParent(branch, plan.base, since)];
    const notes = [...notesOfPlan, ...noteOfAuthor(branch)];
    const upstream = plain ? (commits[0]?.parents[0] ?? since) : await this.#unionOf(since, [onto, ...others]);
    const settings = this.#context.settingsOf(branch.branch);
    // Git alone lets notes follow, and signs what a person with such a name has written as it was.
    const tidied = settings.sign && commits.some((commit) => partsOf(commit).tidied);
    const inMemory = plain && !settings.notes && !tidied;
    const result = inMemory
      ? await this.#replay(commits, onto, settings)
      : await this.#rebaseByGit({ tip, upstream, onto, commits, settings });
    if ('conflict' in result) {
      const { subject, files } = result.conflict;
      const unsigned = this.#whyUnsigned(result.conflict, settings);
      const what = unsigned === undefined ? restackMessages.conflicts() : restackMessages.couldNotSigned({ unsigned });
      const why = restackMessages.commitFails({ subject: JSON.stringify(subject), what });
      const stopped = { why, files, unsigned: unsigned !== undefined };
      if (tip !== branch.tip) return this.#heldBehind(branch, { ...known, why, files, notes });
      return { ...known, outcome: 'conflict', upstream, merges: !plain, commits: own.length, ...stopped, notes };
    }
    this.#trees.set(result.tip, result.tree);
    const { tip: to, dropped } = result;
    const outcome = to === branch.tip ? 'current' : 'moves';
    const said = outcome === 'moves' ? notes : notesOfPlan;
    return { ...known, outcome, to, commits: result.commits, dropped, merges, notes: said };
  }

  /** Adds commits of others on the remote, unless the remote's tip is used as it is. */
  async #withRemoteWork(plan: BranchPlan): Promise<BranchPlan> {
    const { remoteWork, merged, writer, settingsOf, signal } = this.#context;
    const work = merged.advanced.has(plan.branch) ? undefined : remoteWork.get(plan.branch);
    if (!work) return plan;
    const taken = await takeOver(this.#workspace, writer, plan, work, settingsOf(plan.branch), signal);
    if (taken.tree !== undefined) this.#trees.set(taken.plan.to, taken.tree);
    return taken.plan;
  }

  async #replay(commits: readonly CommitObject[], onto: string, settings: CommitSettings): Promise<Replayed> {
    const { writer, signal } = this.#context;
    if (!this.#trees.has(onto)) {
      const { git, repository } = this.#workspace;
      for (const { oid, tree } of (await readCommits(git, repository.commonDir, [onto], signal)).values())
        this.#trees.set(oid, tree);
    }
    return replay(this.#workspace, writer, { commits, onto, treeOf: this.#trees, settings }, signal);
  }

  /** Git's own rebase gives no reason; when it stops without a conflict and has to sign, signing failed. */
  #whyUnsigned(
    { files, unsigned }: Extract<Replayed, { conflict: unknown }>['conflict'],
    { sign }: CommitSettings,
  ): string | undefined {
    return unsigned ?? (files.length === 0 && sign ? 'git could not continue' : undefined);
  }

  async #rebaseByGit(what: Parameters<typeof rebaseInTempWorktree>[1]): Promise<Replayed> {
    await this.#context.writer.settled();
    return rebaseInTempWorktree(this.#workspace, what, this.#context.signal);
  }

  /** Git would rebase the local branch, which lacks the commits of the remote's. */
  #heldBehind(branch: StackBranch, plan: BranchPlan): BranchPlan {
    const label = this.#context.merged.advanced.get(branch.branch)?.label ?? '';
    const checkout = branch.worktrees[0] ? `-C ${quoted(branch.worktrees[0].path)} ` : '';
    const why = restackMessages.remoteWorkConflicts({ label, why: plan.why ?? restackMessages.conflictsThere() });
    const next = restackMessages.bringHere({ checkout, label });
    return { ...plan, outcome: 'held', why, next, entry: undefined };
  }

  /** Where trunk was merged into a branch, its commits are not the branch's own. */
  #unionOf(since: string, others: readonly string[]): Promise<string> {
    const parents = [...new Set([since, ...others])];
    return this.#context.writer.step(this.#trees.get(since) ?? '', parents);
  }

  /** The commit to rebase onto, or the plan of the base that does not get that far. */
  async #target(
    branch: StackBranch,
    base: string,
  ): Promise<{ readonly oid: string; readonly label: string } | BranchPlan> {
    const { sources, trunk, onto, subject, history } = this.#context;
    const below = this.#plans.get(base);
    if (below) {
      const plan = await below;
      return plan.outcome === 'moves' || plan.outcome === 'current' ? { oid: plan.to, label: base } : plan;
    }
    if (branch.branch === subject && onto) return onto;
    if (base === sources.stack.trunk && trunk) return trunk;
    const stacked = sources.stack.branches.get(base);
    const further = this.#context.merged.advanced.get(base);
    if (further) return further;
    const target = stacked
      ? { oid: stacked.tip, label: base }
      : targetOf(sources.branches, base, sources.remote, history);
    if (target) return target;
    throw new Problem('not-found', restackMessages.baseMissing({ base, branchName: branch.name }));
  }

  /** Commits of the parent that are on no branch any more leave the child as well: the parent has dropped them. */
  #droppedByParent(branch: StackBranch, base: string, since: string): Message[] {
    const { history, sources, trunk } = this.#context;
    const { baseCommit } = branch;
    // Behind a base that was merged they are in the trunk, in whatever form.
    if (base !== branch.base || baseCommit === undefined || !history.isAncestor(baseCommit, since)) return [];
    const others = [...sources.stack.branches.values()].filter((each) => each !== branch).map(({ tip }) => tip);
    const left = history.own(since, [baseCommit, ...others, ...(trunk ? [trunk.oid] : [])]);
    if (left.length === 0) return [];
    const commits = left.map((oid) => oid.slice(0, 10));
    return [restackMessages.droppedByBase({ count: left.length, base, commits })];
  }
}
