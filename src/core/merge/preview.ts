import { stopIfCancelled, Problem } from '../base/problem.ts';
import { readTree, type Blob, type StageBlobs } from '../git/blobs.ts';
import type { ConflictVersions } from '../git/mergePairs.ts';
import { unmergedEntries } from '../git/indexEntries.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import type { Message } from '../messages/message.ts';
import { mergeMessages } from '../messages/merge.ts';
import { isApproved } from '../repository/approvals.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import { conflictKind, type ConflictKind } from '../snapshot/conflicts.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { checkBefore } from './checkBefore.ts';
import { planChecks, type ChecksPlan } from './checks.ts';
import { isAncestor, mergeBase } from './commits.ts';
import { decideVersions } from './decideSessionFiles.ts';
import { toMergedFile } from './files.ts';
import { readMerge, type MergeData } from './mergeData.ts';
import { isOver } from './mergeWorktree.ts';
import type { MergedSessionFile, MergeRequest } from './model.ts';
import { planMerge, type PlannedMerge } from './planned.ts';
import { previewSubmodules, type PlannedSubmodule } from './previewSubmodules.ts';
import { readSessionVersions } from './sessionFiles.ts';
import { otherUnderWay, readTarget, requireReady, type ReadyTarget } from './target.ts';

/** So many of the latest commits are named. */
export const mostCommits = 10;

/** What a merge would do, before anything is done. */
export interface MergePreview {
  readonly name: string;
  readonly branch: string;
  /** The branch that it is merged into. */
  readonly into: string;
  /** `already`: there is nothing to merge; `underWay`: it was begun before, and goes on. */
  readonly state: 'merges' | 'already' | 'underWay';
  /** The commits that come along: how many, and the latest {@link mostCommits} of them. */
  readonly commits: { readonly count: number; readonly latest: readonly PlannedCommit[] };
  /** How many files change. */
  readonly files: number;
  /** The files that would conflict, or do, once the rules for session files are through. */
  readonly conflicts: readonly PlannedConflict[];
  /** Conflicts are first resolved by running the checks on each side. */
  readonly resolvesByChecks: boolean;
  readonly submodules: readonly PlannedSubmodule[];
  readonly sessionFiles: readonly MergedSessionFile[];
  /** The checks that run afterwards, and whether this user has approved them; `undefined` without any. */
  readonly checks: (ChecksPlan & { readonly approved: boolean }) | undefined;
  /** What has to be done before anything is merged: the problem that the merge would stop with. */
  readonly obstacle: Problem | undefined;
  readonly notes: readonly Message[];
}

/** A file that would conflict. */
export interface PlannedConflict {
  /** From the root of the working tree. */
  readonly path: string;
  readonly kind: ConflictKind;
}

/** One commit that would be merged. */
export interface PlannedCommit {
  readonly commit: string;
  readonly subject: string;
}

/**
 * Works out in memory what {@link mergeWorktree} would do, with the code that does it; no file, branch or index is touched.
 *
 * @throws Problem (outcome incomplete) as `mergeWorktree` where nothing can be merged at all, such as while another merge is under way;
 *   `cancelled`.
 */
export async function previewMerge(
  workspace: Workspace,
  request: MergeRequest,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<MergePreview> {
  const { source } = request;
  const { git, repository, environment, configuration } = workspace;
  const found = await readTarget(workspace, request.into, signal);
  let earlier = (await readMerge(repository, found.gitDir))?.data;
  if (earlier && earlier.branch !== source.branch) {
    if (!(await isOver(workspace, earlier, found.head, found.mergeHead)))
      throw otherUnderWay(earlier, source, found.root);
    earlier = undefined;
  }
  const target = requireReady(found, source, earlier);
  const at = { cwd: target.root, signal };
  const plan = await planChecks(workspace, target.root);
  const checks = plan && { ...plan, approved: await isApproved(environment, repository, [plan.command]) };
  const { name, branch, notes } = source;
  const known = { name, branch, into: target.branch ?? target.root, checks, notes };
  const nothing = { obstacle: undefined, submodules: [], sessionFiles: [], conflicts: [], files: 0 };
  const resolvesByChecks = configuration.merge.sourceConflicts === 'checks';
  const rest = { ...known, ...nothing, resolvesByChecks };
  if (earlier && target.mergeHead !== undefined) {
    const unmerged = await unmergedEntries(git, target.root, [], signal);
    const conflicts = [...unmerged].map(([path, entries]) =>
      plannedConflict(path, Object.fromEntries(entries.map(({ stage, oid }) => [stage, oid]))),
    );
    const { sessionFiles } = earlier;
    const commits = await commitsOf(workspace, target, earlier.theirs, signal);
    return { ...rest, state: 'underWay', conflicts, sessionFiles, commits };
  }
  if (await isAncestor(git, at, source.commit, target.head))
    return { ...rest, state: 'already', commits: { count: 0, latest: [] } };
  stopIfCancelled(signal);
  const [commits, obstacle, submodules, merged] = await Promise.all([
    commitsOf(workspace, target, source.commit, signal),
    obstacleTo(workspace, request, target, earlier, signal),
    previewSubmodules(git, {
      ...{ tree: target.root, reader: target.root, prefix: '', ours: target.head, theirs: source.commit, signal },
      source: { tree: source.path, gitDir: source.gitDir },
    }),
    mergeInMemory(workspace, request, target, signal),
  ]);
  const settled = new Set(submodules.map(({ path }) => path));
  const conflicts = merged.conflicts.filter(({ path }) => !settled.has(path));
  return { ...rest, ...merged, state: 'merges', commits, obstacle: obstacle ?? merged.obstacle, submodules, conflicts };
}

async function commitsOf(
  { git }: Workspace,
  { root, head }: ReadyTarget,
  theirs: string,
  signal: AbortSignal | undefined,
): Promise<MergePreview['commits']> {
  const at = { cwd: root, signal };
  const range = `${head}..${theirs}`;
  const [count, latest] = await Promise.all([
    git.text(['rev-list', '--count', range], at),
    git.text(['log', '-z', `--max-count=${mostCommits}`, '--format=%H %s', range], at),
  ]);
  return {
    count: Number(count),
    latest: fieldsOf(latest).map((line) => ({
      commit: line.split(' ', 1)[0] ?? '',
      subject: line.replace(/^\S+ /, ''),
    })),
  };
}

/** What the merge itself would stop with before it begins. */
async function obstacleTo(
  workspace: Workspace,
  { source }: MergeRequest,
  target: ReadyTarget,
  earlier: MergeData | undefined,
  signal: AbortSignal | undefined,
): Promise<Problem | undefined> {
  const base = await mergeBase(workspace.git, { cwd: target.root, signal }, target.head, source.commit);
  try {
    await checkBefore({ workspace, source, target, options: { signal }, base, earlier });
    return undefined;
  } catch (thrown) {
    if (Problem.is(thrown, 'dirty')) return thrown;
    throw thrown;
  }
}

type InMemory = Pick<MergePreview, 'conflicts' | 'files' | 'obstacle' | 'sessionFiles'>;

/** The files as git merges them, and then the session files by their own rules. */
async function mergeInMemory(
  workspace: Workspace,
  { source }: MergeRequest,
  target: ReadyTarget,
  signal: AbortSignal | undefined,
): Promise<InMemory> {
  const { git } = workspace;
  const at = { cwd: target.root, signal };
  const sides = { ours: target.head, theirs: source.commit };
  const plan = await planMerge(git, at, sides.ours, sides.theirs);
  if (plan === undefined)
    return { conflicts: [], files: 0, sessionFiles: [], obstacle: unrelatedTo(source.name, target) };
  const stagesOf = await plannedStages(workspace, plan, target.root, signal);
  const base = await mergeBase(git, at, sides.ours, sides.theirs);
  const versions = await readSessionVersions(workspace, { ...at, ...sides, base }, stagesOf);
  const { results } = await decideVersions(git, versions, { ...at, slug: source.slug });
  const settled = new Set(results.flatMap(({ path, conflicted }) => (conflicted ? [] : [path])));
  const conflicts = [...plan.versions].flatMap(([path, stages]) =>
    settled.has(path) ? [] : [plannedConflict(path, stages)],
  );
  return { conflicts, files: plan.touched.length, sessionFiles: results.flatMap(toMergedFile), obstacle: undefined };
}

/** What the index would have of the session files after git's own merge. */
async function plannedStages(
  workspace: Workspace,
  { tree, versions }: PlannedMerge,
  cwd: string,
  signal: AbortSignal | undefined,
): Promise<(path: string) => StageBlobs> {
  const paths = sessionPaths(workspace).map(({ path }) => path);
  const merged = await readTree(workspace.git, tree, paths, { cwd, signal });
  // Of a file in conflict the rules read the versions only; that it is a file the trees tell.
  const blob = (oid: string | undefined): Blob | undefined => (oid === undefined ? undefined : { mode: '100644', oid });
  return (path) => {
    const stages = versions.get(path);
    return stages
      ? [undefined, blob(stages[1]), blob(stages[2]), blob(stages[3])]
      : [merged.get(path), undefined, undefined, undefined];
  };
}

const plannedConflict = (path: string, versions: ConflictVersions): PlannedConflict => ({
  path,
  kind: conflictKind({ base: versions[1], ours: versions[2], theirs: versions[3] }),
});

function unrelatedTo(sourceName: string, target: ReadyTarget): Problem {
  return new Problem(
    'git-failed',
    mergeMessages.unrelatedHistories({ sourceName, sourceBranch: sourceName, target: target.branch ?? target.root }),
    { next: mergeMessages.meantGitMerge(), outcome: 'incomplete' },
  );
}
