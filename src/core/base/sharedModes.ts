import { chmodSync, statSync } from 'node:fs';
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

/** Gives a file or folder that is there the mode that git would give it; what belongs to another user stays as it is. */
export function shareAtOnce(path: string, sharing: Sharing): void {
  if (sharing === 0) return;
  try {
    const found = statSync(path);
    const mode = found.mode & 0o7777;
    const wanted = sharedMode(sharing, mode, found.isDirectory());
    if (wanted !== mode) chmodSync(path, wanted);
  } catch {
    // Only its owner may.
  }
}
