import { randomBytes } from 'node:crypto';
import { mkdir, rename, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Problem, messageOf } from '../base/problem.ts';
import { makeFolders } from '../base/sharing.ts';
import { checkOut } from '../create/checkout.ts';
import { addWorktree, whileRegistering } from '../create/register.ts';
import { requireOwnTree } from '../create/ownTree.ts';
import { copyFiles, findCopies } from '../create/copyIgnored.ts';
import { openJournalAndLook } from '../operations/journal.ts';
import { leftBehind } from '../operations/leftBehind.ts';
import { readOperations, undoneIds, type Operation } from '../operations/operationLog.ts';
import type { Progress } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { completeRestore, removeMark, takeRestoreBack } from './restoreSteps.ts';
import { restoreKept } from './restoreKept.ts';
import { restoreKind, type RestoreData } from './restoreData.ts';
import { sparsePatterns } from '../worktree/adminDir.ts';
import { planRestore, takenBack, type RestorePlan } from './restorePlan.ts';
import { planRestoreAdmin, restoreAdmin } from './restoreAdminDir.ts';

/**
 * Brings a removed worktree back: branch, folder, uncommitted work staged and not, registry entry, agent. It is built where nobody looks and
 * put in its place as a whole. Killed before that, the next `wt` removes what was begun; killed after it, it is completed.
 *
 * @param of the removal.
 * @param operation the undo, to be remembered when it is done.
 * @throws Problem as {@link planRestore}, which is asked again once nobody else can work on it; `taken` when something has appeared at
 *   its place, `usage` when it was brought back meanwhile, `git-failed`; then everything is as it was.
 */
export async function restoreWorktree(
  workspace: Workspace,
  of: Operation,
  operation: Operation,
  options: { readonly progress?: Progress | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Operation> {
  if (!of.removal) throw new Error(`${of.id} is no removal`);
  if (of.removal.admin) return restoreAdmin(workspace, of, operation, options.signal);
  const { path, slug, name } = of.removal;
  const { environment } = workspace;
  const folder = join(dirname(path), `.restore-${slug}-${randomBytes(4).toString('hex')}`);
  let data: RestoreData | undefined;
  const look = async (): Promise<RestoreData> => {
    if (undoneIds(await readOperations(workspace)).has(of.id)) throw takenBack(of);
    data = {
      ...(await planRestore(workspace, of, options.signal)),
      operation,
      aside: join(folder, basename(path)),
      mark: 'wt-restore',
      note: `wt ${operation.title} (${operation.id})`,
    };
    return data;
  };
  const journal = await openJournalAndLook(workspace, restoreKind, slug, look);
  if (!data) throw new Error('the journal was opened without a look');
  environment.log.debug(`[restore ${name}] journal opened`);
  try {
    options.progress?.(`Bringing ${name} back`);
    await build(workspace, data, options.signal);
    await putInPlace(data);
    environment.log.debug(`[restore ${name}] in place`);
  } catch (thrown) {
    try {
      await takeRestoreBack(workspace, data);
      await journal.close();
    } catch (second) {
      await journal.abandon();
      throw leftBehind(thrown, `Taking ${name} back`, second);
    }
    throw thrown;
  }
  try {
    const done = await completeRestore(workspace, data);
    // A mark that cannot be removed is in nobody's way; whoever comes next tries again.
    await removeMark(data).then(
      () => journal.close(),
      () => journal.abandon(),
    );
    return done;
  } catch (thrown) {
    // It is there; whoever comes next does the rest.
    await journal.abandon();
    throw thrown;
  }
}

/**
 * Looks whether a removed worktree can be brought back, however it was removed.
 *
 * @throws Problem as {@link planRestore}.
 */
export function planToRestore(workspace: Workspace, of: Operation, signal?: AbortSignal): Promise<RestorePlan> {
  return of.removal?.admin ? planRestoreAdmin(workspace, of, signal) : planRestore(workspace, of, signal);
}

async function build(workspace: Workspace, data: RestoreData, signal: AbortSignal | undefined): Promise<void> {
  const { git, repository } = workspace;
  const { removal, aside } = data;
  const { branch, head, changes, index, settings } = removal;
  await makeFolders(dirname(aside));
  const at = { cwd: repository.mainRoot, writes: true, signal };
  const record = await whileRegistering(workspace, async () => {
    if (data.makesBranch) {
      const none = '0'.repeat(head.length);
      const make = ['update-ref', '--create-reflog', '-m', data.note, `refs/heads/${branch}`, head, none];
      await git.in(repository.commonDir).text(make, at);
    }
    return addWorktree(workspace, aside, branch === undefined ? { commit: head } : { branch }, signal);
  });
  await writeFile(join(record, data.mark), data.operation.id);
  for (const { file, text } of settings) {
    await mkdir(dirname(join(record, file)), { recursive: true });
    await writeFile(join(record, file), text);
  }
  const place = { name: removal.name, path: aside };
  await requireOwnTree(workspace, place, signal);
  await checkOut(workspace, place, signal);
  const here = { cwd: aside, writes: true, signal };
  if (changes !== undefined) await git.text(['read-tree', '-m', '-u', 'HEAD', changes], here);
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
    throw new Problem('taken', `${path} could not be put back: ${messageOf(thrown)}`, {
      file: path,
      next: 'see what is there, then run the same again',
      outcome: 'incomplete',
      cause: thrown,
    });
  });
}
