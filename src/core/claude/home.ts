import { idOf } from './gitPointer.ts';
import { readKnownWorktrees, type KnownWorktree } from './knownWorktrees.ts';
import { findRoot, rootAt, type FoundRoot, type LostRoot } from './mainRoot.ts';
import { findMovedGitDir } from './movedGitDir.ts';
import { realPathNow, samePath, upFrom } from '../base/paths.ts';
import { isCopy } from './worktreeLocation.ts';

/** A working tree of a repository that has a registry, and what that names. */
export interface Home {
  /** The folder that it was found from. */
  readonly folder: string;
  readonly root: FoundRoot;
  readonly known: readonly KnownWorktree[] | 'broken';
  /** A working tree further in, around the folder, that leads nowhere and may be a worktree. */
  readonly lost: LostRoot | undefined;
}

/** A folder may be reached through a link from anywhere, also from another repository. */
export async function findHome(folder: string): Promise<Home | LostRoot | undefined> {
  const found = await homeOf(folder);
  if (found && 'root' in found) return found;
  const real = realPathNow(folder);
  return (real === folder ? undefined : await homeOf(real)) ?? found;
}

/**
 * The innermost working tree around a folder whose repository has a registry. A submodule is a repository of its own, without one:
 * what counts is the worktree that it lies in.
 */
async function homeOf(folder: string): Promise<Home | LostRoot | undefined> {
  let lost: LostRoot | undefined;
  for (let from: string | undefined = folder; from !== undefined;) {
    const found = await findRoot(from);
    if (!found) return lost;
    if ('lostTarget' in found) {
      // The lost git directory of a submodule says nothing about the worktree around it.
      if (found.lostTarget === undefined || idOf(found.lostTarget) !== undefined) lost ??= found;
    } else {
      const home = await withRegistry(found);
      if (home) return { ...home, folder, lost };
    }
    [, from] = upFrom(found.worktreeRoot);
  }
  return lost;
}

async function withRegistry(root: FoundRoot): Promise<Pick<Home, 'root' | 'known'> | undefined> {
  const known = readKnownWorktrees(root.mainRoot);
  const isAtPath =
    known !== 'absent' && known !== 'broken' && known.some(({ path }) => samePath(path, root.worktreeRoot));
  if (root.id !== undefined && !isAtPath && isCopy(root)) {
    // The worktree of a copied repository, whose `.git` file leads to the original.
    const own = findMovedGitDir(root.worktreeRoot, root.gitDir);
    if (own !== undefined) return withRegistry(await rootAt(root.worktreeRoot, own, true));
  }
  return known === 'absent' ? undefined : { root, known };
}
