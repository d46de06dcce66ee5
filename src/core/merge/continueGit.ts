import { join } from 'node:path';
import { isThere } from '../base/isThere.ts';
import { Problem } from '../base/problem.ts';
import { refuseDamagedIndex } from '../git/damagedIndex.ts';
import type { GitAnswer } from '../git/gitError.ts';
import { unmergedEntries } from '../git/indexEntries.ts';
import { holdsNothingOf } from '../git/mergedIndex.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Backup } from '../operations/backups.ts';
import { backupPrefix } from '../remove/backup.ts';
import { keepTree, writeTreeOf } from '../remove/backupTree.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import { readAdministration } from '../worktree/adminDir.ts';
import type { Worktree } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { mergeHeadIn } from './commits.ts';
import type { ContinuedOperation } from './underWay.ts';

/** The working tree in which git has something under way. */
export type At = Pick<Worktree, 'name' | 'slug' | 'path'> & { readonly gitDir: string };

/** What has become of an operation that was continued. */
export interface Continued {
  readonly operation: ContinuedOperation;
  /** It has stopped again: at files in conflict, or without any where git was told to stop. */
  readonly stopped: boolean;
  /** The files in conflict, relative to the root of the working tree. */
  readonly files: readonly string[];
}

/**
 * Continues what was begun with git itself, as git would: a merge is committed with the message that git has prepared. Afterwards git's
 * own files tell whether it is over.
 *
 * @param step `skip` leaves the current commit out; a merge has nothing to skip.
 * @param options.evenIfNothing a merge is committed although nothing of it is staged.
 * @throws Problem (outcome incomplete) `not-found` when nothing is under way; `conflicts` with the files that are not resolved;
 *   `inconsistent` when nothing of the merge, or of the commit, is staged; `git-failed` with git's own words, such as those of a hook.
 */
export async function continueInGit(
  workspace: Workspace,
  at: At,
  step: 'continue' | 'skip',
  options: { readonly evenIfNothing?: boolean } = {},
): Promise<Continued> {
  const { git } = workspace;
  const operation = await requireUnderWay(at);
  if (step === 'continue') {
    await refuseDamagedIndex(git, at.path);
    const files = await conflictsIn(workspace, at);
    if (files.length > 0) {
      throw new Problem('conflicts', mergeMessages.notContinuedConflicts({ name: at.name, count: files.length }), {
        next: mergeMessages.resolveAndStage(),
        items: files,
        outcome: 'incomplete',
      });
    }
    if (operation === 'merge' && !options.evenIfNothing) await requireMerged(workspace, at);
    if (operation !== 'merge' && operation !== 'rebase') await requireStaged(workspace, at, operation);
  }
  const answer = await git.run([operation, `--${step}`], { cwd: at.path, writes: true });
  const now = (await readAdministration(at.gitDir)).operation;
  if (now !== operation) return { operation, stopped: false, files: [] };
  const files = await conflictsIn(workspace, at);
  if (files.length === 0 && answer.exitCode !== 0) throw refused(mergeMessages.gitNotContinued, at, operation, answer);
  return { operation, stopped: true, files };
}

/** What aborting an operation did. */
export interface AbortedInGit {
  readonly operation: ContinuedOperation;
  /** What a person had done to the files. */
  readonly backups: readonly Backup[];
}

/**
 * Aborts what was begun with git itself. The files as they are now are kept in a ref first, so that no resolution of a conflict is lost.
 *
 * @throws Problem (outcome incomplete) `not-found` when nothing is under way; `git-failed` when git could not.
 */
export async function abortInGit(workspace: Workspace, at: At): Promise<AbortedInGit> {
  const operation = await requireUnderWay(at);
  const backups = await backUpFiles(workspace, at, operation);
  const answer = await workspace.git.run([operation, '--abort'], { cwd: at.path, writes: true });
  if ((await readAdministration(at.gitDir)).operation === operation)
    throw refused(mergeMessages.gitNotAborted, at, operation, answer);
  return { operation, backups };
}

async function requireUnderWay({ gitDir, name }: At): Promise<ContinuedOperation> {
  const { operation } = await readAdministration(gitDir);
  if (operation !== undefined && operation !== 'bisect') return operation;
  throw new Problem('not-found', mergeMessages.nothingUnderWay({ name }), { outcome: 'incomplete' });
}

async function conflictsIn({ git }: Workspace, { path }: At): Promise<string[]> {
  return [...(await unmergedEntries(git, path)).keys()];
}

/** A commit without anything of theirs would lose all of it, and theirs would count as merged. */
async function requireMerged(workspace: Workspace, { gitDir, path }: At): Promise<void> {
  const { git } = workspace;
  const [ours, theirs] = await Promise.all([
    git.line(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: path }),
    mergeHeadIn(gitDir),
  ]);
  if (ours === undefined || theirs === undefined) return;
  const apart = sessionPaths(workspace).map((each) => each.path);
  if (!(await holdsNothingOf(git, { cwd: path }, { ours, theirs, apart, seen: true }))) return;
  throw new Problem('inconsistent', mergeMessages.nothingMergeStaged({ root: path }), {
    next: mergeMessages.meantGitCommit({ root: path }),
    outcome: 'incomplete',
  });
}

/** Git refuses to continue with a commit that has become empty; only skipping it leads on. */
async function requireStaged(
  { git }: Workspace,
  { gitDir, path, name }: At,
  operation: ContinuedOperation,
): Promise<void> {
  // Between two commits of a series nothing is staged, and nothing needs to be.
  const head = operation === 'revert' ? 'REVERT_HEAD' : 'CHERRY_PICK_HEAD';
  if (operation !== 'am' && !(await isThere(join(gitDir, head)))) return;
  if (
    (await git.run(['diff', '--cached', '--quiet', '--ignore-submodules=none', 'HEAD'], { cwd: path })).exitCode !== 0
  )
    return;
  throw new Problem('inconsistent', mergeMessages.commitBecameEmpty({ name }), {
    next: mergeMessages.skipInGit({ operation }),
    outcome: 'incomplete',
  });
}

/** Keeps the files as they are, where a person has changed anything since git stopped, or where git does not tell. */
async function backUpFiles(workspace: Workspace, at: At, operation: ContinuedOperation): Promise<Backup[]> {
  const { git, environment } = workspace;
  const { path, gitDir, slug } = at;
  const left = await git.line(['rev-parse', '--quiet', '--verify', 'AUTO_MERGE^{tree}'], { cwd: path });
  const since = left ?? 'HEAD';
  const differs = ['diff', '--quiet', '--no-ext-diff', '--ignore-submodules=all', since, '--'];
  if ((await git.run(differs, { cwd: path })).exitCode === 0) return [];
  const ref = `${backupPrefix(environment.now(), slug)}/during-${operation}`;
  const tree = { path, gitDir };
  const object = await writeTreeOf(git, tree, { uncommitted: [], overlooked: [], stray: [] });
  const head = await git.line(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { cwd: path });
  await keepTree(git, tree, { ref, object, head, message: `Backup of the files during a ${operation}` }, undefined);
  return [{ ref, what: mergeMessages.doneDuring({ operation }), restore: `git restore --source=${ref} -- <file>` }];
}

function refused(
  what: typeof mergeMessages.gitNotContinued | typeof mergeMessages.gitNotAborted,
  { name }: At,
  operation: ContinuedOperation,
  { stdout, stderr }: GitAnswer,
): Problem {
  const words = `${stderr}\n${stdout}`.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  return new Problem('git-failed', what({ name, operation }), {
    next: mergeMessages.correctThenAgain(),
    items: words.slice(0, 20),
    outcome: 'incomplete',
  });
}
