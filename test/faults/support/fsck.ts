import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * What `git fsck` says of a worktree that git was still making when the disk became read-only: git itself cannot remove what it has begun
 * then, and neither can anybody else. It has to be gone once the disk can be written to.
 */
const begun =
  /^git fsck: (?:error: invalid worktrees\/[^/]+\/HEAD|error: worktrees\/[^/]+\/HEAD: detached HEAD points at nothing|fatal: failed to read \S+\/commondir: Success)$/;

/** What is wrong in a repository, by git's own account: a line for each thing. */
export async function unsoundness(root: string, variables: Readonly<Record<string, string>>): Promise<string[]> {
  try {
    await execute('git', ['fsck', '--no-dangling', '--no-progress'], { cwd: root, env: variables });
    return [];
  } catch (thrown) {
    const words = (thrown as { stderr?: string }).stderr ?? String(thrown);
    return words
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `git fsck: ${line.trim()}`);
  }
}

/** Whether something is wrong, and nothing but that git was still making a worktree. */
export function isOnlyBegun(unsound: readonly string[]): boolean {
  return unsound.length > 0 && unsound.every((line) => begun.test(line));
}
