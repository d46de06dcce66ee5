import type { Message } from '../messages/message.ts';
import { Problem } from '../base/problem.ts';
import { samePlace } from '../base/paths.ts';
import { locate } from '../repository/identity.ts';
import type { GitOperation } from '../worktree/model.ts';
import { quoted } from '../base/quoted.ts';
import { readAdministration } from '../worktree/adminDir.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { mergeHeadIn } from './commits.ts';
import type { MergeData } from './mergeData.ts';
import type { MergeSource } from './model.ts';
import { mergeMessages } from '../messages/merge.ts';
import { repositoryMessages } from '../messages/repository.ts';

/** The working tree that is merged into, as git's own files tell it. */
export interface MergeTarget {
  readonly root: string;
  readonly gitDir: string;
  /** `undefined` when detached. */
  readonly branch: string | undefined;
  /** `undefined` before the first commit. */
  readonly head: string | undefined;
  readonly operation: GitOperation | undefined;
  /** What is being merged; `undefined` when nothing is. */
  readonly mergeHead: string | undefined;
}

/**
 * Reads the state of the working tree that is merged into.
 *
 * @throws Problem `no-repository` for anything but the root of a working tree of this repository.
 */
export async function readTarget(workspace: Workspace, root: string, signal?: AbortSignal): Promise<MergeTarget> {
  const { git, repository } = workspace;
  const location = await locate(git, root, signal);
  if (location.worktreeRoot === undefined || !(await samePlace(location.repository.commonDir, repository.commonDir))) {
    throw new Problem('no-repository', mergeMessages.noWorkingTree({ root }), {
      next: repositoryMessages.changeToWorktree(),
    });
  }
  const { gitDir } = location;
  const at = { cwd: root, signal };
  const [administration, branch, head, mergeHead] = await Promise.all([
    readAdministration(gitDir),
    git.line(['symbolic-ref', '--quiet', 'HEAD'], at),
    git.line(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], at),
    mergeHeadIn(gitDir),
  ]);
  return {
    root: location.worktreeRoot,
    gitDir,
    branch: branch?.replace(/^refs\/heads\//, ''),
    head,
    operation: administration.operation,
    mergeHead,
  };
}

/** A target that something can be merged into. */
export type ReadyTarget = MergeTarget & { readonly head: string };

/**
 * Refuses a target into which the source cannot be merged at all, each reason with a sentence of its own.
 *
 * @param data what is known of this very merge, if it is under way.
 */
export function requireReady(target: MergeTarget, source: MergeSource, data: MergeData | undefined): ReadyTarget {
  const { root, branch, head, operation, mergeHead } = target;
  const refused = (reason: 'usage' | 'unsupported' | 'in-use', why: Message, next: Message): Problem =>
    new Problem(reason, mergeMessages.notMergedBecause({ sourceName: source.name, why }), {
      next,
      outcome: 'incomplete',
    });
  if (branch === source.branch) {
    throw refused('usage', mergeMessages.veryBranch({ root, branch }), mergeMessages.worktreeMergedInto());
  }
  if (head === undefined)
    throw refused('unsupported', mergeMessages.noCommitYet({ root }), mergeMessages.makeFirstCommit());
  if (operation === 'merge') {
    if (data !== undefined && mergeHead === data.theirs) return { ...target, head };
    throw refused('in-use', mergeMessages.anotherMergeUnderWay({ root }), mergeMessages.finishGitCommit());
  }
  if (operation !== undefined) {
    throw refused('in-use', mergeMessages.underWay({ operation, root }), mergeMessages.finishWithGit());
  }
  if (branch === undefined) {
    throw refused('unsupported', mergeMessages.noBranchHead({ root }), mergeMessages.switchToBranch());
  }
  return { ...target, head };
}

/** The problem of a merge while that of another branch is not done. */
export function otherUnderWay(data: MergeData, source: MergeSource, root: string): Problem {
  return new Problem('in-use', mergeMessages.notMergedMerge({ sourceName: source.name, name: data.name, root }), {
    next: mergeMessages.finishWtMerge({ name: quoted(data.name), root }),
    outcome: 'incomplete',
  });
}
