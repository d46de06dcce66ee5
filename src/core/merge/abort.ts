import { join } from 'node:path';
import { withFileLock } from '../base/fileLock.ts';
import { Problem, stopIfCancelled } from '../base/problem.ts';
import { gitProblem } from '../git/gitError.ts';
import { planMerge, stillChanged } from './planned.ts';
import { quoted } from '../base/quoted.ts';
import { backupPrefix } from '../remove/backup.ts';
import type { Backup } from '../operations/backups.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { isAncestor } from './commits.ts';
import { removeDebris } from './leftovers.ts';
import { endCommittedMerge, endEmptyMerge, isEmptyMerge } from './emptyMerge.ts';
import { clearHalfMerged } from './halfMerged.ts';
import { keepWork } from './keepWork.ts';
import { reviveMerge } from './mergeHead.ts';
import { mergeRecordFile, readMergeRecord, RecordKeeper, type MergeRecord } from './mergeRecord.ts';
import type { Aborted, MergeOptions } from './model.ts';
import { putSubmoduleBack } from './submoduleBack.ts';
import { readTarget, type MergeTarget } from './target.ts';

/**
 * Rolls back a merge that is under way: the files as they were, the submodules that it moved, and files that it made and git left.
 * What a person has done during the merge is kept in a ref. A merge that is committed is not touched.
 *
 * @param name what the person called it; it must be the merge that is under way.
 * @param into the root of the working tree that it is merged into.
 * @throws Problem `not-found` (outcome incomplete) when no such merge is under way; `in-use` for another one.
 */
export async function abortMerge(
  workspace: Workspace,
  name: string,
  into: string,
  options: Pick<MergeOptions, 'progress' | 'signal'> = {},
): Promise<Aborted> {
  const { gitDir } = await readTarget(workspace, into, options.signal);
  return withFileLock(
    workspace.environment,
    mergeRecordFile(gitDir),
    async () => {
      const record = await readMergeRecord(gitDir);
      const found = await endCommittedMerge(workspace, await readTarget(workspace, into, options.signal));
      const target = await reviveMerge(workspace, found, record);
      await requireAbortable(workspace, name, target, record);
      if (record === undefined) throw nothing(name, target);
      stopIfCancelled(options.signal);
      options.progress?.(`Taking back the merge of ${record.name}`);
      const aborted = await takeBack(workspace, target, record);
      await new RecordKeeper(gitDir, record).close();
      return aborted;
    },
    options.signal,
  );
}

async function requireAbortable(
  { git }: Workspace,
  name: string,
  target: MergeTarget,
  record: MergeRecord | undefined,
): Promise<void> {
  const { root, head, mergeHead, operation } = target;
  const refused = (why: string, next: string): Problem =>
    new Problem('in-use', `Nothing was rolled back: ${why}.`, { next, outcome: 'incomplete' });
  if (record === undefined || (mergeHead !== undefined && mergeHead !== record.theirs)) {
    if (operation !== 'merge') throw nothing(name, target);
    throw refused(`the merge under way in ${root} was not begun by \`wt\``, 'use `git merge --abort` there');
  }
  if (![record.name, record.slug, record.branch].includes(name)) {
    throw refused(
      `the merge under way in ${root} is that of ${record.name}`,
      `run \`wt merge ${quoted(record.name)} --abort\``,
    );
  }
  if (mergeHead !== undefined || head === undefined) return;
  if (record.commit === undefined && !(await isAncestor(git, { cwd: root }, record.theirs, head))) return;
  const commit = record.commit ?? head;
  // Taken back after it was committed: only its checks are on record still.
  if (!(await isAncestor(git, { cwd: root }, commit, head))) throw nothing(name, target);
  throw refused(
    `${record.name} is merged and committed as ${commit.slice(0, 12)}`,
    head === commit
      ? `if it was not pushed, \`wt undo\` takes it back; else \`git revert -m 1 ${commit.slice(0, 12)}\` in ${root}`
      : `\`git revert -m 1 ${commit.slice(0, 12)}\` in ${root} undoes it with a new commit`,
  );
}

function nothing(name: string, { root }: MergeTarget): Problem {
  return new Problem('not-found', `No merge of ${name} is under way in ${root}.`, {
    next: 'run `wt merge --abort` in the worktree that it is merged into',
    outcome: 'incomplete',
  });
}

/**
 * Rolls back what a merge has done so far. Its record stays, for whoever looks whether all of it was rolled back.
 *
 * @throws Problem `dirty` when git cannot; `not-writable` when files are not as they were afterwards (both with outcome incomplete).
 */
export async function takeBack(workspace: Workspace, target: MergeTarget, record: MergeRecord): Promise<Aborted> {
  const { git } = workspace;
  const prefix = backupPrefix(workspace.environment.now(), record.slug);
  const backups: Backup[] = [];
  let removed: readonly string[];
  if (target.mergeHead === undefined) removed = await clearHalfMerged(workspace, target, record);
  else {
    backups.push(...(await keepWork(workspace, target, record, `${prefix}/merge`)));
    removed = await abortInGit(workspace, target, record);
  }
  const submodules: string[] = [];
  const notes: string[] = [];
  // The outer ones first: what is checked out in the inner ones does not matter to them.
  for (const path of Object.keys(record.moved).sort((one, other) => one.length - other.length)) {
    const moved = record.moved[path];
    if (!moved) continue;
    const back = await putSubmoduleBack(git, join(target.root, path), path, moved, prefix);
    if (back.moved) submodules.push(path);
    if (back.note !== undefined) notes.push(back.note);
    if (back.backup) backups.push(back.backup);
  }
  if (target.mergeHead !== undefined) await requireAsBefore(workspace, target, record);
  return { name: record.name, submodules, removed, backups, notes };
}

/** Git rolls back what its index knows of. */
async function abortInGit(workspace: Workspace, target: MergeTarget, record: MergeRecord): Promise<readonly string[]> {
  const { git } = workspace;
  const sides = { ours: record.ours, theirs: record.theirs, seen: false };
  if (await isEmptyMerge(workspace, { cwd: target.root }, sides)) return endEmptyMerge(workspace, target, record);
  const at = { cwd: target.root, writes: true };
  // Git overwrites only what its index has seen unchanged, which it has not in a copy of the repository, or where a merge was killed.
  await git.run(['update-index', '-q', '--refresh'], at);
  const args = ['-c', 'submodule.recurse=false', 'merge', '--abort'];
  const answer = await git.run(args, at);
  if (answer.exitCode !== 0) throw stuck(gitProblem(args, answer), target);
  return removeDebris(workspace, target, record);
}

/** After git has taken a merge back, a look: what the merge touches must be as it was before. */
async function requireAsBefore({ git }: Workspace, { root, head }: MergeTarget, record: MergeRecord): Promise<void> {
  const planned = head === undefined ? undefined : await planMerge(git, { cwd: root }, head, record.theirs);
  const left = planned ? await stillChanged(git, root, planned, record.notes) : [];
  if (left.length === 0) return;
  throw new Problem('not-writable', `The merge was rolled back, but files in ${root} are not as they were before.`, {
    next: 'look at them with `git status`; where they can be written again, `git restore -- <file>` puts each back',
    items: left,
    outcome: 'incomplete',
  });
}

/** Git refuses to overwrite what was changed after it was staged. */
function stuck(problem: Problem, { root }: MergeTarget): Problem {
  if (problem.reason !== 'git-failed') return problem;
  return new Problem('dirty', `Git could not take the merge back, so ${root} is as it was.`, {
    next: 'commit or move away the changes that are named below, or stage them with `git add`; then run this again',
    items: problem.items,
    outcome: 'incomplete',
    cause: problem,
  });
}
