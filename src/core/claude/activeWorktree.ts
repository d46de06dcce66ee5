import { statSync } from 'node:fs';
import { samePath, samePlaceNow } from '../base/paths.ts';
import { headBranch } from './gitPointer.ts';
import { readKnownWorktrees } from './knownWorktrees.ts';
import type { FoundRoot } from './mainRoot.ts';
import type { ActiveReminder } from './stateReader.ts';
import { verifiedLocation, isWorktreeOf, linkedGitDirs, sameLocationBelow } from './worktreeLocation.ts';

/** The location of the active worktree. */
export type ActiveLocation =
  | { readonly kind: 'there'; readonly path: string }
  /** It is registered, but its folder cannot be reached now. */
  | { readonly kind: 'unreachable' }
  /** It was removed. */
  | { readonly kind: 'gone' };

/**
 * Finds the worktree that the state file names, also after it or the whole repository was moved: by its path, then by its entry in the
 * registry, its branch, and the same location below the main root. Starts no process.
 */
export function locateActive(root: FoundRoot, { path, branch }: ActiveReminder): ActiveLocation {
  const { mainRoot, commonDir } = root;
  if (isWorktreeOf(commonDir, path) || samePlaceNow(path, mainRoot)) return { kind: 'there', path };
  const known = readKnownWorktrees(mainRoot);
  const entries =
    typeof known === 'string'
      ? []
      : [...known.filter((each) => samePath(each.path, path)), ...known.filter((each) => each.branch === branch)];
  for (const each of entries) {
    const found = verifiedLocation(each, root);
    if (found !== undefined) return { kind: 'there', path: found };
  }
  const records = linkedGitDirs(commonDir).filter(
    (each) => (each.root !== undefined && samePath(each.root, path)) || (branch !== '' && each.branch === branch),
  );
  for (const { id } of records) {
    const found = verifiedLocation({ id, path, branch }, root);
    if (found !== undefined) return { kind: 'there', path: found };
  }
  const below = sameLocationBelow(root, path, undefined);
  if (below !== undefined) return { kind: 'there', path: below };
  const state = folderState(path);
  if (state === 'folder') return { kind: 'there', path };
  if (!samePath(mainRoot, commonDir) && branch !== '' && headBranch(commonDir) === branch)
    return { kind: 'there', path: mainRoot };
  return state === 'hidden' || known === 'broken' || entries.length > 0 || records.length > 0
    ? { kind: 'unreachable' }
    : { kind: 'gone' };
}

function folderState(path: string): 'folder' | 'hidden' | 'nothing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'nothing';
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'nothing' : 'hidden';
  }
}
