import { textOf } from '../messages/message.ts';
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Problem } from '../base/problem.ts';
import { asProblem } from '../base/systemFailure.ts';
import { noteFullDisk, tellWriteFailure } from '../git/writeFailure.ts';
import { isBegun } from './halfMerged.ts';
import type { Aborted } from './model.ts';
import { keptAside } from '../operations/keptFolder.ts';
import { againCommand, reading, writing, type Merging } from './merging.ts';
import { stillChanged, type PlannedMerge } from './planned.ts';
import type { SavedFiles } from './savedFiles.ts';
import { readTarget } from './target.ts';
import { takeBack } from './abort.ts';

/** A merge whose files could not be written. */
export interface FailedMerge {
  /** What git said. */
  readonly words: string;
  /** Files that are not as the merge has them, where git has not noticed. */
  readonly unwritten: readonly string[];
  readonly planned: PlannedMerge | undefined;
  readonly saved: SavedFiles | undefined;
  /** What is to be told, where that is known and everything could be put back. */
  readonly problem?: Problem | undefined;
}

/**
 * Puts everything back as it was before the merge: files, index, submodules; nothing is under way then.
 *
 * @returns the problem to tell, with the cause, and with what could not be put back.
 */
export async function rollBack(merging: Merging, failed: FailedMerge): Promise<Problem> {
  const { workspace, target, source, keeper } = merging;
  const { git } = workspace;
  const again = againCommand(source);
  const full = await noteFullDisk(git, target.root, failed.planned?.tree ?? keeper.now.theirs, failed.words);
  const cause = await tellWriteFailure([failed.words, ...full].join('\n'), again, target.root);
  const { restored = [], failed: notRestored = [] } = (await failed.saved?.restore()) ?? {};
  const left = [...notRestored];
  let back: Aborted | undefined;
  try {
    left.push(...(await removeNew(merging, failed)));
    await git.run(['merge', '--quit'], writing(merging));
    await acceptAsBefore(merging, restored, failed.planned);
    back = await takeBack(workspace, await readTarget(workspace, target.root), keeper.now);
    if (left.length === 0 && failed.planned)
      left.push(...(await stillChanged(git, target.root, failed.planned, keeper.now.notes)));
    // As long as something is left the next run has to know of it.
    if (left.length === 0) await keeper.close();
  } catch (thrown) {
    const problem = asProblem(thrown);
    left.push(problem.message, ...problem.items);
  }
  if (notRestored.length === 0) await failed.saved?.drop();
  else if (failed.saved) {
    const folder = keptAside(workspace.repository, workspace.environment.now(), 'merge');
    left.push(`what was there before is in ${await failed.saved.keep(folder)}`);
  }
  if (failed.problem && left.length === 0) return failed.problem;
  const items = [
    ...failed.unwritten.map((path) => `${path} could not be written or deleted`),
    ...failed.words.split('\n').filter((line) => line.trim() !== ''),
  ].slice(0, 20);
  const why = cause
    ? textOf(cause.why)
    : failed.unwritten.length > 0
      ? 'files could not be written'
      : 'git did not begin';
  const notes = [...left.map((each) => `not put back: ${each}`), ...(back?.notes ?? [])];
  return new Problem(
    failed.unwritten.length > 0 ? 'not-writable' : 'git-failed',
    left.length === 0
      ? `${source.name} was not merged: ${why}. ${target.root} is as it was.`
      : `${source.name} was not merged: ${why}. Not everything in ${target.root} could be put back.`,
    {
      next: cause?.next ?? `correct what is said below, then run \`${again}\` again`,
      items: [...notes, ...items],
      outcome: 'incomplete',
    },
  );
}

/**
 * Lets git take files that were put back byte for byte for what they were before: unchanged. It would ask the filters of the repository,
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
  const paths = restored.filter((path) => touched.has(path) && !merging.keeper.now.notes.includes(path));
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
async function removeNew(merging: Merging, { planned, saved }: FailedMerge): Promise<string[]> {
  if (!planned || !saved) return [];
  const { workspace, target } = merging;
  const left: string[] = [];
  for (const path of planned.touched.filter((each) => saved.absent.has(each))) {
    const place = join(target.root, path);
    const there = await lstat(place).catch(() => undefined);
    if (!there) continue;
    const oid = await workspace.git.line(
      ['rev-parse', '--verify', '--quiet', `${planned.tree}:${path}`],
      reading(merging),
    );
    const ours = there.isSymbolicLink() || (there.isFile() && (await isBegun(workspace, target.root, path, [oid])));
    if (!ours) {
      left.push(`${path} is new`);
      continue;
    }
    try {
      await rm(place);
      await removeEmpty(target.root, dirname(path));
    } catch {
      left.push(`${path} is new`);
    }
  }
  return left;
}

async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let at = folder; at !== '.'; at = dirname(at)) {
    if ((await readdir(join(root, at)).catch(() => [''])).length > 0) return;
    await rmdir(join(root, at));
  }
}
