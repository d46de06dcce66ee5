import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { Problem } from '../base/problem.ts';
import { asProblem } from '../base/systemFailure.ts';
import { noteFullDisk, tellWriteFailure } from '../git/writeFailure.ts';
import { isBegun } from './halfMerged.ts';
import type { Aborted } from './model.ts';
import { keptAside } from '../operations/keptFolder.ts';
import { removeEmptyFolders } from './leftovers.ts';
import { againCommand, reading, writing, type Merging } from './merging.ts';
import { stillChanged, type PlannedMerge } from './planned.ts';
import type { SavedFiles } from './savedFiles.ts';
import { readTarget } from './target.ts';
import { forgetMerge } from './mergeData.ts';
import { rollBackMerge } from './rollBackMerge.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Message } from '../messages/message.ts';

/** A merge whose files could not be written. */
export interface FailedMerge {
  /** What git printed. */
  readonly words: string;
  /** Files that are not as the merge has them, where git has not noticed. */
  readonly unwritten: readonly string[];
  readonly planned: PlannedMerge | undefined;
  readonly saved: SavedFiles | undefined;
  /** What to report, where that is known and everything could be restored. */
  readonly problem?: Problem | undefined;
}

/**
 * Rolls back a merge whose files could not be written: files, index, submodules; nothing is under way then.
 *
 * @returns the problem to report, with the cause, and with what could not be restored.
 */
export async function rollBackUnwritten(merging: Merging, failed: FailedMerge): Promise<Problem> {
  const { workspace, target, source, pending } = merging;
  const { git } = workspace;
  const again = againCommand(source);
  const full = await noteFullDisk(git, target.root, failed.planned?.tree ?? pending.data.theirs, failed.words);
  const cause = await tellWriteFailure([failed.words, ...full].join('\n'), again, target.root);
  const { restored = [], failed: notRestored = [] } = (await failed.saved?.restore()) ?? {};
  const left: (string | Message)[] = [...notRestored];
  let back: Aborted | undefined;
  try {
    left.push(...(await removeNew(merging, failed)));
    await git.run(['merge', '--quit'], writing(merging));
    await acceptAsBefore(merging, restored, failed.planned);
    back = await rollBackMerge(workspace, await readTarget(workspace, target.root), pending.data);
    if (left.length === 0 && failed.planned)
      left.push(...(await stillChanged(git, target.root, failed.planned, pending.data.notes)));
    // As long as something is left the next run has to know of it.
    if (left.length === 0) {
      await forgetMerge(target.gitDir);
      await pending.close();
    }
  } catch (thrown) {
    const problem = asProblem(thrown);
    left.push(problem.what, ...problem.lines);
  }
  if (notRestored.length === 0) await failed.saved?.drop();
  else if (failed.saved) {
    const folder = keptAside(workspace.repository, workspace.environment.now(), 'merge');
    left.push(mergeMessages.formerFilesIn({ folder: await failed.saved.keep(folder) }));
  }
  if (failed.problem && left.length === 0) return failed.problem;
  const items = [
    ...failed.unwritten.map((path) => mergeMessages.fileNotWritten({ path })),
    ...failed.words.split('\n').filter((line) => line.trim() !== ''),
  ].slice(0, 20);
  const why =
    cause?.why ?? (failed.unwritten.length > 0 ? mergeMessages.filesNotWritten() : mergeMessages.gitDidNotBegin());
  const notes = [...left.map((each) => mergeMessages.notRestored({ what: each })), ...(back?.notes ?? [])];
  return new Problem(
    failed.unwritten.length > 0 ? 'not-writable' : 'git-failed',
    left.length === 0
      ? mergeMessages.notMergedRolledBack({ sourceName: source.name, why, targetRoot: target.root })
      : mergeMessages.notMergedNotEverything({ sourceName: source.name, why, targetRoot: target.root }),
    {
      next: cause?.next ?? mergeMessages.correctSaidBelow({ again }),
      items: [...notes, ...items],
      outcome: 'incomplete',
    },
  );
}

/**
 * Lets git take files that were restored byte for byte for what they were before: unchanged. It would ask the filters of the repository,
 * which may be what has failed.
 */
async function acceptAsBefore(
  merging: Merging,
  restored: readonly string[],
  planned: PlannedMerge | undefined,
): Promise<void> {
  const { git } = merging.workspace;
  const touched = new Set(planned?.touched);
  // Not notes and hidden files: those were changed before.
  const paths = restored.filter((path) => touched.has(path) && !merging.pending.data.notes.includes(path));
  if (paths.length === 0) return;
  const names = await git.run(['config', '-z', '--name-only', '--get-regexp', '^filter\\.'], reading(merging));
  const filters = new Set(names.stdout.split('\0').map((name) => /^filter\.(.*)\.[^.]*$/.exec(name)?.[1]));
  filters.delete(undefined);
  const settings = [...filters].flatMap((name) =>
    ['clean=git cat-file blob :%f', 'process=', 'required=false'].flatMap((each) => [
      '-c',
      `filter.${name ?? ''}.${each}`,
    ]),
  );
  const input = paths.map((path) => `${path}\0`).join('');
  await git.run([...settings, 'update-index', '-z', '--stdin'], { ...writing(merging), input });
}

/** Removes what the merge has added, as far as it is the merge's. */
async function removeNew(merging: Merging, { planned, saved }: FailedMerge): Promise<Message[]> {
  if (!planned || !saved) return [];
  const { workspace, target } = merging;
  const left: Message[] = [];
  for (const path of planned.touched.filter((each) => saved.absent.has(each))) {
    const file = join(target.root, path);
    const there = await lstat(file).catch(() => undefined);
    if (!there) continue;
    const oid = await workspace.git.line(
      ['rev-parse', '--verify', '--quiet', `${planned.tree}:${path}`],
      reading(merging),
    );
    const ours = there.isSymbolicLink() || (there.isFile() && (await isBegun(workspace, target.root, path, [oid])));
    if (!ours) {
      left.push(mergeMessages.isNew({ path }));
      continue;
    }
    try {
      await rm(file);
      await removeEmptyFolders(target.root, dirname(path));
    } catch {
      left.push(mergeMessages.isNew({ path }));
    }
  }
  return left;
}
