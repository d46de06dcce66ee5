import { isWithin, realPathOf } from '../base/paths.ts';
import { realNeighbours } from '../base/realNeighbours.ts';
import { Problem } from '../base/problem.ts';
import { tipsOf } from '../snapshot/trunk.ts';
import type { Listing } from '../worktree/worktreeList.ts';
import type { CreateContext } from './context.ts';
import type { CreateRequest } from './request.ts';
import { findRemoteBranch } from './remoteBranch.ts';
import type { ResolvedBranch } from './resolveBranch.ts';
import { NearestBases } from '../stack/nearestBase.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

/** A branch to base a worktree on, and the commit of it that is meant. */
interface Base {
  readonly branch: string;
  readonly commit: string;
  readonly warning?: Message;
}

/** What a new worktree is based on, and where its branch starts. */
export interface ResolvedBase {
  readonly branch: string;
  /** The commit after which the worktree's own commits begin. */
  readonly commit: string;
  /** The commit that its branch points at, or will. */
  readonly start: string;
  readonly warnings: readonly Message[];
}

/**
 * The base of a new worktree. A branch that is created starts at its base. One that exists, here or on the remote, is based on what was
 * asked for, else on the branch that its history shows: the one that is checked out here says nothing about it. Its own commits begin at the
 * merge base.
 *
 * @throws Problem `not-found`; `usage` for a session file on a branch that exists.
 */
export async function resolveBase(
  context: CreateContext,
  request: Pick<CreateRequest, 'base' | 'pull' | 'sessionFile'>,
  branch: ResolvedBranch,
): Promise<ResolvedBase> {
  if (branch.tip === undefined) {
    const base = await findBase(context, request.base);
    if (base.branch !== branch.name)
      return {
        branch: base.branch,
        commit: base.commit,
        start: base.commit,
        warnings: await warningsOf(context, base),
      };
    // `wt create x --base origin/x` continues the remote's branch; a branch is not its own base.
    return nearest(context, branch.name, base.commit);
  }
  if (!branch.isNew && request.sessionFile !== undefined) {
    throw new Problem('usage', createMessages.sessionFileCan({ branchName: branch.name }), {
      next: createMessages.leaveOutSession(),
    });
  }
  const { pull } = request;
  const wanted = request.base ?? pull?.base;
  // What a pull request was to be merged into may be gone, as its branch may be.
  const isGone = request.base === undefined && wanted !== undefined && !isThere(context, wanted);
  if (isGone) {
    const found = await nearest(context, branch.name, branch.tip);
    const gone = createMessages.baseOfPullGone({ base: wanted, number: pull?.number ?? 0, found: found.branch });
    return { ...found, warnings: [...found.warnings, gone] };
  }
  const asked = wanted === undefined ? undefined : await findBase(context, wanted);
  return asked && asked.branch !== branch.name
    ? basedOn(context, asked, branch.name, branch.tip)
    : nearest(context, branch.name, branch.tip);
}

const isThere = (context: CreateContext, branch: string): boolean =>
  context.branches.local.has(branch) || findRemoteBranch(context, branch) !== undefined;

/** The base that the history of a branch shows; the trunk where it shows none. */
async function nearest(context: CreateContext, branch: string, tip: string): Promise<ResolvedBase> {
  const { workspace, branches, trunk, listing, recordedBases: recorded, signal } = context;
  if (branch === trunk) return { branch, commit: tip, start: tip, warnings: [] };
  const checkedOut = listing.flatMap((listed) => listed.branch ?? []);
  const bases = await NearestBases.read(workspace, { branches, trunk, checkedOut, recorded }, [tip], signal);
  const found = bases.find({ branch, tip });
  if (!found) return basedOn(context, trunkBase(context), branch, tip);
  const [base, ...others] = found.branches;
  const unsure = createMessages.baseUnsure({ branch, base, others: others.join(', ') });
  return { branch: base, commit: found.commit, start: tip, warnings: others.length === 0 ? [] : [unsure] };
}

async function basedOn(context: CreateContext, base: Base, branch: string, tip: string): Promise<ResolvedBase> {
  const { git, repository, configuration } = context.workspace;
  // What is fetched of the base may be ahead of what is here, and the branch may be based on that.
  const { remote } = tipsOf(context.branches, base.branch, configuration.stack.remote);
  const args = ['merge-base', tip, base.commit, ...(remote === undefined ? [] : [remote])];
  const fork = await git.in(repository.commonDir).line(args, { signal: context.signal });
  const warnings = fork === undefined ? [createMessages.noCommonCommit({ branch, base: base.branch })] : [];
  return { branch: base.branch, commit: fork ?? base.commit, start: tip, warnings };
}

async function warningsOf(context: CreateContext, base: Base): Promise<Message[]> {
  const { git, repository, configuration } = context.workspace;
  const found = base.warning === undefined ? [] : [base.warning];
  const { local, remote } = tipsOf(context.branches, base.branch, configuration.stack.remote);
  if (base.branch !== context.trunk || base.commit !== local || remote === undefined || remote === local) return found;
  const args = ['rev-list', '--count', `${local}..${remote}`];
  const count = await git.in(repository.commonDir).line(args, { signal: context.signal });
  if (count === undefined || count === '0') return found;
  const label = `${configuration.stack.remote}/${base.branch}`;
  return [...found, createMessages.behind({ branch: base.branch, count: Number(count), remote: label })];
}

/**
 * A branch, a worktree's name, a remote branch or a commit as a base; when nothing is asked for, the branch that is checked out in the
 * current folder, else the trunk. What is recorded is always a branch: for a remote branch the one of that name, for a commit one that
 * contains it.
 *
 * @throws Problem `not-found`.
 */
async function findBase(context: CreateContext, asked: string | undefined): Promise<Base> {
  if (asked === undefined || asked === 'HEAD' || asked === '.') return baseHere(context);
  const local = context.branches.local.get(asked.replace(/^refs\/heads\//, ''));
  if (local) return { branch: local.name, commit: local.oid };
  const worktree = worktreeNamed(context, asked);
  if (worktree) return baseAt(context, worktree);
  const remote = findRemoteBranch(context, asked);
  if (remote) return { branch: remote.branch, commit: remote.commit };
  const commit = await commitNamed(context, asked);
  if (commit !== undefined) return holderOf(context, commit, asked);
  throw new Problem('not-found', createMessages.noBranchWorktree({ asked: JSON.stringify(asked) }), {
    next: createMessages.nameBaseBase(),
  });
}

/** The trunk as a base. */
function trunkBase({ branches, trunk, workspace }: CreateContext): Base {
  const tips = trunk === undefined ? undefined : tipsOf(branches, trunk, workspace.configuration.stack.remote);
  const commit = tips?.local ?? tips?.remote;
  if (trunk !== undefined && commit !== undefined) return { branch: trunk, commit };
  throw new Problem(
    'not-found',
    trunk === undefined ? createMessages.noTrunkStart() : createMessages.trunkMissing({ trunk }),
    {
      next: createMessages.nameBaseBaseSet(),
    },
  );
}

async function baseHere(context: CreateContext): Promise<Base> {
  const here = await listingAt(context);
  return here && !here.bare && here.head !== undefined ? baseAt(context, here) : trunkBase(context);
}

/** The innermost working tree that holds the current folder. */
async function listingAt({ listing, workspace }: CreateContext): Promise<Listing | undefined> {
  const cwd = await realPathOf(workspace.environment.cwd);
  const roots = await realNeighbours(listing.map(({ path }) => path));
  let best: { listed: Listing; root: string } | undefined;
  for (const [index, listed] of listing.entries()) {
    const root = roots[index] ?? '';
    if (isWithin(root, cwd) && (!best || root.length > best.root.length)) best = { listed, root };
  }
  return best?.listed;
}

function worktreeNamed({ listing, names }: CreateContext, word: string): Listing | undefined {
  if (word === '@') return listing[0];
  const linked = listing.slice(1);
  const byName = names.findIndex(({ name }) => name === word);
  return linked[byName >= 0 ? byName : names.findIndex(({ slug }) => slug === word)];
}

async function baseAt(context: CreateContext, { branch, head, path }: Listing): Promise<Base> {
  const tip = branch === undefined ? undefined : context.branches.local.get(branch);
  if (tip) return { branch: tip.name, commit: tip.oid };
  if (head !== undefined) return holderOf(context, head, createMessages.commitCheckedOut({ path }));
  throw new Problem('not-found', createMessages.nothingCommittedYet({ path }), {
    next: createMessages.commitSomethingName(),
  });
}

async function commitNamed({ workspace, signal }: CreateContext, word: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${word}^{commit}`];
  return workspace.git.line(args, { cwd: workspace.repository.mainRoot, signal });
}

/** The branch that is recorded for a commit: the one that is checked out here, the trunk, or any other that contains it. */
async function holderOf(context: CreateContext, commit: string, asked: string | Message): Promise<Base> {
  const { workspace, signal, trunk } = context;
  const { commonDir } = workspace.repository;
  const args = ['for-each-ref', `--contains=${commit}`, '--format=%(refname)', 'refs/heads'];
  const output = await workspace.git.in(commonDir).text(args, { signal });
  const holders = output
    .split('\n')
    .filter((ref) => ref !== '')
    .map((ref) => ref.replace(/^refs\/heads\//, ''));
  const here = (await listingAt(context))?.branch;
  const branch = [here, trunk].find((each) => each !== undefined && holders.includes(each)) ?? holders[0];
  if (branch !== undefined) return { branch, commit };
  const { branch: fallback } = trunkBase(context);
  return { branch: fallback, commit, warning: createMessages.noBranchHolds({ commit: asked, branch: fallback }) };
}
