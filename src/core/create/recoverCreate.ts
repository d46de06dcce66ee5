import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { isThere } from '../base/isThere.ts';
import { Problem, whatOf } from '../base/problem.ts';
import { ensureIgnored } from '../repository/ignoreRules.ts';
import { gitDirOf } from '../git/gitFile.ts';
import { copyFiles, findCopies } from './copyIgnored.ts';
import { freshIndex } from './verifyFiles.ts';
import { createKindName, describedBy, type CreateData } from './createData.ts';
import { becomeActive, enterIntoRegistry, enterIntoTracking } from './createRecords.ts';
import { assignTask } from '../tasks/assign.ts';
import { undoneIds } from '../operations/operation.ts';
import { readOperations } from '../operations/store.ts';
import type { OperationKind } from '../operations/runner.ts';
import { isUnfinished } from './dropUnfinished.ts';
import { findListed } from '../worktree/findListed.ts';
import type { Listing } from '../worktree/worktreeList.ts';
import { relinkMoved } from '../relocation/relinkMoved.ts';
import { notInSight, sightOf } from '../worktree/pathVisibility.ts';
import { quoted } from '../base/quoted.ts';
import { initSubmodules } from './submodules.ts';
import { foreignFiles } from './foreignFiles.ts';
import { requireOwnTree } from './ownTree.ts';
import { rollBackCreate } from './rollBackCreate.ts';
import { reserveOrSay } from '../worktree/ports.ts';
import { dropUnfinishedShares } from './unfinishedShares.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { createMessages } from '../messages/create.ts';
import { textOf } from '../messages/message.ts';

/** `wt create`. It is past its commit point once all files of the commit are there. */
export const createKind: OperationKind<CreateData> = {
  name: createKindName,
  describe: ({ relativePath }) => createMessages.creating({ what: relativePath }),
  startsGit: true,
  async isCommitted(workspace, data) {
    if (await isUnfinished(workspace, data.path)) return false;
    if (data.carries !== undefined && !(await isStanding(workspace, data.carries))) return false;
    // The repository may have been moved since; then git's own links lead nowhere.
    await relinkMoved(workspace);
    const found = await findListed(workspace, data.path);
    const listed = found?.branch === data.branch ? found : undefined;
    await refuseUnseen(workspace, data, listed);
    const gitDir = listed?.condition === 'fine' ? listed.gitDir : undefined;
    return gitDir !== undefined && (await isThere(join(gitDir, 'index')));
  },
  async finish(workspace, data) {
    try {
      await requireOwnTree(workspace, data, undefined);
      await complete(workspace, data);
    } catch (thrown) {
      // A submodule that cannot be fetched would keep it half made for ever, and so would files that are somewhere else.
      if (!Problem.is(thrown, 'git-failed') && !Problem.is(thrown, 'inconsistent')) throw thrown;
      await rollBack(workspace, data);
    }
    return { operation: undefined };
  },
  rollBack,
};

/** Whether an operation was done and not undone since. */
async function isStanding(workspace: Workspace, id: string): Promise<boolean> {
  const operations = await readOperations(workspace);
  return operations.some((each) => each.id === id && each.state === 'done') && !undoneIds(operations).has(id);
}

/** A folder that git does not know can only be ours as far as its files are those of the commit. */
async function hasOurFolder(workspace: Workspace, { path, branch }: CreateData): Promise<boolean> {
  const listed = await findListed(workspace, path);
  return listed ? listed.branch === branch : isThere(path);
}

/**
 * A worktree that has its files may have been worked in since. Where its folder is not seen now it is not rolled back.
 *
 * @throws Problem `in-use`.
 */
async function refuseUnseen(
  { repository }: Workspace,
  { name, path }: CreateData,
  listed: Listing | undefined,
): Promise<void> {
  const hasFiles = listed?.gitDir !== undefined && (await isThere(join(listed.gitDir, 'index')));
  if (!hasFiles || listed.condition === 'fine') return;
  if ((await sightOf(join(path, '.git'), repository)) === 'unknown')
    throw notInSight(createMessages.creating({ what: name }), path);
}

async function complete(workspace: Workspace, data: CreateData): Promise<void> {
  const { configuration, environment, git, repository } = workspace;
  await ensureIgnored(environment, git, repository, configuration, undefined, data.relativePath);
  const gitDir = await gitDirOf(data.path);
  if (gitDir !== undefined) await rm(join(gitDir, freshIndex), { force: true });
  const unshared = await dropUnfinishedShares(data.path);
  const { warnings } = await initSubmodules(workspace, data);
  const copied = await copyFiles(repository.mainRoot, data.path, await findCopies(workspace));
  await enterIntoRegistry(workspace, data);
  const [, noPorts] = await reserveOrSay(workspace, describedBy(data));
  const notAssigned = await assignTask(workspace, data).then(
    () => [],
    (thrown: unknown) => [whatOf(thrown)],
  );
  const notActive = await becomeActive(workspace, data, { unlessNewer: true });
  const notTracked = await enterIntoTracking(workspace, data);
  for (const warning of [warnings, copied.warnings, noPorts, notAssigned, notActive, notTracked].flat())
    environment.log.warn(textOf(warning));
  if (unshared.length > 0)
    environment.log.warn(`${unshared.join(', ')} had not come along completely, and was left out.`);
  environment.log.info(
    `Completed ${data.relativePath}. Setup commands were not run; \`wt setup ${quoted(data.name)}\` does.`,
  );
}

/** @throws Problem `would-lose-work` when it holds files that are neither from the commit nor ours; the worktree stays as it is then. */
async function rollBack(workspace: Workspace, data: CreateData): Promise<void> {
  const made = { folder: (await isUnfinished(workspace, data.path)) || (await hasOurFolder(workspace, data)) };
  if (made.folder) await dropUnfinishedShares(data.path);
  const foreign = made.folder ? await foreignFiles(workspace, data, { own: [], thorough: true }) : [];
  if (foreign.length === 0) return rollBackCreate(workspace, data, made);
  throw new Problem('would-lose-work', createMessages.creatingInterruptedHolds({ relativePath: data.relativePath }), {
    file: data.path,
    next: createMessages.moveFilesBelow(),
    items: foreign.slice(0, 20),
    outcome: 'incomplete',
  });
}
