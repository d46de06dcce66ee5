import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import { withFileLock } from '../base/fileLock.ts';
import { isWithin, relativeTo, samePlace, withSlashes } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { lookAt } from '../worktree/condition.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { relocationMessages } from '../messages/relocation.ts';

/** The worktrees whose links {@link relink} would put right. */
export function outOfLink({ worktrees }: Snapshot): Worktree[] {
  return worktrees.filter(({ condition, staleLink }) => condition === 'moved' || staleLink);
}

/**
 * Puts the two links of a worktree right that was found where git does not look for it: its `.git` file and the file `gitdir` of its
 * admin directory, as `git worktree repair <path>` would. Git's own command also rewrites the `.git` files of all other worktrees, and
 * in a copy of a repository those are the original's; so it is not run.
 *
 * A `.git` file that had lost its admin directory becomes a relative one below the main root. Every version of git reads that, and it
 * is right wherever the repository is seen: a container and its host that use the same folder at two paths both work from then on.
 * New worktrees have absolute ones, as git makes them, because `git worktree move` before git 2.48 breaks the others.
 *
 * @returns whether anything was written.
 * @throws Problem `not-writable`; `not-found` when the folder is not the worktree's (any more).
 */
export async function relink(
  workspace: Workspace,
  { name, path, gitDir }: Pick<Worktree, 'name' | 'path' | 'gitDir'>,
): Promise<boolean> {
  const { environment, repository } = workspace;
  const { commonDir, mainRoot } = repository;
  const lost = (): Problem =>
    new Problem('not-found', relocationMessages.notThatWorktree({ path, name }), {
      next: relocationMessages.listShows(),
      outcome: 'incomplete',
    });
  if (gitDir === undefined) throw lost();
  return withFileLock(environment, join(commonDir, 'worktree-stacks', 'register'), async () => {
    const { condition } = await lookAt(path, gitDir, commonDir);
    if (condition !== 'fine' && condition !== 'moved') throw lost();
    const [root, folder] = await Promise.all([realpath(mainRoot), realpath(path)]);
    if (condition === 'moved') {
      // The way is that of the disk: `..` behind a link leads out of what the link points to.
      const together = isWithin(root, folder) && isWithin(root, gitDir);
      const target = together ? relativeTo(folder, gitDir) : withSlashes(gitDir);
      await writeAtomically(join(folder, '.git'), `gitdir: ${target}\n`);
    }
    const file = join(gitDir, 'gitdir');
    const written = (await readFile(file, 'utf8').catch(() => '')).trimEnd();
    const dotGit = join(folder, '.git');
    const same = written !== '' && (await samePlace(resolve(gitDir, written), dotGit));
    // From git 2.48 on it may be relative, which earlier versions do not understand.
    if (!same)
      await writeAtomically(
        file,
        `${written === '' || isAbsolute(written) ? withSlashes(dotGit) : relativeTo(gitDir, dotGit)}\n`,
      );
    if ((await lookAt(path, gitDir, commonDir)).condition !== 'fine') throw lost();
    return condition === 'moved' || !same;
  });
}
