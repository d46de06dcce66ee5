import { lstat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import { backupPrefix } from '../remove/backup.ts';
import { keepTree } from '../remove/backupTree.ts';
import { withIndexCopy } from '../worktree/indexCopy.ts';
import { mayCheck, planChecks, runChecks, endOf } from './checks.ts';
import { answerBothWays } from './hunks.ts';
import { checkOutEntries, stageEntries, type IndexEntry } from '../git/indexEntries.ts';
import type { ChecksAttempt, FileInConflict } from './mergeData.ts';
import { note, step, writing, type Merging } from './merging.ts';
import { isMessage, type Message, textOf } from '../messages/message.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Backup } from '../operations/backups.ts';

type Side = 'ours' | 'theirs';

/**
 * Lets the checks resolve conflicts (`source_conflicts: checks`): conflicting hunks take ours while the rest of each file keeps both
 * sides, and where the checks then fail, theirs. What is dropped is kept in a ref and named in the message. Where neither passes
 * the conflicts are as they were.
 *
 * @returns why the conflicts are still there; `undefined` when they are resolved.
 */
export async function resolveByChecks(
  merging: Merging,
  conflicts: ReadonlyMap<string, readonly IndexEntry[]>,
): Promise<Message | undefined> {
  const { workspace, target, pending, options } = merging;
  if (pending.data.attempt?.state === 'failed') return mergeMessages.neitherSide();
  const plan = await planChecks(workspace, target.root);
  if (!plan) return mergeMessages.noChecks();
  step(merging, mergeMessages.stepConflicts());
  const prepared = await prepare(merging, conflicts);
  if (isMessage(prepared)) return prepared;
  if (!(await mayCheck(workspace, plan, options))) return mergeMessages.checksNotApproved({ command: plan.command });
  const { files, dropped } = prepared;
  await note(merging, { attempt: { state: 'trying', files } });
  try {
    for (const side of ['ours', 'theirs'] as const) {
      step(merging, mergeMessages.stepTrying({ side }));
      await take(merging, files, side);
      const answer = await runChecks(workspace, target.root, plan, options);
      if (answer.exitCode === 0) {
        await keepResolved(merging, files, side, dropped[side]);
        return undefined;
      }
      workspace.environment.log.info(`With ${side} the checks ${textOf(endOf(answer))}.`);
    }
  } catch (thrown) {
    await restoreConflicts(workspace.git, target.root, files);
    await note(merging, { attempt: undefined });
    throw thrown;
  }
  await restoreConflicts(workspace.git, target.root, files);
  await note(merging, { attempt: { state: 'failed', files } });
  return mergeMessages.neitherSide();
}

/** Restores the conflicts that a killed process had begun to resolve. */
export async function endAttempt(merging: Merging): Promise<void> {
  const { attempt } = merging.pending.data;
  if (attempt?.state !== 'trying') return;
  await restoreConflicts(merging.workspace.git, merging.target.root, attempt.files);
  await note(merging, { attempt: undefined });
}

interface Prepared {
  readonly files: readonly FileInConflict[];
  readonly dropped: Readonly<Record<Side, readonly string[]>>;
}

/** Both answers for each file, or why there is none. Only git's object store changes. */
async function prepare(
  { workspace, target }: Merging,
  conflicts: ReadonlyMap<string, readonly IndexEntry[]>,
): Promise<Prepared | Message> {
  const { git, configuration } = workspace;
  const own = new Set(Object.values(configuration.session));
  const files: FileInConflict[] = [];
  const dropped = { ours: [] as string[], theirs: [] as string[] };
  for (const [path, stages] of conflicts) {
    const isFile = (await lstat(join(target.root, path)).catch(() => undefined))?.isFile() ?? false;
    const answers = own.has(path) || !isFile ? undefined : await answerBothWays(git, target.root, path, stages);
    if (!answers) return mergeMessages.noTextConflict({ path });
    const args = ['hash-object', '-w', '--no-filters', '--', path];
    const conflicted = (await git.text(args, { cwd: target.root, writes: true })).trim();
    files.push({ path, stages, conflicted, sides: answers.sides });
    dropped.ours.push(...answers.dropped.ours);
    dropped.theirs.push(...answers.dropped.theirs);
  }
  return { files, dropped };
}

/** The index entries that one side's answers make. */
function entriesOf(files: readonly FileInConflict[], side: Side): IndexEntry[] {
  return files.map(({ path, stages, sides }) => {
    const mode = stages.find(({ stage }) => stage === 2)?.mode ?? '100644';
    return { path, mode, oid: sides[side], stage: 0 };
  });
}

async function take(merging: Merging, files: readonly FileInConflict[], side: Side): Promise<void> {
  const { git } = merging.workspace;
  await stageEntries(git, merging.target.root, entriesOf(files, side));
  const paths = files.map(({ path }) => path);
  await checkOutEntries(git, merging.target.root, paths);
}

async function keepResolved(
  merging: Merging,
  files: readonly FileInConflict[],
  side: Side,
  dropped: readonly string[],
): Promise<void> {
  const { workspace, target, source } = merging;
  const { git, environment } = workspace;
  const tree = (await git.text(['write-tree'], writing(merging))).trim();
  const ref = `${backupPrefix(environment.now(), source.slug)}/dropped`;
  const bare = { path: target.root, gitDir: target.gitDir };
  const other = await withIndexCopy(bare, async (variables) => {
    await stageEntries(git, target.root, entriesOf(files, side === 'ours' ? 'theirs' : 'ours'), variables);
    return (await git.text(['write-tree'], { ...writing(merging), variables })).trim();
  });
  const message = `The other side of the conflicts in merging ${source.branch}`;
  await keepTree(git, bare, { ref, object: other, head: target.head, message }, undefined);
  await note(merging, { attempt: { state: 'settled', files, side, tree, ref, dropped } });
}

/** The conflicts as git has left them: in the index, and byte for byte in the files. */
export async function restoreConflicts(git: Git, root: string, files: readonly FileInConflict[]): Promise<void> {
  const zero = (oid: string): string => '0'.repeat(oid.length);
  // Mode 0 takes away the entry that ended the conflict.
  const gone = files.map(({ path, conflicted }): IndexEntry => ({
    mode: '000000',
    oid: zero(conflicted),
    stage: 0,
    path,
  }));
  await stageEntries(git, root, [...gone, ...files.flatMap(({ stages }) => stages)]);
  // Also after a cancel: its signal does not count here.
  for (const { path, conflicted } of files) {
    await writeFile(join(root, path), await git.bytes(['cat-file', 'blob', conflicted], { cwd: root }));
  }
}

/** What the message and the report say of a settled attempt. */
export function droppedBackup({ state, ref, side }: ChecksAttempt): Backup | undefined {
  if (state !== 'settled' || ref === undefined) return undefined;
  const other = side === 'ours' ? 'theirs' : 'ours';
  return { ref, what: mergeMessages.conflictingHunks({ side: other }), restore: `git diff HEAD ${ref}` };
}
