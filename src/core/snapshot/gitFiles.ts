import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Workspace } from '../worktree/workspace.ts';
import { isSame, fingerprintsOf, type Fingerprint } from './fileFingerprint.ts';

/**
 * What the files look like from which git tells the worktrees and the branches. Git writes each of them anew and renames it into
 * place, so that the fingerprint of the folder tells; only a worktree's `gitdir` is written in place.
 */
export interface GitFiles {
  /** The folders of branches, here and of remotes. */
  readonly refFolders: readonly string[];
  /** Of what all worktrees share: the branches, the configuration, the ignore rules, what the main working tree has checked out. */
  readonly shared: readonly Fingerprint[];
  /** By the git directory of each linked worktree, in the order of the folder: its own fingerprint and that of its `gitdir`. */
  readonly own: ReadonlyMap<string, readonly [folder: Fingerprint, gitdir: Fingerprint]>;
}

/**
 * Looks at git's files.
 *
 * @param before what they looked like earlier: while its folders of branches are the same, they need not be searched for others.
 * @param only of the linked worktrees with these git directories; the others are taken to look as before where nothing was in doubt.
 * @returns `undefined` where branches are kept in tables, which tell nothing from outside.
 */
export async function readGitFiles(
  { environment, repository }: Workspace,
  before?: GitFiles,
  only?: ReadonlySet<string>,
): Promise<GitFiles | undefined> {
  const { commonDir } = repository;
  const worktrees = join(commonDir, 'worktrees');
  const [names, refFolders, tables] = await Promise.all([
    readdir(worktrees).catch(() => []),
    before?.refFolders ?? allRefFolders(commonDir),
    readdir(join(commonDir, 'reftable')).catch(() => undefined),
  ]);
  if (tables) return undefined;
  const files = ['HEAD', 'config', 'config.worktree', 'packed-refs', join('info', 'exclude')].map((name) =>
    join(commonDir, name),
  );
  // `join` would take the whole path to pieces, for each of them.
  const gitDirs = names.map((name) => worktrees + sep + name);
  const isSettled = (gitDir: string): boolean => before?.own.get(gitDir)?.includes(undefined) === false;
  const looked = only ? gitDirs.filter((gitDir) => only.has(gitDir) || !isSettled(gitDir)) : gitDirs;
  const own = looked.flatMap((gitDir) => [gitDir, `${gitDir}${sep}gitdir`]);
  const fingerprints = await fingerprintsOf([...files, ...refFolders, ...own], environment.now());
  const first = files.length + refFolders.length;
  const found = new Map(
    looked.map(
      (gitDir, index) => [gitDir, [fingerprints[first + 2 * index], fingerprints[first + 2 * index + 1]]] as const,
    ),
  );
  const shared = fingerprints.slice(0, first);
  if (looked === gitDirs) return { refFolders, shared, own: found };
  const nothing = [undefined, undefined] as const;
  return {
    ...{ refFolders, shared },
    own: new Map(gitDirs.map((gitDir) => [gitDir, found.get(gitDir) ?? before?.own.get(gitDir) ?? nothing])),
  };
}

/**
 * Compares two looks at git's files.
 *
 * @returns the git directories in which something was written, be it only the index; `undefined` when there are other worktrees
 *   or branches, or may be.
 */
export function writtenSince(before: GitFiles, now: GitFiles): string[] | undefined {
  const sameShared = now.shared.every((fingerprint, index) => isSame(fingerprint, before.shared[index]));
  if (!sameShared || [...before.own.keys()].join('\0') !== [...now.own.keys()].join('\0')) return undefined;
  const written: string[] = [];
  for (const [gitDir, [folder, gitdir]] of now.own) {
    const earlier = before.own.get(gitDir);
    if (!isSame(gitdir, earlier?.[1])) return undefined;
    if (!isSame(folder, earlier?.[0])) written.push(gitDir);
  }
  return written;
}

async function allRefFolders(commonDir: string): Promise<string[]> {
  const below = async (folder: string): Promise<string[]> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const inner = entries.filter((entry) => entry.isDirectory()).map((entry) => below(join(folder, entry.name)));
    return [folder, ...(await Promise.all(inner)).flat()];
  };
  return (await Promise.all(['heads', 'remotes'].map((name) => below(join(commonDir, 'refs', name))))).flat();
}
