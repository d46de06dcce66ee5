import { integratedBranches, type BranchQuestion } from '../integration/integratedBranches.ts';
import type { Integration, MergeHints } from '../integration/isIntegrated.ts';
import { tipsOf } from '../snapshot/trunk.ts';
import { quoted } from '../base/quoted.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { baseCommitOf, type BaseSources } from './baseCommits.ts';
import type { History } from './history.ts';
import type { PullRequestState } from './pullRequestLookup.ts';
import type { StackBranch } from './model.ts';
import type { Target } from './trunkTarget.ts';

/** What of some branches is merged, proven by what is here. */
export interface MergedBranches {
  /** Branches whose work is in the nearest base that lives, and how people call that one. */
  readonly landed: ReadonlyMap<string, string>;
  /** Branches that the remote has further on, with work that was merged into them there: that commit is to be used. */
  readonly advanced: ReadonlyMap<string, Target>;
  /** Heads of merged pull requests whose branches went on since: what came before is in the base. */
  readonly landedHeads: ReadonlyMap<string, string>;
  /** Branches that are not to be moved, and why. */
  readonly stuck: ReadonlyMap<string, { readonly why: string; readonly next: string }>;
  /** What a base had of a branch and has no more, as sentence parts. */
  readonly takenBack: ReadonlyMap<string, string>;
  /** Sentences about merges that somebody tells of and that are not here. */
  readonly notes: readonly string[];
}

/** What it is found out from. */
export interface MergedSources {
  readonly sources: BaseSources;
  readonly history: History;
  readonly trunk: Target | undefined;
  /** The branches, each after the one that it stands on. */
  readonly involved: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Finds out which branches are merged: whose work is in the base that lives below them, the trunk or another branch. What the host says of
 * pull requests tells where to look; what counts is here.
 */
export async function findMerged(workspace: Workspace, about: MergedSources): Promise<MergedBranches> {
  const { sources, history, trunk, involved, signal } = about;
  const { git, repository } = workspace;
  const { stack, branches, remote, pullRequests } = sources;
  const landed = new Map<string, string>();
  const advanced = new Map<string, Target>();
  const stuck = new Map<string, { why: string; next: string }>();
  const takenBack = new Map<string, string>();
  const notes: string[] = [];
  const questions = questionsAbout(about);
  const ask = (oid: string, some: Iterable<BranchQuestion>): Promise<Map<string, Integration>> =>
    integratedBranches(git, repository.commonDir, history, oid, [...some], signal);
  const inTrunk = trunk ? await ask(trunk.oid, questions.values()) : new Map<string, Integration>();
  for (const name of involved) {
    const question = questions.get(name);
    if (!question) continue;
    const base = livingBase(name);
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
    if (pull?.state === 'merged' && pull.recorded && !landed.has(name) && !stuck.has(name))
      notes.push(noteOn(name, pull));
  }
  const landedHeads = await findLandedHeads(about, landed, ask);
  return { landed, advanced, landedHeads, stuck, takenBack, notes };

  /** The nearest base that is not merged itself. */
  function livingBase(name: string): string | undefined {
    const seen = new Set([name]);
    let at = stack.branches.get(name)?.base;
    while (at !== undefined && landed.has(at) && !seen.has(at)) {
      seen.add(at);
      at = stack.branches.get(at)?.base;
    }
    // What stood on a base that is gone stands on the trunk, if anywhere.
    const tips = at === undefined ? undefined : tipsOf(branches, at, remote);
    return tips?.local === undefined && tips?.remote === undefined ? stack.trunk : at;
  }

  function settle(name: string, answer: Integration | undefined, label: string): void {
    if (answer?.state === 'yes') landed.set(name, label);
    else if (answer?.state === 'no' && answer.takenBack) {
      const { files, commit } = answer.takenBack;
      takenBack.set(name, `${label} had its work (${commit.slice(0, 10)}) and took it back: ${listed(files)}`);
    }
  }

  function mergedThere(name: string, base: string, local: string | undefined, there: string): void {
    const label = `${remote}/${base}`;
    if (local === undefined || history.isAncestor(local, there)) {
      landed.set(name, label);
      advanced.set(base, { branch: base, oid: there, label });
      return;
    }
    const holder = stack.branches.get(base)?.worktrees[0];
    const place = holder === undefined ? '' : `-C ${quoted(holder.path)} `;
    stuck.set(name, {
      why: `it was merged into ${base} on ${remote}, and ${base} here has commits that are not there`,
      next: `bring the two together with \`git ${place}merge ${label}\`, then run the same again`,
    });
  }

  function noteOn(name: string, { number }: PullRequestState): string {
    const called = stack.branches.get(name)?.name ?? name;
    const taken = takenBack.get(name);
    const base = livingBase(name) ?? 'its base';
    const label = base === stack.trunk ? (trunk?.label ?? base) : base;
    return taken === undefined
      ? `#${number} of ${called} counts as merged, but its work is not in ${label}, so all of it stays; \`wt pr ${quoted(called)}\` opens another one for it.`
      : `#${number} of ${called} was merged, but ${taken}. So all of it stays.`;
  }
}

/** Of which branches it makes sense to ask. */
function questionsAbout({ sources, history, involved }: MergedSources): Map<string, BranchQuestion> {
  const questions = new Map<string, BranchQuestion>();
  for (const name of involved) {
    const branch = sources.stack.branches.get(name);
    const pull = sources.pullRequests.get(name);
    // One that is open on the host, or waits in its queue, has not landed, whatever it looks like here.
    if (!branch || pull?.state === 'open' || pull?.state === 'queued') continue;
    const since = beginningOf(branch, sources, history);
    if (since !== undefined)
      questions.set(name, { branch: name, tip: branch.tip, since, hints: hintsOf(branch, pull) });
  }
  return questions;
}

/** What trunk is at now would make a branch that was merged look like one without commits of its own. */
function beginningOf(branch: StackBranch, sources: BaseSources, history: History): string | undefined {
  const { base, baseCommit, tip } = branch;
  if (baseCommit !== undefined && history.isAncestor(baseCommit, tip)) return baseCommit;
  return base === undefined ? undefined : baseCommitOf(branch, [base], sources, history);
}

/** Where to look for the work of a branch, by the host's word and by what the registry remembers of it. */
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

/** Of branches that went on after their merge what was merged. */
async function findLandedHeads(
  { sources, history, trunk, involved }: MergedSources,
  landed: ReadonlyMap<string, string>,
  ask: (oid: string, some: Iterable<BranchQuestion>) => Promise<Map<string, Integration>>,
): Promise<Map<string, string>> {
  const questions: BranchQuestion[] = [];
  for (const name of involved) {
    const branch = sources.stack.branches.get(name);
    const head = sources.pullRequests.get(name)?.headCommit;
    if (!branch || head === undefined || landed.has(name) || sources.pullRequests.get(name)?.state !== 'merged')
      continue;
    if (head === branch.tip || !history.isAncestor(head, branch.tip)) continue;
    const since = beginningOf(branch, sources, history);
    if (since !== undefined) questions.push({ branch: name, tip: head, since });
  }
  if (!trunk || questions.length === 0) return new Map();
  const answers = await ask(trunk.oid, questions);
  return new Map(questions.flatMap(({ branch, tip }) => (answers.get(branch)?.state === 'yes' ? [[branch, tip]] : [])));
}

/** The first few of some files. */
export function listed(files: readonly string[]): string {
  const shown = files.slice(0, 3).join(', ');
  return files.length > 3 ? `${shown} and ${files.length - 3} more` : shown;
}
