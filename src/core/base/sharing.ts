import { chmod, mkdir, stat } from 'node:fs/promises';
import { umask } from 'node:process';
import { isWithin, samePath, upFrom } from './paths.ts';
import { sharedMode, type Sharing } from './sharedModes.ts';

/** Whether the text of git's configuration may say anything of sharing, here or in another file that it includes. */
export function mentionsSharing(configuration: string): boolean {
  return /sharedrepository|^\s*\[include/im.test(configuration);
}

/** The folders that are known to be shared, by their paths as we spell them. */
const sharedFolders = new Map<string, Sharing>();

/** Remembers, for the rest of this process, how what is below some folders is shared. */
export function shareBelow(folders: readonly string[], sharing: Sharing): void {
  for (const folder of folders) {
    if (sharing === 0) sharedFolders.delete(folder);
    else sharedFolders.set(folder, sharing);
  }
}

/** How what is at a path is shared; 0 where nothing was said of it. */
function sharingOf(path: string): Sharing {
  for (const [folder, sharing] of sharedFolders) if (isWithin(folder, path)) return sharing;
  return 0;
}

/**
 * The mode that a file is to be made with; `undefined` where the umask decides.
 *
 * @param wished the mode where nothing is shared; where something is, umask and sharing have their say.
 */
export function modeOfNewFile(path: string, wished: number | undefined): number | undefined {
  const sharing = sharingOf(path);
  if (sharing === 0) return wished;
  return sharedMode(sharing, (wished ?? 0o666) & ~umask(), false);
}

/**
 * Gives a file or folder of ours that is there the mode that git would give it. What belongs to another user stays as it is.
 *
 * @param like a path that is shared in the same way: for what lies elsewhere, such as a worktree beside the repository.
 */
export async function shareLikeGit(path: string, like = path): Promise<void> {
  const sharing = sharingOf(like);
  if (sharing === 0) return;
  try {
    const found = await stat(path);
    const mode = found.mode & 0o7777;
    const wanted = sharedMode(sharing, mode, found.isDirectory());
    if (wanted !== mode) await chmod(path, wanted);
  } catch {
    // Only its owner may; and git has given its own the right mode when it made them.
  }
}

/**
 * Makes a folder and those above it that are missing, shared as git would share them.
 *
 * @throws what Node throws.
 */
export async function makeFolders(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined || sharedFolders.size === 0) return;
  for (const at of upFrom(folder)) {
    await shareLikeGit(at);
    if (samePath(at, first)) return;
  }
}
