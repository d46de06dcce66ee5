import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { copyFiles } from './copyIgnored.ts';
import type { Share } from './findShares.ts';
import type { SharedPath } from './shared.ts';
import { dropShares } from './unfinishedShares.ts';
import { shareFiles, type ShareOptions } from './shareFiles.ts';

/** What came along of the git-ignored files of the main working tree. */
export interface BroughtIgnored {
  readonly shared: readonly SharedPath[];
  /** The files that were copied, relative to the worktree. */
  readonly files: readonly string[];
  readonly warnings: readonly Message[];
}

/**
 * Brings git-ignored files to a new worktree: first what is shared, as of that no single file is copied, then the copies.
 *
 * @throws Problem `not-writable`, `cancelled`; nothing is shared then.
 */
export async function bringIgnored(
  workspace: Workspace,
  worktree: string,
  shares: readonly Share[],
  copies: readonly string[],
  options: ShareOptions,
): Promise<BroughtIgnored> {
  const { shared, warnings } = await shareFiles(workspace, worktree, shares, options);
  const isShared = (path: string): boolean =>
    shared.some((each) => path === each.path || path.startsWith(`${each.path}/`));
  const paths = copies.filter((path) => !isShared(path));
  if (paths.length > 0) options.progress?.(createMessages.copying({ count: paths.length }));
  try {
    const copied = await copyFiles(workspace.repository.mainRoot, worktree, paths, options.signal);
    return { files: copied.files, shared, warnings: [...warnings, ...copied.warnings] };
  } catch (thrown) {
    const drop = shared.map(({ path }) => path);
    await dropShares(worktree, drop);
    throw thrown;
  }
}
