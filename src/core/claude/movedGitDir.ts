import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { samePlaceNow, upFrom } from '../base/paths.ts';
import { idOf, isGitDir, leadsTo, namesIn, partsOf, recordedRoot } from './gitPointer.ts';

/** The repository of a worktree is searched for in this many folders above it. */
const foldersBeside = 2;

/**
 * Finds the git directory of a worktree whose `.git` file leads to where it was: the repository was renamed, moved, or is seen at
 * another path, as in a container.
 *
 * What moves together keeps its relative path, so the end of the old path is tried below each folder above the worktree.
 * A repository that was moved by itself, with the worktree beside it, is found among the neighbours, if just one of them has a
 * worktree of that id at this path.
 *
 * @param root the folder that holds the `.git` file.
 * @param target what that says, an absolute path, of whatever system.
 */
export function findMovedGitDir(root: string, target: string): string | undefined {
  const id = idOf(target);
  const parts = partsOf(target);
  if (id === undefined) {
    // A bare repository with a `.git` file beside it, which were moved together.
    const hidden = join(root, parts.at(-1) ?? '');
    return isGitDir(hidden) ? hidden : undefined;
  }
  for (const at of foldersAbove(root)) {
    for (let length = 2; length <= parts.length; length++) {
      const candidate = join(at, ...parts.slice(-length));
      if (candidate !== target && isOf(candidate, root)) return candidate;
    }
  }
  const [found, another] = besideIt(root, id, parts.at(-3) ?? '.git');
  return another === undefined ? found : undefined;
}

function foldersAbove(root: string): string[] {
  return [...upFrom(root)].slice(1);
}

/** Whether this is the admin directory of a linked worktree that is not provably elsewhere. */
function isOf(gitDir: string, root: string): boolean {
  if (!isGitDir(gitDir) || !existsSync(`${gitDir}/commondir`)) return false;
  const recorded = recordedRoot(gitDir);
  return recorded === undefined || samePlaceNow(recorded, root) || !leadsTo(recorded, gitDir);
}

function besideIt(root: string, id: string, commonName: string): string[] {
  const found: string[] = [];
  for (const at of foldersAbove(root).slice(0, foldersBeside)) {
    for (const name of namesIn(at)) {
      for (const common of [join(at, name, commonName), join(at, name)]) {
        const candidate = join(common, 'worktrees', id);
        if (!isOf(candidate, root)) continue;
        const recorded = recordedRoot(candidate);
        // A repository that happens to have a worktree of that name needs a better reason.
        if (recorded !== undefined && basename(recorded) === basename(root)) found.push(candidate);
      }
    }
  }
  return found;
}
