import { Problem } from '../base/problem.ts';
import { partsOf, readCommits, type CommitObject } from '../git/commitObject.ts';
import { isIntegrated } from '../integration/isIntegrated.ts';
import type { Progress } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { quoted } from '../base/quoted.ts';
import { baseCommitOf } from './baseCommits.ts';
import { entryFor, freshPlan, heldPlan, withoutBase, withoutSince } from './branchPlans.ts';
import type { CommitSettings } from './commitSettings.ts';
import type { CommitWriter } from './commitWriter.ts';
import { waiting } from './checkCheckouts.ts';
import type { StackBranch } from './model.ts';
import { hintsOf } from './mergedBranches.ts';
import { findRenamed, resolveBase } from './parents.ts';
import type { BranchPlan } from './plan.ts';
import type { PlanSurroundings } from './planRestack.ts';
import { rebaseAside } from './rebaseInTempWorktree.ts';
import { isPlainLine, replay, type Replayed } from './replay.ts';
import { takeOver } from './takeOver.ts';
import { targetOf } from './trunkTarget.ts';

/** What a branch is to be put onto. */
interface Step {
  readonly branch: StackBranch;
  readonly plan: BranchPlan;
  /** Undefined when the plan is settled already. */
  readonly since: string | undefined;
  /** What its bases and the trunk are at now: whatever they have is not the branch's own either. */
  readonly others: readonly string[];
}

/** What is known before the first branch is looked at, and what commits are made with. */
interface PlannerSurroundings extends PlanSurroundings {
  readonly writer: CommitWriter;
  /** What commits are made with in the worktree of a branch. */
  readonly settingsOf: (branch: string) => CommitSettings;
  readonly progress: Progress | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Plans one branch after the other: what each is to stand on, then what its commits become there. */
export class BranchPlanner {
  readonly #workspace: Workspace;
  readonly #around: PlannerSurroundings;
  readonly #plans = new Map<string, Promise<BranchPlan>>();
  #commits = new Map<string, CommitObject>();
  readonly #trees = new Map<string, string>();
  /** Bases that are gone and whose work was merged and taken back, with where that was. */
  readonly #takenBackFrom = new Map<string, string>();

  constructor(workspace: Workspace, around: PlannerSurroundings) {
    this.#workspace = workspace;
    this.#around = around;
  }

  /** @param names each after the one that it stands on. */
  async planAll(names: readonly string[]): Promise<BranchPlan[]> {
    const { sources } = this.#around;
    const branches = names.map((name) => sources.stack.branches.get(name)).filter((branch) => branch !== undefined);
    const steps = await Promise.all(branches.map((branch) => this.#stepFor(branch)));
    await this.#readCommits(steps);
    let done = 0;
    for (const step of steps) {
      const plan = this.#carryOut(step).then(async (own) => {
        const tried = await this.#withRemoteWork(own);
        this.#around.progress?.(`Tried ${tried.name} in memory (${++done} of ${steps.length})`);
        return tried;
      });
      this.#plans.set(step.branch.branch, plan);
    }
    return Promise.all(this.#plans.values());
  }

  /** What a branch is to stand on, and which commits are its own. */
  async #stepFor(branch: StackBranch): Promise<Step> {
    const { sources, subject, onto, history, merged } = this.#around;
    const chosen = branch.branch === subject ? onto : undefined;
    const name = quoted(branch.name);
    if (!chosen && branch.broken === 'cycle') {
      const next = `cut the ring with \`wt move ${name} --onto <branch>\``;
      return settled(branch, heldPlan(branch, 'its bases form a ring, so nothing is at the bottom', next));
    }
    if (!chosen && sources.landed.has(branch.branch)) {
      const next = `\`wt cleanup ${name}\` removes it`;
      const into = sources.landed.get(branch.branch) === this.#around.trunk?.label ? 'the trunk' : undefined;
      const why = `its work is in ${into ?? sources.landed.get(branch.branch) ?? ''}`;
      return settled(branch, { ...freshPlan(branch), outcome: 'landed', why, next });
    }
    const stuck = merged.stuck.get(branch.branch);
    if (!chosen && stuck) return settled(branch, heldPlan(branch, stuck.why, stuck.next));
    const resolved = chosen
      ? { base: chosen.branch, passed: [branch.base, chosen.branch].filter((each) => each !== undefined), notes: [] }
      : await this.#resolve(branch);
    const plan = { ...freshPlan(branch), base: resolved.base, notes: resolved.notes };
    if (resolved.base === undefined) return settled(branch, this.#withoutBase(branch, plan, resolved.passed.at(-1)));
    const asked = branch.branch === subject ? this.#around.since : undefined;
    const tip = this.#tipOf(branch);
    if (asked !== undefined && !history.isAncestor(asked, tip)) {
      throw new Problem('usage', `${asked.slice(0, 10)} is not in the history of ${branch.branch}.`, {
        next: 'give with `--base` the last commit that is not its own',
      });
    }
    const since = asked ?? baseCommitOf(branch, resolved.passed, sources, history);
    if (since === undefined)
      return settled(branch, await withoutSince(this.#workspace, branch, plan, this.#around.signal));
    // Behind a base that was merged it must show all that it showed against that one, wherever its commits are said to begin.
    const { baseCommit } = branch;
    const behind = !chosen && resolved.passed.length > 1 && baseCommit !== undefined;
    const shownSince = behind && history.isAncestor(baseCommit, since) ? baseCommit : since;
    return {
      branch,
      plan: { ...plan, shownSince },
      since,
      others: asked === undefined ? this.#tipsOf(resolved.passed) : [],
    };
  }

  /** Its last commit, or the remote's where that has work which was merged into it there. */
  #tipOf(branch: StackBranch): string {
    return this.#around.merged.advanced.get(branch.branch)?.oid ?? branch.tip;
  }

  #tipsOf(bases: readonly string[]): string[] {
    const { sources, trunk } = this.#around;
    const tips = bases.map((base) => sources.branches.local.get(base)?.oid);
    return [...tips, trunk?.oid].filter((oid) => oid !== undefined);
  }

  #resolve(branch: StackBranch): ReturnType<typeof resolveBase> {
    const { sources, history, signal } = this.#around;
    const { baseCommit } = branch;
    return resolveBase(
      branch,
      sources,
      (gone, below) => this.#goneHasLanded(branch, gone, below),
      async () => {
        const firstOwn = baseCommit === undefined ? undefined : history.own(branch.tip, [baseCommit]).at(-1);
        return findRenamed(this.#workspace, branch, sources, firstOwn, signal);
      },
    );
  }

  /** Whether what a branch stands on is in another base, although the branch that it was is gone. */
  async #goneHasLanded({ baseCommit }: StackBranch, gone: string, below: string): Promise<boolean> {
    const { sources, history, trunk, signal, entries, pullRequests } = this.#around;
    if (baseCommit === undefined || !history.has(baseCommit)) return false;
    const { git, repository } = this.#workspace;
    const into =
      below === sources.stack.trunk ? trunk : (targetOf(sources.branches, below, sources.remote, history) ?? trunk);
    if (!into) return false;
    const entry = entries.get(gone);
    const began = entry?.baseCommit;
    const since = began !== undefined && history.isAncestor(began, baseCommit) ? began : undefined;
    const hints = hintsOf({ entry }, pullRequests.get(gone));
    const answer = await isIntegrated(git, repository.commonDir, {
      ...{ branch: baseCommit, into: into.oid, since, hints, signal },
    });
    if (answer.state === 'no' && answer.takenBack) this.#takenBackFrom.set(gone, into.label);
    return answer.state === 'yes';
  }

  #withoutBase(branch: StackBranch, plan: BranchPlan, passed: string | undefined): BranchPlan {
    const gone = passed ?? branch.base ?? 'its base';
    return withoutBase(branch, plan, { gone, trunk: this.#around.trunk, takenBackFrom: this.#takenBackFrom.get(gone) });
  }

  /** Everything that will be replayed, in one process. */
  async #readCommits(steps: readonly Step[]): Promise<void> {
    const { history, trunk, onto, signal } = this.#around;
    const wanted = new Set<string>();
    for (const { branch, plan, since } of steps) {
      if (plan.outcome !== 'moves' || since === undefined) continue;
      for (const oid of history.own(this.#tipOf(branch), [since])) {
        wanted.add(oid);
        for (const parent of history.parentsOf(oid)) wanted.add(parent);
      }
      wanted.add(since).add(this.#tipOf(branch));
    }
    for (const { tip } of this.#around.sources.stack.branches.values()) if (history.has(tip)) wanted.add(tip);
    for (const target of [trunk, onto]) if (target) wanted.add(target.oid);
    const { git, repository } = this.#workspace;
    this.#commits = await readCommits(git, repository.commonDir, wanted, signal);
    for (const { oid, tree } of this.#commits.values()) this.#trees.set(oid, tree);
  }

  async #carryOut({ branch, plan, since, others }: Step): Promise<BranchPlan> {
    if (plan.outcome !== 'moves' || since === undefined || plan.base === undefined) return plan;
    const { history } = this.#around;
    const target = await this.#target(branch, plan.base);
    if ('outcome' in target) return waiting(plan, target);
    const { oid: onto, label } = target;
    const known = {
      ...plan,
      onto,
      since,
      baseLabel: label,
      entry: entryFor(branch, plan.base, onto, this.#around.sources.stack.trunk),
    };
    const tip = this.#tipOf(branch);
    if (since === onto || (history.isAncestor(since, onto) && history.isAncestor(onto, tip))) {
      const outcome = tip === branch.tip ? 'current' : 'moves';
      return { ...known, outcome, to: tip, commits: history.own(tip, [onto]).length };
    }
    const own = history.own(tip, [since, onto, ...others]).reverse();
    const commits = own.map((oid) => this.#commits.get(oid)).filter((commit) => commit !== undefined);
    const merges = commits.some(({ parents }) => parents.length > 1);
    const plain = commits.length === own.length && isPlainLine(commits);
    const notes = [...plan.notes, ...this.#droppedByParent(branch, plan.base, since)];
    const upstream = plain ? (commits[0]?.parents[0] ?? since) : await this.#unionOf(since, [onto, ...others]);
    const settings = this.#around.settingsOf(branch.branch);
    // Git alone lets notes follow, and signs what a person with such a name has written as it was.
    const tidied = settings.sign && commits.some((commit) => partsOf(commit).tidied);
    const inMemory = plain && !settings.notes && !tidied;
    const result = inMemory
      ? await this.#replay(commits, onto, settings)
      : await this.#aside({ tip, upstream, onto, commits, settings });
    if ('conflict' in result) {
      const { subject, files } = result.conflict;
      const unsigned = this.#whyUnsigned(result.conflict, settings);
      const what = unsigned === undefined ? 'conflicts' : `could not be signed (${unsigned})`;
      const why = `${JSON.stringify(subject)} ${what}`;
      const stopped = { why, files, unsigned: unsigned !== undefined };
      if (tip !== branch.tip) return this.#heldBehind(branch, { ...known, why, files, notes });
      return { ...known, outcome: 'conflict', upstream, merges: !plain, commits: own.length, ...stopped, notes };
    }
    this.#trees.set(result.tip, result.tree);
    const { tip: to, dropped } = result;
    const outcome = to === branch.tip ? 'current' : 'moves';
    return { ...known, outcome, to, commits: result.commits, dropped, merges, notes };
  }

  /** With what somebody else has committed on the remote, where that is not used as it is. */
  async #withRemoteWork(plan: BranchPlan): Promise<BranchPlan> {
    const { remoteWork, merged, writer, settingsOf, signal } = this.#around;
    const work = merged.advanced.has(plan.branch) ? undefined : remoteWork.get(plan.branch);
    if (!work) return plan;
    const taken = await takeOver(this.#workspace, writer, plan, work, settingsOf(plan.branch), signal);
    if (taken.tree !== undefined) this.#trees.set(taken.plan.to, taken.tree);
    return taken.plan;
  }

  async #replay(commits: readonly CommitObject[], onto: string, settings: CommitSettings): Promise<Replayed> {
    const { writer, signal } = this.#around;
    if (!this.#trees.has(onto)) {
      const { git, repository } = this.#workspace;
      for (const { oid, tree } of (await readCommits(git, repository.commonDir, [onto], signal)).values())
        this.#trees.set(oid, tree);
    }
    return replay(this.#workspace, writer, { commits, onto, treeOf: this.#trees, settings }, signal);
  }

  /** Git's own rebase does not tell; where it stops without a conflict and has to sign, it is that. */
  #whyUnsigned(
    { files, unsigned }: Extract<Replayed, { conflict: unknown }>['conflict'],
    { sign }: CommitSettings,
  ): string | undefined {
    return unsigned ?? (files.length === 0 && sign ? 'git could not go on' : undefined);
  }

  async #aside(what: Parameters<typeof rebaseAside>[1]): Promise<Replayed> {
    await this.#around.writer.settled();
    return rebaseAside(this.#workspace, what, this.#around.signal);
  }

  /** Git would rebase what is checked out, and that lacks what the remote has. */
  #heldBehind(branch: StackBranch, plan: BranchPlan): BranchPlan {
    const label = this.#around.merged.advanced.get(branch.branch)?.label ?? '';
    const place = branch.worktrees[0] ? `-C ${quoted(branch.worktrees[0].path)} ` : '';
    const why = `${label} has work that was merged there, and on the new base ${plan.why ?? 'it conflicts'}`;
    const next = `bring it here with \`git ${place}merge --ff-only ${label}\`, then run the same again`;
    return { ...plan, outcome: 'held', why, next, entry: undefined };
  }

  /** Where trunk was merged into a branch, its commits are not the branch's own. */
  #unionOf(since: string, others: readonly string[]): Promise<string> {
    const parents = [...new Set([since, ...others])];
    return this.#around.writer.step(this.#trees.get(since) ?? '', parents);
  }

  /** The commit to stand on, or the plan of the branch below that does not get that far. */
  async #target(
    branch: StackBranch,
    base: string,
  ): Promise<{ readonly oid: string; readonly label: string } | BranchPlan> {
    const { sources, trunk, onto, subject, history } = this.#around;
    const below = this.#plans.get(base);
    if (below) {
      const plan = await below;
      return plan.outcome === 'moves' || plan.outcome === 'current' ? { oid: plan.to, label: base } : plan;
    }
    if (branch.branch === subject && onto) return onto;
    if (base === sources.stack.trunk && trunk) return trunk;
    const stacked = sources.stack.branches.get(base);
    const further = this.#around.merged.advanced.get(base);
    if (further) return further;
    const target = stacked
      ? { oid: stacked.tip, label: base }
      : targetOf(sources.branches, base, sources.remote, history);
    if (target) return target;
    throw new Problem('not-found', `The base ${base} of ${branch.name} does not exist.`);
  }

  /** Commits of the parent that are on no branch any more leave the child as well: the parent has dropped them. */
  #droppedByParent(branch: StackBranch, base: string, since: string): string[] {
    const { history, sources, trunk } = this.#around;
    const { baseCommit } = branch;
    // Behind a base that was merged they are in the trunk, in whatever form.
    if (base !== branch.base || baseCommit === undefined || !history.isAncestor(baseCommit, since)) return [];
    const others = [...sources.stack.branches.values()].filter((each) => each !== branch).map(({ tip }) => tip);
    const left = history.own(since, [baseCommit, ...others, ...(trunk ? [trunk.oid] : [])]);
    if (left.length === 0) return [];
    const which = left.length === 1 ? 'A commit' : `${left.length} commits`;
    return [`${which} that ${base} no longer has stays behind: ${left.map((oid) => oid.slice(0, 10)).join(', ')}.`];
  }
}

function settled(branch: StackBranch, plan: BranchPlan): Step {
  return { branch, plan, since: undefined, others: [] };
}
