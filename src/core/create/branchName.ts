import type { Environment } from '../base/environment.ts';
import { fitForWindows, unfitPart } from '../base/windowsNames.ts';
import { transliterated } from '../repository/plainSlug.ts';
import { slugOf } from '../repository/slug.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** Words of letters and digits, joined by single dashes and slashes: nothing in git's rules for names speaks against those. */
const plainName = /^(?!HEAD$)[A-Za-z0-9_]+([-/][A-Za-z0-9_]+)*$/;

/** How long a branch may be that is derived from a name, in characters. */
const longestDerived = 60;

/** Whether git takes a text for the name of a branch, and for no other name (it expands `@{-1}` and the like), and this system can hold it. */
export async function isBranchName(
  { environment, git, repository }: Workspace,
  branch: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (environment.platform === 'win32' && unfitPart(branch) !== undefined) return false;
  if (plainName.test(branch)) return true;
  const args = ['check-ref-format', '--branch', branch];
  return branch !== '@' && (await git.line(args, { cwd: repository.mainRoot, signal })) === branch;
}

/** Whether a name means a commit to git: it is refused, because a worktree of that name could not be told from the commit. */
export const meansCommit = (name: string): boolean => name === 'HEAD' || name.includes('@{');

/** Whether the Latin letters of a name are in ASCII: those of a branch are, so that everybody can type it. */
export const isLatinInAscii = (name: string): boolean => transliterated(name) === name.toLowerCase().normalize('NFC');

/**
 * The name of a branch for a name that git refuses: `Login: form v2` becomes `login-form-v2`. Slashes, dots and underscores stay where git
 * bears them, and so do letters of every alphabet but the Latin one, which is written in ASCII.
 *
 * @param platform what Windows cannot hold is left out there as well.
 */
export function branchNameFor(name: string, platform: Environment['platform']): string {
  const parts = transliterated(name)
    .split('/')
    .map((part) =>
      part
        .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
        .replace(/\.{2,}/g, '.')
        .replace(/-{2,}/g, '-')
        .replace(/^[-.\p{M}]+/u, '')
        .replace(/(?:[-.]|\.lock)+$/, ''),
    )
    .filter((part) => part !== '');
  const derived = [...parts.join('/')].slice(0, longestDerived).join('');
  const branch = derived.replace(/(?:[-./]|\.lock)+$/, '') || slugOf(name);
  return platform === 'win32' ? fitForWindows(branch) : branch;
}
