import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rename, rmdir } from '../base/heldFiles.ts';
import { Problem, messageOf } from '../base/problem.ts';
import { notInSight, sightOf } from '../worktree/pathVisibility.ts';
import { isWithin, upFrom } from '../base/paths.ts';
import { makeFolders } from '../base/sharing.ts';
import { checkOut, firstMissing, setMode } from '../create/checkout.ts';
import { addWorktree, whileRegistering } from '../create/register.ts';
import { requireOwnTree } from '../create/ownTree.ts';
import { makeBranch } from '../create/madeBranch.ts';
import { restoreBytes } from '../operations/exactBytes.ts';
import { treeDiff } from '../worktree/rawTrees.ts';
import { copyFiles, findCopies } from '../create/copyIgnored.ts';
import type { RemoveOperation, ReverseOperation } from '../operations/operation.ts';
import { runOperation, type OperationKind, type Phases } from '../operations/runner.ts';
import { reserve } from '../operations/store.ts';
import { sparsePatterns } from '../worktree/adminDir.ts';
import type { Progress } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { finishRestore, isInPlace, rollBackRestore, type RestoredWorktree } from './restoreSteps.ts';
import { restoreKept } from './restoreKept.ts';
import type { RestoreData } from './restoreData.ts';
import { planRestore, refuseUndone, type RestorePlan } from './restorePlan.ts';
import { planRestoreAdmin, restoreAdmin } from './restoreAdminDir.ts';
import { restoreMessages } from '../messages/restore.ts';

/** `wt undo` of a removal: the rename of the built worktree to its path is the commit point. */
export const restoreKind: OperationKind<RestoreData, RestoredWorktree> = {
  name: 'restore',
  describe: ({ removal: { name } }) => restoreMessages.restoring({ name }),
  startsGit: true,
  notesCommit: true,
  async isCommitted({ repository }, data) {
    if (await isInPlace(data)) return true;
    // Its path may be on a disk that is away, with the worktree on it. The folder that it is built in is made for it alone: seen empty,
    // it proves that the disk is there.
    const { name, path } = data.removal;
    const seen = await Promise.all([dirname(data.aside), path].map((each) => sightOf(each, repository)));
    if (!seen.includes('there') && seen.includes('unknown'))
      throw notInSight(restoreMessages.restoring({ name }), path);
    return false;
  },
  finish: finishRestore,
  rollBack: rollBackRestore,
};

/**
 * Restores a removed worktree: branch, folder, uncommitted work staged and not, registry entry, agent. It is built beside its path and
 * renamed to it as a whole.
 *
 * @param of the removal.
 * @param operation the undo, to be remembered when it is done.
 * @throws Problem as {@link planRestore}, which is asked again once nobody else can work on it; `taken` when something has appeared at
 *   its path, `usage` when it was restored meanwhile, `git-failed`; then everything is as it was.
 */
export async function restoreWorktree(
  workspace: Workspace,
  of: RemoveOperation,
  operation: ReverseOperation,
  options: { readonly progress?: Progress | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<ReverseOperation> {
  if (of.removal.admin) return restoreAdmin(workspace, of, operation, options.signal);
  const { path, slug, name } = of.removal;
  const folder = join(dirname(path), `.restore-${slug}-${randomBytes(4).toString('hex')}`);
  const plan = async (): Promise<RestoreData> => {
    await refuseUndone(workspace, of);
    return {
      ...(await planRestore(workspace, of, options.signal)),
      operation,
      aside: join(folder, basename(path)),
      note: `wt ${operation.title} (${operation.id})`,
    };
  };
  const phases: Phases<RestoreData, RestoredWorktree> = {
    async prepare({ data }) {
      options.progress?.(restoreMessages.restoring({ name }));
      await build(workspace, data, options.signal);
    },
    commit: ({ data }) => putInPlace(data),
  };
  return (await runOperation(workspace, restoreKind, () => reserve(workspace, restoreKind.name, slug, plan), phases))
    .operation;
}

/**
 * Checks whether a removed worktree can be restored, however it was removed.
 *
 * @throws Problem as {@link planRestore}.
 */
export function planToRestore(workspace: Workspace, of: RemoveOperation, signal?: AbortSignal): Promise<RestorePlan> {
  return of.removal.admin ? planRestoreAdmin(workspace, of, signal) : planRestore(workspace, of, signal);
}

async function build(workspace: Workspace, data: RestoreData, signal: AbortSignal | undefined): Promise<void> {
  const { git, repository, configuration } = workspace;
  const { removal, aside } = data;
  const { branch, head, changes, index, settings, bytes = [] } = removal;
  const own = dirname(aside);
  const firstMade = await firstMissing(own);
  await makeFolders(own);
  for (const at of [...upFrom(own)].slice(1).filter((each) => isWithin(firstMade, each)))
    await setMode(at, configuration, repository.commonDir);
  const record = await whileRegistering(workspace, async () => {
    if (data.makesBranch && branch !== undefined)
      await makeBranch(workspace, { name: branch, oid: head, note: data.note }, signal);
    return addWorktree(workspace, aside, branch === undefined ? { commit: head } : { branch }, signal);
  });
  for (const { file, text } of settings) {
    await mkdir(dirname(join(record, file)), { recursive: true });
    await writeFile(join(record, file), text);
  }
  const place = { name: removal.name, path: aside };
  await requireOwnTree(workspace, place, signal);
  await setMode(aside, configuration, repository.commonDir);
  await checkOut(workspace, place, signal);
  const here = { cwd: aside, writes: true, signal };
  if (changes !== undefined) {
    await git.text(['read-tree', '-m', '-u', 'HEAD', changes], here);
    if (bytes.length > 0) {
      const tree = { path: aside, gitDir: record };
      await restoreBytes(workspace, tree, bytes, await treeDiff(workspace, head, changes, signal));
    }
  }
  if (changes !== undefined || index !== undefined) {
    await git.text(['read-tree', index ?? 'HEAD'], here);
    // It exits with 1 where files differ from the index, as they are meant to.
    await git.run(['update-index', '-q', '--refresh'], here);
    // The index as it was says nothing of which files are not to be there.
    if (settings.some(({ file }) => file === sparsePatterns)) await git.text(['sparse-checkout', 'reapply'], here);
  }
  // What was kept comes first: a copy does not replace what is there.
  await restoreKept(workspace, data, record);
  await copyFiles(repository.mainRoot, aside, await findCopies(workspace, signal), signal);
}

/** From here on it is there. */
async function putInPlace({ aside, removal: { path } }: RestoreData): Promise<void> {
  // An empty folder was seen there, and Windows renames over nothing.
  await rmdir(path).catch(() => undefined);
  await rename(aside, path).catch((thrown: unknown) => {
    throw new Problem('taken', restoreMessages.notPutBack({ path, reason: messageOf(thrown) }), {
      file: path,
      next: restoreMessages.lookThenAgain(),
      outcome: 'incomplete',
      cause: thrown,
    });
  });
}
