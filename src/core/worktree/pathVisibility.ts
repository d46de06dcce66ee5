import { lstat, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isWithin, samePath, upFrom } from '../base/paths.ts';
import { Problem, errorCode } from '../base/problem.ts';
import type { Repository } from '../repository/identity.ts';
import { worktreeMessages } from '../messages/worktree.ts';
import type { Message } from '../messages/message.ts';

/**
 * Whether something is at a path: `there`; `gone`: the folder above it can be looked at, holds other things, and not this; `unknown`: it
 * cannot be looked at now. An empty folder above may be where a disk is mounted at other times, and so may, outside of the main root, one
 * that is missing.
 */
export async function sightOf(
  path: string,
  { mainRoot }: Pick<Repository, 'mainRoot'>,
): Promise<'there' | 'gone' | 'unknown'> {
  try {
    await lstat(path);
    return 'there';
  } catch (thrown) {
    if (errorCode(thrown) !== 'ENOENT') return 'unknown';
  }
  for (const above of upFrom(dirname(path))) {
    try {
      return (await readdir(above)).length > 0 ? 'gone' : 'unknown';
    } catch (thrown) {
      if (errorCode(thrown) !== 'ENOENT' || samePath(above, mainRoot) || !isWithin(mainRoot, above)) return 'unknown';
    }
  }
  return 'unknown';
}

/** Why an operation that was killed is neither completed nor rolled back now. */
export function notInSight(what: Message, path: string): Problem {
  return new Problem('in-use', worktreeMessages.interruptedCannotLooked({ what, path }), {
    file: path,
    next: worktreeMessages.makeFolderVisible(),
    outcome: 'incomplete',
  });
}
