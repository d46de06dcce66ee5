import { Problem } from '../base/problem.ts';
import type { Listing } from '../worktree/worktreeList.ts';
import type { CreateContext } from './context.ts';
import { quoted } from '../base/quoted.ts';
import { unfitPart } from '../base/windowsNames.ts';
import { whyUnfit } from '../base/windowsNameProblem.ts';
import { branchNameFor, isBranchName, isLatinInAscii, meansCommit } from './branchName.ts';
import type { Tracking } from './createData.ts';
import { clashingBranch, refuseUnfitBranch } from './fitName.ts';
import { findRemoteBranch, isOnRemote, remoteBranchNamed, type RemoteBranch } from './remoteBranch.ts';
import type { CreateRequest } from './request.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

/** The branch that a worktree gets. */
export interface ResolvedBranch {
  readonly name: string;
  /** It has to be created. */
  readonly isNew: boolean;
  /** Where it is, or continues from; `undefined` for one that starts at its base. */
  readonly tip: string | undefined;
  /** The remote branch that a new branch continues. */
  readonly fromRemote: string | undefined;
  /** What a new branch follows. */
  readonly tracking: Tracking | undefined;
  readonly warnings: readonly Message[];
}

/**
 * The branch for a new worktree. A branch that is asked for by name is used when it exists, here or on a remote, and made otherwise. One
 * that only follows from the worktree's name is continued where it exists on a remote only, as `git worktree add` does. Here it must be
 * new: who types a name that happens to be a branch's may not know that branch, and is told how to say that it is meant. A name that git
 * refuses for a branch gets a branch that is derived from it.
 *
 * @param asked the branch that was asked for.
 * @param imply gives the one that follows from a name.
 * @param name the worktree's name.
 * @throws Problem `invalid-name`, `taken` (also when the name is part of another branch's, or the other way round), `in-use`,
 *   `ambiguous` when several remotes have different branches of that name.
 */
export async function resolveBranch(
  context: CreateContext,
  { branch: asked, newBranch }: Pick<CreateRequest, 'branch' | 'newBranch'>,
  imply: (name: string) => string,
  name: string,
): Promise<ResolvedBranch> {
  const branch = asked?.replace(/^refs\/heads\//, '') ?? (await impliedBranch(context, imply, name));
  const isHere = context.branches.local.has(branch);
  const remote = newBranch || isHere ? undefined : await remoteFor(context, branch, asked);
  refuseUnfit(context, remote?.branch ?? branch, { name, from: remote?.full });
  if (isHere) return existing(context, branch, asked, name);
  if (remote && context.branches.local.has(remote.branch)) return instead(context, remote, asked, name);
  const isNew = { isNew: true, name: remote?.branch ?? branch, tip: remote?.commit, fromRemote: remote?.full };
  if (!(await isBranchName(context.workspace, isNew.name, context.signal)))
    throw notBranchName(context, isNew.name, name);
  checkNamespace(context, isNew.name);
  const unused = newBranch ? findRemoteBranch(context, branch) : undefined;
  return {
    ...isNew,
    tracking: remote?.isConfigured ? { remote: remote.remote, ref: `refs/heads/${remote.branch}` } : undefined,
    warnings: [
      ...(unused ? [createMessages.remoteBranchUnused({ branch: unused.full })] : []),
      ...(remote?.also ?? []).map((also) => createMessages.sameOnRemote({ branch: also, used: remote?.full ?? '' })),
      ...unfitForOthers(context, isNew.name),
    ],
  };
}

/**
 * Refuses a branch that Windows cannot hold.
 *
 * @param from the branch of a remote that it would continue.
 */
function refuseUnfit(
  { branches, workspace }: CreateContext,
  branch: string,
  { name, from }: { readonly name: string; readonly from: string | undefined },
): void {
  const there = from ?? (branches.local.has(branch) ? branch : undefined);
  refuseUnfitBranch(branch, workspace.environment.platform, {
    taken: branches.local.keys(),
    next: (better) =>
      there === undefined
        ? createMessages.createWithBranch({ name: quoted(name), better: quoted(better) })
        : createMessages.continueBranchAs({ name: quoted(name), better: quoted(better), branch: quoted(there) }),
  });
}

/** A warning about a new branch that others who use Windows could not fetch. Nobody fetches from a repository without a remote. */
function unfitForOthers({ branches, workspace }: CreateContext, branch: string): Message[] {
  const unfit = workspace.environment.platform === 'win32' ? undefined : unfitPart(branch);
  if (unfit === undefined || branches.remote.oids.size === 0) return [];
  return [createMessages.branchUnfitForOthers({ branch, why: whyUnfit(unfit) })];
}

/** The branch of a remote that is meant: the one that was asked for with the remote's name, else the one that a remote has of the name. */
async function remoteFor(
  context: CreateContext,
  branch: string,
  asked: string | undefined,
): Promise<RemoteBranch | undefined> {
  const withRemote = asked === undefined ? undefined : findRemoteBranch(context, asked);
  return withRemote && withRemote.branch !== asked ? withRemote : remoteBranchNamed(context, branch);
}

/** A branch that is here. @throws Problem `in-use`, and `taken` where it was not asked for. */
export function existing(
  context: CreateContext,
  branch: string,
  asked: string | undefined,
  name: string,
): ResolvedBranch {
  const holder = context.listing.find((listed) => listed.branch === branch);
  if (holder) throw checkedOut(context, branch, holder);
  if (asked === undefined) {
    throw new Problem('taken', createMessages.branchAlready({ branch }), {
      next: createMessages.chooseNameOrUseBranch({ name: quoted(name), branch: quoted(branch) }),
    });
  }
  const tip = context.branches.local.get(branch)?.oid;
  return { name: branch, isNew: false, tip, fromRemote: undefined, tracking: undefined, warnings: [] };
}

/** A remote's branch was asked for, and there is a local one of that name: that is the one to work on. */
function instead(
  context: CreateContext,
  remote: RemoteBranch,
  asked: string | undefined,
  name: string,
): ResolvedBranch {
  const choice = existing(context, remote.branch, asked, name);
  if (choice.tip === remote.commit) return choice;
  return {
    ...choice,
    warnings: [createMessages.localBranchUsed({ branch: remote.branch, remote: remote.full })],
  };
}

function checkedOut({ listing, names }: CreateContext, branch: string, holder: Listing): Problem {
  const name = names[listing.indexOf(holder) - 1]?.name;
  return new Problem('in-use', createMessages.branchCheckedOut({ branch, holderPath: holder.path }), {
    file: holder.path,
    next:
      name === undefined
        ? createMessages.chooseAnotherName()
        : createMessages.chooseAnotherNameWtSwitch({ name: quoted(name) }),
  });
}

/**
 * As the name is typed where git takes it and its Latin letters are in ASCII, or where there is such a branch; else derived from it, and
 * with a number behind it where there is that branch already.
 */
async function impliedBranch(context: CreateContext, imply: (name: string) => string, name: string): Promise<string> {
  const { workspace, branches, signal } = context;
  const plain = imply(name);
  if (meansCommit(name) || branches.local.has(plain)) return plain;
  const isPlain = isLatinInAscii(name) || isOnRemote({ branches }, plain);
  if (isPlain && (await isBranchName(workspace, plain, signal))) return plain;
  const word = branchNameFor(name, workspace.environment.platform);
  const isTaken = (branch: string): boolean =>
    clashOf(context, branch) !== undefined || findRemoteBranch({ branches, workspace }, branch) !== undefined;
  for (let number = 1; ; number++) {
    const branch = imply(number === 1 ? word : `${word}-${number}`);
    // Where the pattern itself is what git refuses, another name changes nothing.
    if (!isTaken(branch) || branch === imply('')) return branch;
  }
}

function notBranchName({ workspace }: CreateContext, branch: string, name: string): Problem {
  const better = branchNameFor(branch, workspace.environment.platform);
  return new Problem('invalid-name', createMessages.cannotNameBranch({ branch: JSON.stringify(branch) }), {
    next:
      better !== branch && !meansCommit(branch)
        ? createMessages.createWithBranch({ name: quoted(name), better })
        : createMessages.chooseAnotherName(),
  });
}

export function clashOf(
  { branches, workspace }: Pick<CreateContext, 'branches' | 'workspace'>,
  branch: string,
): string | undefined {
  return clashingBranch(branches.local.keys(), branch, workspace.environment.platform);
}

function checkNamespace(context: CreateContext, branch: string): void {
  const other = clashOf(context, branch);
  if (other === undefined) return;
  throw new Problem('taken', createMessages.branchCannotMade({ branch, other }), {
    next: createMessages.chooseAnotherNameAnother(),
  });
}
