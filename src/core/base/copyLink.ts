import { constants } from 'node:fs';
import { copyFile, stat, symlink } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { errorCode } from './problem.ts';

/** What has become of a link: a link, a junction in place of a link to a folder, or a copy of the file that it leads to. */
export type CopiedLink = 'link' | 'junction' | 'copy';

/** What changes the disk. */
interface Disk {
  readonly windows: boolean;
  readonly symlink: (target: string, path: string, type?: 'file' | 'dir' | 'junction') => Promise<void>;
}

/**
 * Makes a symbolic link as another one is. Windows has links to files and links to folders, and lets not everybody make them: then a link to
 * a folder becomes a junction, which everybody may make, and one to a file a copy of it.
 *
 * @param source the other one.
 * @param link what that leads to, as it is written there.
 * @param target where the new one goes.
 * @throws what Node throws: `EPERM` where none of it is possible, since the link leads to nothing.
 */
export async function copyLink(
  source: string,
  link: string,
  target: string,
  disk: Disk = { windows: sep === '\\', symlink },
): Promise<CopiedLink> {
  if (!disk.windows) {
    await disk.symlink(link, target);
    return 'link';
  }
  // What the new one leads to may not be there yet, so it cannot tell.
  const isFolder = (await stat(source).catch(() => undefined))?.isDirectory();
  try {
    await disk.symlink(link, target, isFolder ? 'dir' : 'file');
    return 'link';
  } catch (thrown) {
    if (errorCode(thrown) !== 'EPERM' || isFolder === undefined) throw thrown;
  }
  if (isFolder) {
    // A junction knows whole paths only.
    await disk.symlink(resolve(dirname(target), link), target, 'junction');
    return 'junction';
  }
  await copyFile(source, target, constants.COPYFILE_EXCL);
  return 'copy';
}
