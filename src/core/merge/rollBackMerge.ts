import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { refuseDamagedIndex } from '../git/damagedIndex.ts';
import { gitProblem } from '../git/gitError.ts';
import { backupPrefix } from '../remove/backup.ts';
import type { Backup } from '../operations/backups.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { backUpWork } from './backUpWork.ts';
import { endEmptyMerge, isEmptyMerge } from './emptyMerge.ts';
import { rollBackHalfMerged } from './halfMerged.ts';
import { removeLeftovers } from './leftovers.ts';
import type { MergeData } from './mergeData.ts';
import type { Aborted } from './model.ts';
import { restoreConflicts } from './resolveByChecks.ts';
import { planMerge, stillChanged } from './planned.ts';
import { rollBackSubmodule } from './rollBackSubmodule.ts';
import type { MergeTarget } from './target.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Message } from '../messages/message.ts';

/**
 * Rolls back what a merge has done so far. It stays pending, for who has to check whether all of it was rolled back.
 *
 * @throws Problem `dirty` when git cannot; `not-writable` when files are not as they were afterwards (both with outcome incomplete).
 */
export async function rollBackMerge(workspace: Workspace, target: MergeTarget, data: MergeData): Promise<Aborted> {
  const { git } = workspace;
  const prefix = backupPrefix(workspace.environment.now(), data.slug);
  const backups: Backup[] = [];
  let removed: readonly string[];
  if (target.mergeHead === undefined) removed = await rollBackHalfMerged(workspace, target, data);
  else {
    await refuseDamagedIndex(git, target.root);
    backups.push(...(await backUpWork(workspace, target, data, `${prefix}/merge`)));
    removed = await abortInGit(workspace, target, data, prefix);
  }
  const submodules: string[] = [];
  const notes: Message[] = [];
  // The outer ones first: what is checked out in the inner ones does not matter to them.
  for (const path of Object.keys(data.moved).sort((one, other) => one.length - other.length)) {
    const moved = data.moved[path];
    if (!moved) continue;
    const back = await rollBackSubmodule(git, join(target.root, path), path, moved, prefix);
    if (back.moved) submodules.push(path);
    if (back.note !== undefined) notes.push(back.note);
    if (back.backup) backups.push(back.backup);
  }
  if (target.mergeHead !== undefined) await requireAsBefore(workspace, target, data);
  return { name: data.name, submodules, removed, backups, notes };
}

/** Git rolls back what its index knows of. */
async function abortInGit(
  workspace: Workspace,
  target: MergeTarget,
  data: MergeData,
  prefix: string,
): Promise<readonly string[]> {
  const { git } = workspace;
  const sides = { ours: data.ours, theirs: data.theirs, seen: false };
  if (await isEmptyMerge(workspace, { cwd: target.root }, sides)) return endEmptyMerge(workspace, target, data);
  if (!data.staged) await writeStagedSessions(workspace, target.root, data, `${prefix}/session`);
  if (data.attempt?.state === 'trying') await restoreConflicts(git, target.root, data.attempt.files);
  const at = { cwd: target.root, writes: true };
  // Git takes a file for changed whose time is another one than the index has, although it holds the same.
  await git.run(['update-index', '-q', '--refresh'], at);
  const args = ['-c', 'submodule.recurse=false', 'merge', '--abort'];
  const answer = await git.run(args, at);
  if (answer.exitCode !== 0) throw stuck(gitProblem(args, answer), target);
  return removeLeftovers(workspace, target, data);
}

/** A process may have died between writing a session file and staging it: git refuses to reset such a file. */
async function writeStagedSessions(
  { git, ...workspace }: Workspace,
  root: string,
  { notes }: MergeData,
  refs: string,
): Promise<void> {
  const at = { cwd: root };
  const oid = (name: string): Promise<string | undefined> => git.line(['rev-parse', '--quiet', '--verify', name], at);
  for (const { kind, path } of sessionPaths(workspace).filter((each) => !notes.includes(each.path))) {
    const staged = await oid(`:0:${path}`);
    const here = await git.line(['hash-object', '-w', '--', path], { ...at, writes: true });
    if (staged === undefined || here === staged) continue;
    // It can be a person's, who has edited it since.
    if (here !== undefined && here !== (await oid(`AUTO_MERGE:${path}`)))
      await git.text(['update-ref', `${refs}/${kind}`, here], { ...at, writes: true });
    await git.text(['checkout-index', '--force', '--', path], { ...at, writes: true });
  }
}

/** Checks that what the merge touches is as it was before, after git has rolled it back. */
async function requireAsBefore({ git }: Workspace, { root, head }: MergeTarget, data: MergeData): Promise<void> {
  const planned = head === undefined ? undefined : await planMerge(git, { cwd: root }, head, data.theirs);
  const left = planned ? await stillChanged(git, root, planned, data.notes) : [];
  if (left.length === 0) return;
  throw new Problem('not-writable', mergeMessages.mergeRolledBack({ root }), {
    next: mergeMessages.lookThemGit(),
    items: left,
    outcome: 'incomplete',
  });
}

/** Git refuses to overwrite what was changed after it was staged. */
function stuck(problem: Problem, { root }: MergeTarget): Problem {
  if (problem.reason !== 'git-failed') return problem;
  return new Problem('dirty', mergeMessages.notTakenBack({ root }), {
    next: mergeMessages.commitMoveAway({ root }),
    items: problem.items,
    outcome: 'incomplete',
    cause: problem,
  });
}
