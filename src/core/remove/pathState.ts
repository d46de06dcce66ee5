import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isWithin, realPathOf, samePlace } from '../base/paths.ts';
import { errorCode, messageOf } from '../base/problem.ts';
import type { Repository } from '../repository/identity.ts';
import { gitFileTarget } from '../git/gitFile.ts';
import { lookAt } from '../worktree/condition.ts';
import type { Condition } from '../worktree/model.ts';
import { baseMessages } from '../messages/base.ts';
import type { Message } from '../messages/message.ts';
import { removeMessages } from '../messages/remove.ts';

/** What a removal finds at the path of a worktree. */
export interface PathState {
  readonly condition: Condition;
  /** The real path of the folder; `undefined` where there is none. */
  readonly real: string | undefined;
  /** The text of its `.git` file: whoever holds this text and git's admin directory of the path is the worktree. */
  readonly gitFile: string | undefined;
  /** For `foreign` what is there, for `broken` why, as the part of a sentence. */
  readonly what: Message | undefined;
  /** A link that leads somewhere else than where git has the worktree, and whether the worktree is at its end. */
  readonly link: { readonly at: string; readonly to: string; readonly ours: boolean } | undefined;
  /** Why it could not be read. */
  readonly trouble: string | undefined;
}

/** Inspects the path of a worktree without following a link that a stranger could have put there. Reads a few files. */
export async function readPathState(repository: Repository, path: string, gitDir: string): Promise<PathState> {
  const nothing = { real: undefined, gitFile: undefined, what: undefined, link: undefined, trouble: undefined };
  let isLink: boolean;
  try {
    const found = await lstat(path);
    isLink = found.isSymbolicLink();
    if (!isLink && !found.isDirectory())
      return { ...nothing, condition: 'foreign', what: baseMessages.aPlainFile(), real: path };
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ...nothing, condition: 'missing' };
    return { ...nothing, condition: 'broken', trouble: messageOf(thrown) };
  }
  const [real, pathState] = await Promise.all([
    realpath(path).catch(() => undefined),
    lookAt(path, gitDir, repository.commonDir),
  ]);
  const gitFile = await readFile(join(path, '.git'), 'utf8').catch(() => undefined);
  const away = isLink || (await leadsOutside(repository, path, real));
  return {
    condition: pathState.condition,
    real,
    gitFile,
    what: await describe(repository, path, pathState.condition, gitFile),
    link: away
      ? { at: path, to: real ?? 'nowhere', ours: real !== undefined && pathState.condition === 'fine' }
      : undefined,
    trouble: pathState.trouble,
  };
}

/** A path that is written as one inside the main root must be inside it in truth as well. */
async function leadsOutside(repository: Repository, path: string, real: string | undefined): Promise<boolean> {
  if (real === undefined) return false;
  const root = await realPathOf(repository.mainRoot);
  const inside = isWithin(repository.mainRoot, path) || isWithin(root, path);
  return inside && !isWithin(root, real);
}

async function describe(
  repository: Repository,
  path: string,
  condition: Condition,
  gitFile: string | undefined,
): Promise<Message | undefined> {
  const target = gitFile === undefined ? undefined : gitFileTarget(gitFile);
  if (condition === 'broken') {
    return target === undefined ? removeMessages.gitFileDamaged() : removeMessages.gitFileLeadsNowhere({ target });
  }
  if (condition !== 'foreign') return undefined;
  if (target === undefined) return removeMessages.anotherRepository();
  const holder = dirname(resolve(path, target));
  return (await samePlace(holder, join(repository.commonDir, 'worktrees')))
    ? removeMessages.anotherWorktree()
    : removeMessages.worktreeOfAnother();
}
