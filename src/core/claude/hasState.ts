import { createHash } from 'node:crypto';
import { readTextAtOnce } from '../base/plainFile.ts';
import { realPathNow } from '../base/paths.ts';

/**
 * Whether a worktree has its folder of state, made for where it is now; read without any library, since every session asks.
 *
 * The same as `stateDirectory.ts`, which makes it.
 */
export function hasState(root: string): boolean {
  try {
    const id = createHash('sha256').update(realPathNow(root)).digest('hex').slice(0, 12);
    return readTextAtOnce(`${root}/.claude-state/.worktree-id`).trim() === id;
  } catch {
    return false;
  }
}
