import { stat } from 'node:fs/promises';
import { Problem } from '../base/problem.ts';
import { samePlace } from '../base/paths.ts';
import { findNotIgnored, rulesFor } from '../repository/ignoreRules.ts';
import { requirePlaces } from '../repository/places.ts';
import { readRegistry, type Registry } from '../repository/registry.ts';
import { chooseBranch, type BranchChoice } from './branchChoice.ts';
import { createsUnderWay, type CreateUnderWay } from './createJournal.ts';
import { chooseSlug, hasName, nameForTask, wantedName } from './createName.ts';
import { fillPattern } from '../repository/fillPattern.ts';
import { readListing, type Listing } from '../worktree/worktreeList.ts';
import { placeFor, takenPlace } from '../worktree/location.ts';
import { nameListings } from '../worktree/worktreeNames.ts';
import { planSetup, type SetupPlan } from './setup.ts';
import { chooseBase, trunkBase, type BaseChoice, type Surroundings } from './startPoint.ts';
import { findTrunk, readAllBranches, tipsOf } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** What a person asks for when a worktree is to be made. */
export interface CreateRequest {
  /**
   * What the worktree is called; may be left out when there is a work id and the location pattern uses it, or a task of the session
   * file.
   */
  readonly name?: string | undefined;
  /** A branch, a worktree's name, a remote branch or a commit to start from; by default the branch that is checked out here. */
  readonly base?: string | undefined;
  /** The branch to use: a new one, an existing one, or one of the remote's (`x` or `origin/x`). */
  readonly branch?: string | undefined;
  /** What is to be done in it: a task of the session file, by its name, or any text. */
  readonly task?: string | undefined;
  /** The absolute path of a session file to commit on the new branch. */
  readonly sessionFile?: string | undefined;
  readonly workId?: string | undefined;
  /** The run of the caller's workflow that it is made for. */
  readonly workflowRunId?: string | undefined;
  /** `never` leaves the setup commands alone. Default `approved`: they run when the user has approved them. */
  readonly runSetup?: 'approved' | 'never' | undefined;
  /** The program that asks: `wt`, `vscode`, or whoever calls `wt`. */
  readonly createdBy: string;
}

/** What would be made; nothing has been touched. */
export interface CreatePlan {
  readonly name: string;
  readonly slug: string;
  /** Absolute, in the person's spelling of the main root. */
  readonly path: string;
  /** Relative to the main root, with forward slashes. */
  readonly relativePath: string;
  readonly branch: string;
  /** The branch does not exist yet. */
  readonly newBranch: boolean;
  /** The remote branch that a new branch continues, such as `origin/x`; `undefined` for one that starts at its base. */
  readonly fromRemote: string | undefined;
  /** The branch that it stands on. */
  readonly base: string;
  /** The commit of the base after which the branch's own commits begin. */
  readonly baseCommit: string;
  /** The commit that the branch points at, or will. */
  readonly startCommit: string;
  readonly composeProject: string | undefined;
  readonly setup: SetupPlan;
  /** Sentences about what a person may not expect. */
  readonly warnings: readonly string[];
}

/**
 * What creating a worktree would do. Reads only, and little: it is called as a person types.
 *
 * @throws Problem for everything that is wrong with the request: `invalid-name`, `taken`, `in-use`, `not-found`, `usage`,
 *   `outside-repository`, `unreadable-file`.
 */
export async function planCreate(
  workspace: Workspace,
  request: CreateRequest,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<CreatePlan> {
  const { configuration, repository } = workspace;
  const given =
    request.task === undefined || hasName(request, configuration) ? wantedName(request, configuration) : undefined;
  const [{ around, underWay }, setup] = await Promise.all([
    lookAround(workspace, options.signal),
    planSetup(workspace),
    checkSessionFile(request.sessionFile),
  ]);
  // One that is being made is not in the registry yet, and its folder is called like its slug: only its journal knows its name.
  const isUnderWay = (index: number): boolean => underWay.some(({ path }) => path === around.listing[index + 1]?.path);
  const others = [...around.names.filter((_, index) => !isUnderWay(index)), ...underWay];
  const name = given ?? nameForTask(request.task ?? '', others);
  const slug = chooseSlug(name, others, (other) => taken(around, underWay, other.name));
  const values = { name, slug, project: repository.name, work_id: request.workId };
  const implied = fillPattern(configuration.worktree.branchPattern, values, 'worktree.branch_pattern');
  const choice = await chooseBranch(around, request.branch, implied, name);
  const [place, start] = await Promise.all([
    placeFor(workspace, { ...values, branch: choice.branch }, around.listing),
    chooseStart(around, request, choice),
  ]);
  await checkUnderWay(underWay, place.path, choice.branch);
  const { compose } = configuration;
  return {
    name,
    slug,
    ...place,
    branch: choice.branch,
    newBranch: choice.isNew,
    fromRemote: choice.fromRemote,
    ...start,
    composeProject: compose && fillPattern(compose.projectPattern, values, 'compose.project_pattern'),
    setup,
    warnings: [...choice.warnings, ...start.warnings, ...(setup.trouble === undefined ? [] : [setup.trouble])],
  };
}

/** The plan, and whether git ignores already all that the product will write: as it does from a repository's second worktree on. */
export async function planAndLook(
  workspace: Workspace,
  request: CreateRequest,
  signal: AbortSignal | undefined,
): Promise<[plan: CreatePlan, areIgnored: boolean]> {
  const { git, repository, configuration } = workspace;
  const rules = rulesFor(configuration);
  const named = request.name ?? request.task ?? 'The worktree';
  await requirePlaces(git, repository, `${named} cannot be created`, signal);
  const looking = findNotIgnored(git, repository, rules, signal).catch(() => undefined);
  try {
    const plan = await planCreate(workspace, request, { signal });
    const notIgnored = await looking;
    // Where each worktree has a rule of its own, that one has not been looked at.
    return [plan, notIgnored?.length === 0 && rulesFor(configuration, plan.relativePath).length === rules.length];
  } finally {
    await looking;
  }
}

/** Everything that a plan depends on, read side by side as far as it may be. */
async function lookAround(
  workspace: Workspace,
  signal: AbortSignal | undefined,
): Promise<{ around: Surroundings; underWay: readonly CreateUnderWay[] }> {
  const { repository } = workspace;
  const [{ listing, underWay, registry }, branches] = await Promise.all([
    readWorktrees(workspace, signal),
    readAllBranches(workspace, signal),
  ]);
  if (branches.local.size === 0 && branches.remote.oids.size === 0 && listing.every(({ head }) => head === undefined)) {
    throw new Problem(
      'not-found',
      'Nothing is committed in this repository yet, so a worktree has nothing to start from.',
      {
        next: 'make a first commit, such as `git commit --allow-empty -m Start`',
      },
    );
  }
  const [trunk, names] = await Promise.all([
    findTrunk(workspace, branches, listing[0]?.branch, signal),
    nameListings(repository, listing, registry),
  ]);
  return { around: { workspace, listing, names, branches, trunk, signal }, underWay };
}

/**
 * The worktrees, those that are being made, and the registry, in this order: a creation lists its worktree first, then enters it into the
 * registry, and closes its journal last, so whatever is listed has a name in one of the two.
 */
async function readWorktrees(
  workspace: Workspace,
  signal: AbortSignal | undefined,
): Promise<{ listing: Listing[]; underWay: readonly CreateUnderWay[]; registry: Registry }> {
  const listing = await readListing(workspace, signal ?? new AbortController().signal);
  const underWay = await createsUnderWay(workspace);
  return { listing, underWay, registry: await readRegistry(workspace.repository) };
}

interface Start {
  readonly base: string;
  readonly baseCommit: string;
  readonly startCommit: string;
  readonly warnings: readonly string[];
}

/**
 * A branch that is made starts at its base. One that exists, here or on the remote, stands on what was asked for, else on the
 * trunk, since the history chosen here says nothing about it; its own commits begin where the two part.
 */
async function chooseStart(around: Surroundings, request: CreateRequest, choice: BranchChoice): Promise<Start> {
  const { tip, branch } = choice;
  if (tip === undefined) {
    const base = await chooseBase(around, request.base);
    if (base.branch !== branch) return { ...startAt(base), warnings: await warnings(around, base) };
    // `wt create x --base origin/x`: the remote's branch is to be continued, it does not stand on itself.
    return standingOn(around, trunkBase(around), branch, base.commit);
  }
  if (!choice.isNew && request.sessionFile !== undefined) {
    throw new Problem('usage', `A session file can only be committed on a new branch, and ${branch} exists.`, {
      next: 'leave out `--session`, or `--branch`',
    });
  }
  const asked = request.base === undefined ? trunkBase(around) : await chooseBase(around, request.base);
  return standingOn(around, asked.branch === branch ? trunkBase(around) : asked, branch, tip);
}

function startAt({ branch, commit }: BaseChoice): Omit<Start, 'warnings'> {
  return { base: branch, baseCommit: commit, startCommit: commit };
}

async function standingOn(around: Surroundings, base: BaseChoice, branch: string, tip: string): Promise<Start> {
  const { git, repository } = around.workspace;
  if (base.branch === branch) return { base: branch, baseCommit: tip, startCommit: tip, warnings: [] };
  const fork = await git.in(repository.commonDir).line(['merge-base', base.commit, tip], { signal: around.signal });
  const unrelated = fork === undefined ? [`${branch} and ${base.branch} have no commit in common.`] : [];
  return { base: base.branch, baseCommit: fork ?? base.commit, startCommit: tip, warnings: unrelated };
}

async function warnings(around: Surroundings, base: BaseChoice): Promise<string[]> {
  const { git, repository, configuration } = around.workspace;
  const found = base.warning === undefined ? [] : [base.warning];
  const { local, remote } = tipsOf(around.branches, base.branch, configuration.stack.remote);
  if (base.branch !== around.trunk || base.commit !== local || remote === undefined || remote === local) return found;
  const args = ['rev-list', '--count', `${local}..${remote}`];
  const count = await git.in(repository.commonDir).line(args, { signal: around.signal });
  if (count === undefined || count === '0') return found;
  const behind = `${base.branch} is ${count} ${count === '1' ? 'commit' : 'commits'} behind ${configuration.stack.remote}/${base.branch}.`;
  return [...found, behind];
}

function taken({ listing, names }: Surroundings, underWay: readonly CreateUnderWay[], name: string): Problem {
  const other = underWay.find((each) => each.name === name);
  const holder = listing[names.findIndex((each) => each.name === name) + 1];
  return other || !holder ? beingMade(name, other?.interrupted ?? false) : takenPlace(holder, name);
}

function beingMade(name: string, interrupted: boolean): Problem {
  const word = JSON.stringify(name);
  if (!interrupted) {
    return new Problem('taken', `The worktree ${word} is being made right now.`, {
      next: 'choose another name, or try again when that has ended',
    });
  }
  return new Problem('taken', `Making the worktree ${word} was interrupted, and that is not mended yet.`, {
    next: 'run `wt list`, which mends it or says why not',
  });
}

async function checkUnderWay(underWay: readonly CreateUnderWay[], path: string, branch: string): Promise<void> {
  for (const other of underWay) {
    if (other.branch === branch || (await samePlace(other.path, path))) throw beingMade(other.name, other.interrupted);
  }
}

async function checkSessionFile(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return;
  throw new Problem('not-found', `The session file ${file} ${found ? 'is not a file' : 'does not exist'}.`, {
    file,
    next: 'correct the path that follows `--session`',
  });
}
