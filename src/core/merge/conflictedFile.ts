import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import { Problem, errorCode, messageOf } from '../base/problem.ts';
import { backupPrefix } from '../remove/backup.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { textIn, readStages, sameStages, type ConflictStages } from './conflictStages.ts';
import { markerLine } from './leftByGit.ts';
import { mergeMessages } from '../messages/merge.ts';

/** A file in conflict, as it was inspected. */
export interface ConflictedFile {
  /** The top of the working tree. */
  readonly root: string;
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly stages: ConflictStages;
  /** What the file held; `undefined` when it was not there. */
  readonly text: string | undefined;
}

/** What a file holds, a byte order mark included; `undefined` when there is none. */
export async function readWorkingText(file: string): Promise<string | undefined> {
  try {
    return textIn(await readFile(file), file);
  } catch (thrown) {
    if (Problem.is(thrown)) throw thrown;
    const code = errorCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Problem('unreadable-file', mergeMessages.cannotRead({ file, reason: messageOf(thrown) }), {
      file,
      cause: thrown,
    });
  }
}

/**
 * Writes what a file in conflict is to be, unless something has happened to it since it was inspected.
 *
 * @throws Problem `would-lose-work` when the file holds something else by now, `not-found` when it is not in conflict any more or in another one.
 */
export async function writeResult(workspace: Workspace, file: ConflictedFile, text: string): Promise<void> {
  const at = join(file.root, file.path);
  await requireSameConflict(workspace, file);
  const now = await readWorkingText(at);
  if (now === text) return;
  if (now !== undefined && now !== file.text) {
    throw new Problem('would-lose-work', mergeMessages.changedMeantimeNothing({ filePath: file.path }), {
      file: at,
      next: mergeMessages.lookAgain(),
      outcome: 'incomplete',
    });
  }
  await writeAtomically(at, text);
}

/**
 * Tells git that a file is resolved as it stands on disk.
 *
 * @returns the files of the working tree that are still in conflict.
 * @throws Problem `would-lose-work` when it holds conflict markers, `not-found` as {@link writeResult}.
 */
export async function stageResult(workspace: Workspace, file: ConflictedFile): Promise<readonly string[]> {
  await requireSameConflict(workspace, file);
  const at = join(file.root, file.path);
  const line = markerLine((await readWorkingText(at)) ?? '');
  if (line !== undefined) {
    throw new Problem('would-lose-work', mergeMessages.lineConflictMarker({ filePath: file.path, line }), {
      file: at,
      line,
      next: mergeMessages.takeMarkerOut(),
      outcome: 'incomplete',
    });
  }
  const { git } = workspace;
  const args = ['--literal-pathspecs', 'add', '--sparse', '--', file.path];
  await git.text(args, { cwd: file.root, writes: true });
  return [...(await readStages(git, file.root)).keys()];
}

/**
 * Keeps a text that is about to be written over as an object of the repository.
 *
 * @returns the ref that keeps it: `git cat-file blob <ref>` prints it.
 */
export async function backUpText(
  { git, repository, environment }: Workspace,
  slug: string,
  text: string,
): Promise<string> {
  const repo = git.in(repository.commonDir);
  const object = await repo.text(['hash-object', '-w', '--stdin'], { writes: true, input: text });
  const ref = `${backupPrefix(environment.now(), slug)}/edited-by-hand`;
  await repo.text(['update-ref', ref, object.trim(), ''], { writes: true });
  return ref;
}

async function requireSameConflict({ git }: Workspace, { root, path, stages }: ConflictedFile): Promise<void> {
  const now = (await readStages(git, root, [path])).get(path);
  if (now && sameStages(now, stages)) return;
  throw new Problem(
    'not-found',
    now ? mergeMessages.anotherConflictOne({ path }) : mergeMessages.resolvedElsewhere({ path }),
    { file: join(root, path), next: mergeMessages.lookAgain(), outcome: 'incomplete' },
  );
}
