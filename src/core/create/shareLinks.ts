import { lstat, lutimes, readlink, stat, utimes } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { copyLink } from '../base/copyLink.ts';
import type { TreeCopy } from '../base/copyTree.ts';
import { unlink } from '../base/heldFiles.ts';
import { isWithin, pathBelow, relativeTo } from '../base/paths.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

/**
 * What a copied link is to lead to at first. A relative one stays as it is, which leads to the same place of the new worktree; where it leads
 * out of the repository it would lead somewhere else from there, so it is written whole.
 *
 * @param root the main root.
 */
export function linkFrom(root: string): (source: string, link: string) => string {
  return (source, link) => {
    if (isAbsolute(link)) return link;
    const end = resolve(dirname(source), link);
    return isWithin(root, end) ? link : end;
  };
}

/**
 * Lets copied links with an absolute path into the main working tree lead to the same place of the new worktree, once that is there: else what
 * is run or changed in the worktree would be that of the main one, without anybody noticing. Those that have no such place stay, and are named.
 */
export async function repointLinks(
  links: TreeCopy['absoluteLinks'],
  mainRoot: string,
  worktree: string,
): Promise<Message[]> {
  const left: string[] = [];
  for (const { source, target, link } of links) {
    const below = pathBelow(mainRoot, link);
    if (below === undefined || isWithin(worktree, link)) continue;
    const place = join(worktree, below);
    const isThere = (await lstat(place).catch(() => undefined)) !== undefined;
    if (!isThere) left.push(relativeTo(worktree, target));
    else if ((await readlink(target).catch(() => undefined)) !== undefined) await repoint(source, target, place);
  }
  if (left.length === 0) return [];
  const [path = ''] = left.sort();
  return [
    left.length === 1
      ? createMessages.linkStays({ path, root: mainRoot })
      : createMessages.linksStay({ path, count: left.length - 1, root: mainRoot }),
  ];
}

async function repoint(source: string, target: string, place: string): Promise<void> {
  const above = await stat(dirname(target));
  const { atime, mtime } = await lstat(target);
  await unlink(target);
  await copyLink(source, place, target);
  await lutimes(target, atime, mtime).catch(() => undefined);
  await utimes(dirname(target), above.atime, above.mtime).catch(() => undefined);
}
