import { rename, rm } from '../base/heldFiles.ts';
import type { Message } from '../messages/message.ts';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { withFileLock } from '../base/fileLock.ts';
import { isThere } from '../base/isThere.ts';
import { isWithin, realPathOf, samePlace, withSlashes } from '../base/paths.ts';
import { Problem, errorCode } from '../base/problem.ts';
import { gitFileTarget } from '../git/gitFile.ts';
import type { Repository } from '../repository/identity.ts';
import { updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import { readListing } from '../worktree/worktreeList.ts';
import { relink } from './relink.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { relocationMessages } from '../messages/relocation.ts';

/** The folder of a worktree whose admin directory git has deleted, such as by `git worktree prune` while its disk was away. */
export interface LostWorktree {
  /** The name of the admin directory, as the `.git` file has it. */
  readonly id: string;
  /** Why the admin directory cannot be made again, as what to do then, without a full stop; `undefined` when it can. */
  readonly unsupported: Message | undefined;
}

/** What an admin directory that is being made is called before it is in its place; what is left of a killed process is deleted later. */
export const rebuildPrefix = 'rebuild-';

/**
 * Looks whether the folder that an entry of the registry names is that of a worktree which git does not know any more: its `.git` file
 * names an admin directory of this repository that is gone.
 */
export async function findLost(repository: Repository, entry: RegistryEntry): Promise<LostWorktree | undefined> {
  const { commonDir, mainRoot } = repository;
  const text = await readFile(join(entry.path, '.git'), 'utf8').catch(() => '');
  const target = gitFileTarget(text);
  if (target === undefined) return undefined;
  const named = resolve(entry.path, target);
  const id = basename(named);
  if (basename(dirname(named)) !== 'worktrees' || (entry.id !== undefined && entry.id !== id)) return undefined;
  const isOurs = await samePlace(dirname(dirname(named)), commonDir).catch(() => false);
  // In a repository that was moved the name is what is left; far away that would be weak proof.
  const movedAlong = isWithin(mainRoot, entry.path) && !(await isThere(dirname(dirname(named))));
  if ((!isOurs && !movedAlong) || (await isThere(join(commonDir, 'worktrees', id)))) return undefined;
  const unsupported = (await isThere(join(commonDir, 'reftable')))
    ? relocationMessages.moveAwayAndBack({ branch: entry.branch })
    : undefined;
  return { id, unsupported };
}

/**
 * Makes the admin directory of a lost worktree again: `HEAD` on the branch that the registry has, the index as that branch has the files.
 * The files themselves are not touched, so what was not committed shows as changed. Killed before the end, nothing was done.
 *
 * @throws Problem `in-use` when the branch is checked out elsewhere by now, `taken` when git has given the id away, `not-found`.
 */
export async function rebuildAdminDir(
  workspace: Workspace,
  name: string,
  entry: RegistryEntry,
  { id }: LostWorktree,
): Promise<void> {
  const { environment, git, repository } = workspace;
  const { commonDir } = repository;
  const { path, branch } = entry;
  const gitDir = join(commonDir, 'worktrees', id);
  const refused = (reason: 'in-use' | 'taken' | 'not-found', why: Message): Problem =>
    new Problem(reason, relocationMessages.adminDirNotRebuilt({ name, why }), {
      next: relocationMessages.runDoctorAgain(),
      outcome: 'incomplete',
    });
  await withFileLock(environment, join(commonDir, 'worktree-stacks', 'register'), async () => {
    const listing = await readListing(workspace, new AbortController().signal);
    const holder = listing.find((listed) => listed.branch === branch);
    if (holder) throw refused('in-use', relocationMessages.checkedOut({ branch, holderPath: holder.path }));
    if ((await findLost(repository, entry))?.id !== id) throw refused('not-found', relocationMessages.folderChanged());
    const draft = join(commonDir, 'worktree-stacks', `${rebuildPrefix}${environment.pid}-${id}`);
    await rm(draft, { recursive: true, force: true });
    try {
      await mkdir(draft, { recursive: true });
      const folder = await realPathOf(path);
      await writeFile(join(draft, 'commondir'), '../..\n');
      await writeFile(join(draft, 'gitdir'), `${withSlashes(join(folder, '.git'))}\n`);
      await writeFile(join(draft, 'HEAD'), `ref: refs/heads/${branch}\n`);
      const inDraft = [`--git-dir=${draft}`, `--work-tree=${folder}`];
      await git.text([...inDraft, 'read-tree', `refs/heads/${branch}`], { cwd: folder, writes: true });
      // It exits with 1 where files differ from the index, as they may.
      await git.run([...inDraft, 'update-index', '-q', '--refresh'], { cwd: folder, writes: true });
      await mkdir(dirname(gitDir), { recursive: true });
      await rename(draft, gitDir);
    } catch (thrown) {
      await rm(draft, { recursive: true, force: true });
      if (['ENOTEMPTY', 'EEXIST'].includes(errorCode(thrown) ?? ''))
        throw refused('taken', relocationMessages.idTaken({ id }));
      throw thrown;
    }
  });
  await relink(workspace, { name, path, gitDir });
  await updateRegistry(environment, repository, ({ worktrees }) => {
    const now = worktrees.get(name);
    if (now) worktrees.set(name, { ...now, id });
  });
}
