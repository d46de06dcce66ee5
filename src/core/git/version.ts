import { Problem } from '../base/problem.ts';
import type { Git } from './git.ts';
import { gitMessages } from '../messages/git.ts';
import type { Message } from '../messages/message.ts';

/** Git's version as numbers, most significant first. */
export type GitVersion = readonly [major: number, minor: number];

/** The oldest git that the product works with. */
export const oldestGit: GitVersion = [2, 38];

/** What a later git than this one would do better; nothing for a git that has all we use. */
export function missingIn(version: GitVersion): Message[] {
  return isAtLeast(version, [2, 39]) ? [] : [gitMessages.slowComparisons({ version: version.join('.') })];
}

/** Reads the answer of `git version`; vendors append words of their own. */
export function parseGitVersion(output: string): GitVersion | undefined {
  const match = /^git version (\d+)\.(\d+)/.exec(output);
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

/** Whether a version is the wanted one or later. */
export function isAtLeast(version: GitVersion, wanted: GitVersion): boolean {
  return version[0] > wanted[0] || (version[0] === wanted[0] && version[1] >= wanted[1]);
}

/**
 * The version of the git behind the door.
 *
 * @throws Problem `no-git` when it cannot be started, `old-git` when it is older than {@link oldestGit}.
 */
export async function requireGit(git: Git, cwd: string): Promise<GitVersion> {
  const output = await git.text(['version'], { cwd });
  const version = parseGitVersion(output);
  if (version && !isAtLeast(version, oldestGit)) {
    throw new Problem(
      'old-git',
      gitMessages.gitWorktreeStacks({ version: version.join('.'), oldestGit: oldestGit.join('.') }),
      { next: gitMessages.updateGit() },
    );
  }
  return version ?? oldestGit;
}
