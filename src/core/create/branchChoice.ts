import { Problem } from '../base/problem.ts';
import type { Listing } from '../worktree/worktreeList.ts';
import { quoted } from '../base/quoted.ts';
import { remoteBranch, type Surroundings } from './startPoint.ts';

/** The branch that a worktree gets. */
export interface BranchChoice {
  readonly branch: string;
  /** It has to be made. */
  readonly isNew: boolean;
  /** Where it is, or continues from; `undefined` for one that starts at its base. */
  readonly tip: string | undefined;
  /** The remote branch that a new branch continues. */
  readonly fromRemote: string | undefined;
  readonly warnings: readonly string[];
}

/**
 * The branch for a new worktree. A branch that is asked for by name is used when it exists, here or on the remote, and made otherwise.
 * One that only follows from the worktree's name must be new: who types a name that happens to be a branch's may not know
 * that branch, and is told how to say that it is meant.
 *
 * @param asked the branch that was asked for.
 * @param implied the one that follows from the name.
 * @throws Problem `invalid-name`, `taken` (also when the name is part of another branch's, or the other way round), `in-use`.
 */
export async function chooseBranch(
  around: Surroundings,
  asked: string | undefined,
  implied: string,
  name: string,
): Promise<BranchChoice> {
  const branch = asked?.replace(/^refs\/heads\//, '') ?? implied;
  if (around.branches.local.has(branch)) return existing(around, branch, asked, name);
  const remote = asked === undefined ? undefined : remoteBranch(around, asked);
  if (remote && around.branches.local.has(remote.branch)) return instead(around, remote, asked, name);
  const isNew = { isNew: true, branch: remote?.branch ?? branch, tip: remote?.commit, fromRemote: remote?.full };
  await checkFormat(around, isNew.branch, name);
  checkNamespace(around, isNew.branch);
  const unseen = asked === undefined ? remoteBranch(around, branch) : undefined;
  const warnings = unseen
    ? [
        `There is a branch ${unseen.full}; the new branch does not start there. To continue it, use \`--branch ${unseen.full}\`.`,
      ]
    : [];
  return { ...isNew, warnings };
}

function existing(around: Surroundings, branch: string, asked: string | undefined, name: string): BranchChoice {
  const holder = around.listing.find((listed) => listed.branch === branch);
  if (holder) throw checkedOut(around, branch, holder);
  if (asked === undefined) {
    throw new Problem('taken', `There is a branch ${branch} already.`, {
      next: `choose another name, or run \`wt create ${quoted(name)} --branch ${quoted(branch)}\` to use that branch`,
    });
  }
  const tip = around.branches.local.get(branch)?.oid;
  return { branch, isNew: false, tip, fromRemote: undefined, warnings: [] };
}

/** A remote's branch was asked for, and there is a local one of that name: that is the one to work on. */
function instead(
  around: Surroundings,
  remote: { readonly branch: string; readonly full: string; readonly commit: string },
  asked: string | undefined,
  name: string,
): BranchChoice {
  const choice = existing(around, remote.branch, asked, name);
  if (choice.tip === remote.commit) return choice;
  return { ...choice, warnings: [`The local branch ${remote.branch} is used; it is not where ${remote.full} is.`] };
}

function checkedOut({ listing, names }: Surroundings, branch: string, holder: Listing): Problem {
  const name = names[listing.indexOf(holder) - 1]?.name;
  return new Problem('in-use', `The branch ${branch} is checked out already, in ${holder.path}.`, {
    file: holder.path,
    next:
      name === undefined
        ? 'choose another name'
        : `choose another name, or run \`wt switch ${quoted(name)}\` to go on there`,
  });
}

/** Words of letters and digits, joined by single dashes and slashes: nothing in git's rules for names speaks against those. */
const plainName = /^(?!HEAD$)[A-Za-z0-9_]+([-/][A-Za-z0-9_]+)*$/;

async function checkFormat({ workspace, signal }: Surroundings, branch: string, name: string): Promise<void> {
  if (plainName.test(branch)) return;
  const answer = await workspace.git.line(['check-ref-format', '--branch', branch], {
    cwd: workspace.repository.mainRoot,
    signal,
  });
  // Git expands `@{-1}` and the like; a name that means another name is none.
  if (answer === branch && branch !== '@') return;
  const better = branch
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}/_-]+/gu, '-')
    .replace(/\/+/g, '/')
    .replace(/^[-/]+|[-/]+$/g, '');
  throw new Problem('invalid-name', `${JSON.stringify(branch)} cannot be the name of a branch.`, {
    next: better && better !== branch ? `run \`wt create ${quoted(name)} --branch ${better}\`` : 'choose another name',
  });
}

/** A branch is a file among folders: `billing` and `billing/x` cannot both be, and some disks take `Billing` for `billing`. */
function checkNamespace({ branches, workspace }: Surroundings, branch: string): void {
  const { platform } = workspace.environment;
  const folds = platform === 'darwin' || platform === 'win32';
  const fold = (name: string): string => (folds ? name.toLowerCase() : name);
  const wanted = fold(branch);
  for (const other of branches.local.keys()) {
    const there = fold(other);
    if (there === wanted || there.startsWith(`${wanted}/`) || wanted.startsWith(`${there}/`)) {
      throw new Problem('taken', `A branch ${branch} cannot be made while there is a branch ${other}.`, {
        next: `choose another name, or another branch with \`--branch\``,
      });
    }
  }
}
