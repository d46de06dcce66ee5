import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem, messageOf } from '../base/problem.ts';
import { ensureIgnored } from '../repository/ignoreRules.ts';
import { isThere } from './checkout.ts';
import { copyFiles, findCopies } from './copyIgnored.ts';
import { createDataOf, type CreateData } from './createJournal.ts';
import { becomeActive, enterIntoRegistry, enterIntoTracking } from './createRecords.ts';
import { assignTask } from '../tasks/assign.ts';
import { isAbandoned, type JournalRecord } from '../operations/journal.ts';
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
import type { Workspace } from '../worktree/workspace.ts';

/** So long after it began, in milliseconds, no git process of an interrupted creation makes anything new any more. */
const settlingTime = 2000;

/**
 * Completes or takes back the creation of a worktree whose process has died. With all of the commit's files there it is
 * completed, except for setup, which would surprise whoever runs another command now; otherwise it is taken back. Running it
 * twice is harmless.
 *
 * @throws Problem `would-lose-work` when it would have to be taken back but holds files that are neither from the commit nor ours;
 *   the worktree stays as it is then.
 */
export async function mendCreate(workspace: Workspace, record: JournalRecord): Promise<void> {
  const data = createDataOf(record);
  await settle(workspace, record);
  if (await isUnfinished(workspace, data.path)) return takeBack(workspace, data, { folder: true });
  // The repository may have been moved since; then git's own links lead nowhere.
  await relinkMoved(workspace);
  const listed = await findListed(workspace, data.path);
  const isOurs = listed?.branch === data.branch;
  // A folder that git does not know can only be ours as far as its files are those of the commit.
  const made = { folder: isOurs || (!listed && (await isThere(data.path))) };
  await refuseUnseen(workspace, data, isOurs ? listed : undefined);
  const gitDir = isOurs && listed.condition === 'fine' ? listed.gitDir : undefined;
  if (gitDir === undefined || !(await isThere(join(gitDir, 'index')))) return takeBack(workspace, data, made);
  try {
    await requireOwnTree(workspace, data, undefined);
    await complete(workspace, data);
  } catch (thrown) {
    // A submodule that cannot be had would keep it half made for ever, and so would files that are somewhere else.
    if (!Problem.is(thrown, 'git-failed') && !Problem.is(thrown, 'inconsistent')) throw thrown;
    await takeBack(workspace, data, made);
  }
}

/**
 * A worktree that has its files may have been worked in since. Where its folder is not seen now it is not taken back.
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
  if ((await sightOf(join(path, '.git'), repository)) === 'unknown') throw notInSight(`Creating ${name}`, path);
}

async function complete(workspace: Workspace, data: CreateData): Promise<void> {
  const { configuration, environment, git, repository } = workspace;
  await ensureIgnored(environment, git, repository, configuration, undefined, data.relativePath);
  const { warnings } = await initSubmodules(workspace, data);
  const copied = await copyFiles(repository.mainRoot, data.path, await findCopies(workspace));
  await enterIntoRegistry(workspace, data);
  const notHandedOut = await assignTask(workspace, data).then(
    () => [],
    (thrown: unknown) => [messageOf(thrown)],
  );
  const notActive = await becomeActive(workspace, data, { unlessNewer: true });
  const notTracked = await enterIntoTracking(workspace, data);
  for (const warning of [warnings, copied.warnings, notHandedOut, notActive, notTracked].flat())
    environment.log.warn(warning);
  environment.log.info(
    `Completed ${data.relativePath}. Setup commands were not run; \`wt setup ${quoted(data.name)}\` does.`,
  );
}

async function takeBack(workspace: Workspace, data: CreateData, made: { readonly folder: boolean }): Promise<void> {
  const foreign = made.folder ? await foreignFiles(workspace, data, { own: [], thorough: true }) : [];
  if (foreign.length === 0) return rollBackCreate(workspace, data, made);
  throw new Problem(
    'would-lose-work',
    `Creating ${data.relativePath} was interrupted, and it holds files that are not from the commit.`,
    {
      file: data.path,
      next: 'move the files below away, then run any `wt` command to have the rest removed',
      items: foreign.slice(0, 20),
      outcome: 'incomplete',
    },
  );
}

/**
 * Git processes outlive the one that started them. The short ones, which would make a branch or a record behind our back, have ended
 * after this; one that still writes files ends when its folder is gone.
 */
async function settle({ environment }: Workspace, record: JournalRecord): Promise<void> {
  if (isAbandoned(record)) return;
  const age = environment.now().getTime() - Date.parse(record.started);
  if (age >= 0 && age < settlingTime) await delay(settlingTime - age);
}
