import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { samePlaceNow } from '../base/paths.ts';

/** What the `.git` of a folder is, as far as its text shows. */
export type Pointer =
  /** A file that names a git directory, here as an absolute path; whether that is there is another question. */
  | { readonly kind: 'file'; readonly target: string }
  /** A file that names nothing, or that cannot be read. */
  | { readonly kind: 'damaged' }
  /** A folder, which is a git directory itself. */
  | { readonly kind: 'folder' }
  | { readonly kind: 'none' };

const prefix = 'gitdir: ';

/** Reads the `.git` of a folder. */
export function pointerOf(root: string): Pointer {
  const dotGit = join(root, '.git');
  let text: string;
  try {
    text = readFileSync(dotGit, 'utf8');
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'EISDIR') return { kind: 'folder' };
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'none' } : { kind: 'damaged' };
  }
  const written = targetIn(text);
  return written === undefined ? { kind: 'damaged' } : { kind: 'file', target: resolve(root, written) };
}

/** The path in the text of a `.git` file, as it is written there. */
export function targetIn(text: string): string | undefined {
  const line = text.split('\n').find((each) => each.startsWith(prefix) && each.trimEnd().length > prefix.length);
  return line?.slice(prefix.length).trimEnd();
}

/**
 * The parts of a path of whatever system: a container reads what a Windows host has written, and the other way round.
 */
export function partsOf(path: string): string[] {
  return path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
}

/** Git's own name of the worktree whose git directory this is; `undefined` for a git directory of another kind. */
export function idOf(gitDir: string): string | undefined {
  const parts = partsOf(gitDir);
  return parts.at(-2) === 'worktrees' ? parts.at(-1) : undefined;
}

/** Whether there is a git directory at a path. */
export function isGitDir(path: string): boolean {
  return existsSync(`${path}/HEAD`);
}

/** Where git has on record that a worktree is, an absolute path; `undefined` without such a record. */
export function recordedRoot(gitDir: string): string | undefined {
  const text = textOf(join(gitDir, 'gitdir'))?.replace(/[\r\n]+$/, '');
  return text ? resolve(gitDir, text.replace(/[\\/]\.git$/, '')) : undefined;
}

/** The branch that a git directory has checked out; `undefined` while it is detached. */
export function headBranch(gitDir: string): string | undefined {
  const ref = 'ref: refs/heads/';
  const text = textOf(join(gitDir, 'HEAD'))?.trimEnd();
  return text?.startsWith(ref) ? text.slice(ref.length) : undefined;
}

/** Whether the `.git` file of a folder leads to a git directory. */
export function leadsTo(root: string, gitDir: string): boolean {
  const pointer = pointerOf(root);
  return pointer.kind === 'file' && samePlaceNow(pointer.target, gitDir);
}

/** In folders with more entries than this nobody keeps worktrees or repositories side by side. */
const mostNames = 2000;

/** The names in a folder; none if it cannot be listed, or holds too many for a hook to search. */
export function namesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder);
    return names.length > mostNames ? [] : names;
  } catch {
    return [];
  }
}

/** The text of one of git's files; `undefined` where it cannot be read. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
