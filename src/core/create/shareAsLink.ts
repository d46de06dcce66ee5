import { dirname, join } from 'node:path';
import { copyLink } from '../base/copyLink.ts';
import { isWithin, relativeTo } from '../base/paths.ts';
import { treeBytes } from '../base/treeBytes.ts';
import { ignoreToo } from '../repository/ignoreRules.ts';
import { escapePattern } from '../repository/ignoreRule.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Share } from './findShares.ts';
import type { SharedPath } from './shared.ts';
import { dropShares } from './unfinishedShares.ts';

/**
 * Makes a link to something of the main working tree in a new worktree. Git takes a link for a file, which a rule such as `node_modules/` does
 * not ignore: then the repository gets one that does.
 *
 * @returns what was shared, or why it was left out.
 */
export async function linkTo(
  workspace: Workspace,
  mainRoot: string,
  worktree: string,
  { path }: Share,
  signal: AbortSignal | undefined,
): Promise<SharedPath | Message> {
  const { environment, git, repository } = workspace;
  const [source, target] = [join(mainRoot, path), join(worktree, path)];
  // Below the main root both move together; elsewhere each is moved alone.
  const link = isWithin(mainRoot, worktree) ? relativeTo(dirname(target), source) : source;
  if ((await copyLink(source, link, target)) === 'copy')
    return { path, how: 'copy', ...(await treeBytes(source)), saved: 0 };
  const isIgnored = async (): Promise<boolean> => {
    const answer = await git.run(['check-ignore', '-q', '--', path], { cwd: worktree, signal });
    return answer.exitCode === 0;
  };
  if (!(await isIgnored())) {
    await ignoreToo(environment, repository, `/${escapePattern(path)}`);
    if (!(await isIgnored())) {
      await dropShares(worktree, [path]);
      return createMessages.notIgnoredThere();
    }
  }
  const size = await treeBytes(source, signal);
  return { path, how: 'link', ...size, saved: size.bytes };
}
