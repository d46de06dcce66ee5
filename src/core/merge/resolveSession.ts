import { pathBelow, realPathOf, withSlashes } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import type { GitOperation } from '../worktree/model.ts';
import { readAdministration } from '../worktree/adminDir.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { readStages, readTree, type ReadOptions, type StageBlobs } from '../git/blobs.ts';
import { unmergedEntries } from '../git/indexEntries.ts';
import { sessionPaths } from '../repository/sessionPaths.ts';
import type { FileVersions, SessionFileResult } from './decideSessionFiles.ts';
import { mergeVersions } from './sessionFiles.ts';
import { commandsOf, readUnderWay, type UnderWay } from './underWay.ts';
import { mergeMessages } from '../messages/merge.ts';
import type { Message } from '../messages/message.ts';

/** What `wt resolve` did. */
export interface Resolution {
  /** What git was in the middle of; undefined where the conflict comes from something else, such as a stash. */
  readonly operation: GitOperation | undefined;
  readonly files: readonly ResolvedFile[];
  /** All paths that are still in conflict. */
  readonly left: readonly string[];
  /** The next step for a person. */
  readonly next: Message | undefined;
}

export interface ResolvedFile extends SessionFileResult {
  /** The blob that keeps what stood in the working tree before, where that was overwritten. */
  readonly replaced: string | undefined;
}

/** Where and what to resolve. */
export interface ResolveOptions {
  /** The root of the working tree. */
  readonly root: string;
  /** Its git directory. */
  readonly gitDir: string;
  /** Only these files, as paths of the file system; they are merged anew also where they are in no conflict. */
  readonly files?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves the session files that are in conflict by the rules, and stages them. In a rebase ours is the commit that is replayed,
 * although git calls that side theirs: it is the person's own.
 *
 * @throws Problem `usage` for a file that is no session file, `not-found` when nothing is under way, `unsupported` in a revert.
 */
export async function resolveSessionFiles(workspace: Workspace, options: ResolveOptions): Promise<Resolution> {
  const { git } = workspace;
  const read: ReadOptions = { cwd: options.root, signal: options.signal };
  const conflicts = async (): Promise<string[]> => [
    ...(await unmergedEntries(git, options.root, [], options.signal)).keys(),
  ];
  const named = await namedFiles(workspace, options);
  const [{ operation }, before] = await Promise.all([readAdministration(options.gitDir), conflicts()]);
  const wanted = sessionPaths(workspace).filter(({ path }) => (named ? named.has(path) : before.includes(path)));
  if (operation === undefined && before.length === 0) {
    throw new Problem('not-found', mergeMessages.noMergeRebase({ optionsRoot: options.root }), {
      next: mergeMessages.runWhereConflictIs(),
    });
  }
  if (operation === 'revert' && wanted.length > 0) {
    throw new Problem('unsupported', mergeMessages.revertTakesEntries(), {
      next: mergeMessages.resolveByHand({ wanted: wanted.map(({ path }) => path).join(', ') }),
      outcome: 'incomplete',
    });
  }
  const versions = await versionsOf(git, wanted, operation, read);
  const replaced = await keepWorkingFiles(git, versions, read);
  const files = await mergeVersions(workspace, versions, { ...read, replayed: operation === 'rebase' });
  const left = await conflicts();
  return {
    operation,
    files: files.map((file) => ({ ...file, replaced: file.changed ? replaced.get(file.path) : undefined })),
    left,
    next: nextStep(await readUnderWay(workspace, { gitDir: options.gitDir, operation }), left),
  };
}

/** The paths from the root of the files that a person named; undefined if none were. */
async function namedFiles(workspace: Workspace, options: ResolveOptions): Promise<ReadonlySet<string> | undefined> {
  if (!options.files?.length) return undefined;
  const known = sessionPaths(workspace).map(({ path }) => path);
  const root = await realPathOf(options.root);
  const paths = await Promise.all(
    options.files.map(async (file) => {
      const real = await realPathOf(file);
      const below = pathBelow(root, real);
      const path = below === undefined ? undefined : withSlashes(below);
      if (path !== undefined && known.includes(path)) return path;
      throw new Problem('usage', mergeMessages.noneSessionFiles({ file, known: known.join(', ') }), {
        next: mergeMessages.nameOneThese(),
      });
    }),
  );
  return new Set(paths);
}

async function versionsOf(
  git: Git,
  wanted: readonly Pick<FileVersions, 'kind' | 'path'>[],
  operation: GitOperation | undefined,
  read: ReadOptions,
): Promise<FileVersions[]> {
  if (wanted.length === 0) return [];
  const paths = wanted.map(({ path }) => path);
  const stagesOf = await readStages(git, paths, read);
  const isClean = (stages: StageBlobs): boolean => !stages[1] && !stages[2] && !stages[3];
  const needsTrees = paths.some((path) => isClean(stagesOf(path)));
  const commits = needsTrees ? await commitsOf(git, operation, read) : undefined;
  const [base, ours, theirs] = await Promise.all(
    [commits?.base, commits?.ours, commits?.theirs].map((commit) => readTree(git, commit, paths, read)),
  );
  const swapped = operation === 'rebase';
  return wanted.map(({ kind, path }) => {
    const stages = stagesOf(path);
    const sides = isClean(stages)
      ? { base: base?.get(path), ours: ours?.get(path), theirs: theirs?.get(path) }
      : { base: stages[1], ours: stages[swapped ? 3 : 2], theirs: stages[swapped ? 2 : 3] };
    return { kind, path, ...sides, stages, movedByTheirs: false };
  });
}

interface Commits {
  readonly base: string | undefined;
  readonly ours: string;
  readonly theirs: string;
}

/** The commits that an operation brings together; a conflict that is gone from the index can only be merged anew from them. */
async function commitsOf(
  git: Git,
  operation: GitOperation | undefined,
  read: ReadOptions,
): Promise<Commits | undefined> {
  const oid = (name: string): Promise<string | undefined> =>
    git.line(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], read);
  const head = await oid('HEAD');
  const other = await oid(
    operation === 'merge' ? 'MERGE_HEAD' : operation === 'rebase' ? 'REBASE_HEAD' : 'CHERRY_PICK_HEAD',
  );
  if (head === undefined || other === undefined) return undefined;
  if (operation === 'rebase') return { base: await oid(`${other}^`), ours: other, theirs: head };
  if (operation !== 'merge') return { base: await oid(`${other}^`), ours: head, theirs: other };
  const bases = (await git.run(['merge-base', '--all', head, other], read)).stdout.split('\n').filter(Boolean);
  return { base: bases.length === 1 ? bases[0] : undefined, ours: head, theirs: other };
}

/** Keeps what stands in the working tree as blobs, since a person may have begun to resolve it. */
async function keepWorkingFiles(
  git: Git,
  files: readonly FileVersions[],
  read: ReadOptions,
): Promise<ReadonlyMap<string, string>> {
  const kept = await Promise.all(
    files.map(async ({ path }) => {
      const args = ['hash-object', '-w', '--no-filters', '--', path];
      return [path, await git.line(args, { ...read, writes: true })] as const;
    }),
  );
  return new Map(kept.flatMap(([path, oid]) => (oid === undefined ? [] : [[path, oid] as const])));
}

function nextStep(underWay: UnderWay | undefined, left: readonly string[]): Message | undefined {
  const command = underWay && commandsOf(underWay).goOn;
  if (left.length === 0) return command === undefined ? undefined : mergeMessages.runCommand({ command });
  return command === undefined ? mergeMessages.resolveRest() : mergeMessages.resolveThenRun({ command });
}
