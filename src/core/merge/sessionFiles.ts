import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import type { Git } from '../git/git.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { readStages, readTree, stageTexts, type StageBlobs } from '../git/blobs.ts';
import {
  decideVersions,
  type FileVersions,
  type SessionFileResult,
  type VersionOptions,
} from './decideSessionFiles.ts';

/** The commits that are merged. */
export interface SessionMergeRequest {
  /** The root of the working tree in which the merge is under way. */
  readonly cwd: string;
  /** The merge base; undefined where there is none, or more than one. The index's stage 1 of a file in conflict is taken before it. */
  readonly base: string | undefined;
  /** The side that the rules call ours: deletions count, and everything but the entries is as it has it. */
  readonly ours: string;
  readonly theirs: string;
  /** The slug of the worktree that is merged: its tasks are taken out of the worktree tasks. */
  readonly slug?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Computes the session files of a merge, rebase or cherry-pick that is under way anew from the commits, also where git merged them
 * without a conflict, and stages and writes what comes out. Other files are not touched. Doing it again changes nothing.
 *
 * @returns one result for each configured file.
 * @throws Problem with git's own words when the index or the working tree cannot be written.
 */
export async function recomputeSessionFiles(
  workspace: Workspace,
  request: SessionMergeRequest,
): Promise<SessionFileResult[]> {
  const stagesOf = await readStages(
    workspace.git,
    sessionPaths(workspace).map(({ path }) => path),
    request,
  );
  return mergeVersions(workspace, await readSessionVersions(workspace, request, stagesOf), request);
}

/**
 * Reads the versions of the session files in the commits of a merge.
 *
 * @param stagesOf what the index has of a path, or would have.
 */
export async function readSessionVersions(
  workspace: Workspace,
  request: SessionMergeRequest,
  stagesOf: (path: string) => StageBlobs,
): Promise<FileVersions[]> {
  const { git } = workspace;
  const files = sessionPaths(workspace);
  const paths = files.map(({ path }) => path);
  const [base, ours, theirs] = await Promise.all([
    readTree(git, request.base, paths, request),
    readTree(git, request.ours, paths, request),
    readTree(git, request.theirs, paths, request),
  ]);
  return Promise.all(
    files.map(async ({ kind, path }): Promise<FileVersions> => {
      const stages = stagesOf(path);
      const sides = { base: stages[1] ?? base.get(path), ours: ours.get(path), theirs: theirs.get(path) };
      const movedByTheirs =
        !sides.theirs && base.has(path) && stages.every((stage) => !stage) && (await wasMoved(git, path, request));
      return { kind, path, ...sides, stages, movedByTheirs };
    }),
  );
}

/** Whether theirs has the file under another name. */
async function wasMoved(git: Git, path: string, { cwd, signal, base, theirs }: SessionMergeRequest): Promise<boolean> {
  if (base === undefined) return false;
  const args = ['diff', '--name-status', '-z', '--find-renames', '--diff-filter=R', base, theirs];
  const words = (await git.text(args, { cwd, signal })).split('\0');
  return words.some((word, index) => /^R\d*$/.test(word) && words[index + 1] === path);
}

/** Merges files whose three versions are known, and stages and writes what comes out. */
export async function mergeVersions(
  { git }: Workspace,
  versions: readonly FileVersions[],
  options: VersionOptions,
): Promise<SessionFileResult[]> {
  const { results, staged } = await decideVersions(git, versions, options);
  await stageTexts(git, staged, options);
  for (const { path, text } of staged) if (text === undefined) await rm(join(options.cwd, path), { force: true });
  return results;
}
