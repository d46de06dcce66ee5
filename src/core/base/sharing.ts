import { chmodSync, statSync } from 'node:fs';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { umask } from 'node:process';
import { isWithin } from './paths.ts';
import { readTextAtOnce } from './plainFile.ts';

/*
 * Who may read and write what we put into a repository that several users share (`core.sharedRepository`). Git gives its own files and
 * folders there the same modes whatever the umask of whoever runs it; ours get those modes too, else the next user could neither take
 * over a lock nor change the registry.
 */

/**
 * What git makes of `core.sharedRepository`: bits that are added to a mode (positive), or that replace it (negative). 0: the umask alone
 * decides.
 */
export type Sharing = number;

const group = 0o660;
const everybody = 0o664;

/** Reads the value of `core.sharedRepository` as git does; what git would refuse is taken for not shared. */
export function parseSharing(value: string | undefined): Sharing {
  if (value === undefined) return 0;
  const word = value.trim().toLowerCase();
  if (['group', 'true', 'yes', 'on'].includes(word)) return group;
  if (['all', 'world', 'everybody'].includes(word)) return everybody;
  if (!/^[0-7]+$/.test(word)) return 0;
  const bits = Number.parseInt(word, 8);
  if (bits <= 2) return [0, group, everybody][bits] ?? 0;
  return (bits & 0o600) === 0o600 ? -(bits & 0o666) : 0;
}

/** Whether the text of git's configuration may say anything of sharing, here or in another file that it includes. */
export function mentionsSharing(configuration: string): boolean {
  return /sharedrepository|^\s*\[include/im.test(configuration);
}

/** What a repository's own configuration file says of sharing, without asking git: for hooks. */
export function sharingIn(commonDir: string): Sharing {
  let text: string;
  try {
    text = readTextAtOnce(`${commonDir}/config`);
  } catch {
    return 0;
  }
  let core = false;
  let found: string | undefined;
  for (const line of text.split('\n')) {
    const section = /^\s*\[\s*([^\]\s]+)[^\]]*\](.*)$/.exec(line);
    if (section) core = section[1]?.toLowerCase() === 'core' && !line.includes('"');
    const [, value] = /^\s*sharedrepository\s*(?:=\s*(.*?))?\s*(?:[#;].*)?$/i.exec(section?.[2] ?? line) ?? [
      undefined,
      null,
    ];
    if (core && value !== null) found = (value ?? 'true').replace(/^"(.*)"$/, '$1');
  }
  return parseSharing(found);
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

/** The mode that git gives a file or a folder of a shared repository which has another one now; both without the kind. */
export function sharedMode(sharing: Sharing, mode: number, isFolder: boolean): number {
  if (sharing === 0) return mode;
  let bits = Math.abs(sharing);
  if ((mode & 0o200) === 0) bits &= ~0o222;
  if ((mode & 0o100) !== 0) bits |= (bits & 0o444) >> 2;
  let shared = sharing < 0 ? (mode & ~0o777) | bits : mode | bits;
  if (isFolder) {
    shared |= (shared & 0o444) >> 2;
    // What is made in it belongs to its group.
    if ((shared & 0o060) !== 0) shared |= 0o2000;
  }
  return shared;
}

/** The mode that a file is to be made with; `undefined` where the umask decides. */
export function modeOfNewFile(path: string, wished: number | undefined): number | undefined {
  const sharing = sharingOf(path);
  if (sharing === 0) return wished;
  return sharedMode(sharing, wished ?? 0o666 & ~umask(), false);
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

/** {@link shareLikeGit} at once, for hooks, which know how it is shared. */
export function shareAtOnce(path: string, sharing: Sharing): void {
  if (sharing === 0) return;
  try {
    const found = statSync(path);
    const mode = found.mode & 0o7777;
    const wanted = sharedMode(sharing, mode, found.isDirectory());
    if (wanted !== mode) chmodSync(path, wanted);
  } catch {
    // As above.
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
  for (let at = folder; ; at = dirname(at)) {
    await shareLikeGit(at);
    if (at === first || at === dirname(at)) return;
  }
}
