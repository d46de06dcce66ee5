import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { rm, rmdir } from '../base/heldFiles.ts';
import { withSlashes } from '../base/paths.ts';
import { writeAtomically } from '../base/atomicFile.ts';
import { Problem } from '../base/problem.ts';
import { writeAgent } from '../claude/agentFiles.ts';
import { gitFileTarget } from '../git/gitFile.ts';
import { updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import { readActive, writeActive } from '../repository/stateFile.ts';
import { runPostCheckout } from '../create/checkout.ts';
import { trackAgain } from '../repository/trackingFile.ts';
import { enterIntoTracking } from '../create/createRecords.ts';
import { deleteMadeBranch } from '../create/madeBranch.ts';
import { initSubmodules } from '../create/submodules.ts';
import { dropUnfinished } from '../create/dropUnfinished.ts';
import type { RemovedWorktree, ReverseOperation } from '../operations/operation.ts';
import { quoted } from '../base/quoted.ts';
import { notTracked, syncTracking } from '../lifecycle/tracking.ts';
import { deleteFolder } from '../base/deleteFolder.ts';
import { dropKept } from '../operations/keptFolder.ts';
import { lateWorkIn } from '../trash/trash.ts';
import { trashEntry } from '../trash/trashEntry.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { RestoreData } from './restoreData.ts';
import { restoreBranchLog } from './restoreKept.ts';
import type { RestorePlan } from './restorePlan.ts';
import { restoreTasks } from './restoreTasks.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import type { Message } from '../messages/message.ts';
import { reserveOrSay } from '../worktree/ports.ts';
import { portList } from '../repository/portBlock.ts';
import { worktreeMessages } from '../messages/worktree.ts';
import { restoreMessages } from '../messages/restore.ts';

/** What restoring a worktree gives. */
export interface RestoredWorktree {
  readonly operation: ReverseOperation;
}

/**
 * Removes what was begun of a worktree that is not at its path yet. Doing it twice is harmless.
 *
 * @throws Problem when something of it could not be removed.
 */
export async function rollBackRestore(workspace: Workspace, data: RestoreData): Promise<void> {
  const { aside, removal, makesBranch, note, operation } = data;
  await deleteFolder(dirname(aside));
  await dropUnfinished(workspace, aside, new Date(operation.started));
  // Whoever has checked it out or moved it meanwhile keeps it.
  if (makesBranch && removal.branch !== undefined)
    await deleteMadeBranch(workspace, { name: removal.branch, oid: removal.head, note });
}

/**
 * Whether a worktree was renamed to its path, as seen by another process that cannot ask what was written down: until
 * {@link finishRestore} has connected them, its admin directory names the folder that it was built in, which has a random name. Somebody
 * may have made another worktree at the path.
 */
export async function isInPlace({ aside, mark, operation, removal: { path } }: RestoreData): Promise<boolean> {
  const adminDir = await adminDirOf(path, aside);
  if (adminDir === undefined) return false;
  const textOf = (file: string): Promise<string> => readFile(join(adminDir, file), 'utf8').catch(() => '');
  const builtIn = basename(dirname(dirname((await textOf('gitdir')).trimEnd())));
  return builtIn === basename(dirname(aside)) || (mark !== undefined && (await textOf(mark)) === operation.id);
}

/** Everything after a worktree was renamed to its path; doing it twice is harmless. */
export async function finishRestore(workspace: Workspace, data: RestoreData): Promise<RestoredWorktree> {
  const { removal, operation } = data;
  const { name, path, branch } = removal;
  const adminDir = await connect(data);
  await rmdir(dirname(data.aside)).catch(() => undefined);
  await restoreSettings(workspace, data);
  await restoreBranchLog(workspace, data);
  const notes = [
    ...(await restoreRecords(workspace, data, adminDir)),
    ...(await restoreTasks(workspace, removal)),
    ...notesOn(data),
  ];
  if (removal.hadSubmodules) notes.push(...(await submodules(workspace, data)));
  const late = await lateWorkIn(workspace.git, trashEntry(workspace.repository, removal.bin));
  if (late) notes.push(late.what);
  notes.push(...(await runPostCheckout(workspace, { path, startCommit: removal.head }, undefined)));
  if (removal.hadAgent && branch !== undefined)
    notes.push(...(await writeAgent(workspace, { name, slug: removal.slug, path, branch })).notes);
  // It is where it was by now; who is killed here does all of the above once more, with nothing left to put back.
  await dropKept(workspace.repository, removal.kept).catch((thrown: unknown) => {
    if (!Problem.is(thrown)) throw thrown;
    notes.push(thrown.what);
  });
  return { operation: { ...operation, state: 'done', restored: [{ name, path }], notes } };
}

/** Connects the admin directory and the working tree, which was moved since they were made. */
async function connect({ aside, mark, removal: { path } }: RestoreData): Promise<string | undefined> {
  const adminDir = await adminDirOf(path, aside);
  if (adminDir === undefined) return undefined;
  await writeAtomically(join(adminDir, 'gitdir'), `${withSlashes(join(path, '.git'))}\n`);
  await writeAtomically(join(path, '.git'), `gitdir: ${withSlashes(adminDir)}\n`);
  if (mark !== undefined) await rm(join(adminDir, mark), { force: true });
  return adminDir;
}

/** The admin directory that a working tree names, by a path that may still be relative to where it was built. */
async function adminDirOf(path: string, aside: string): Promise<string | undefined> {
  const target = gitFileTarget(await readFile(join(path, '.git'), 'utf8').catch(() => ''));
  if (target === undefined) return undefined;
  const here = resolve(path, target);
  return (await stat(join(here, 'HEAD')).catch(() => undefined)) ? here : resolve(aside, target);
}

/** Gives a branch that was made again the settings that went with it. */
export async function restoreSettings(
  { git, repository }: Workspace,
  { removal, makesBranch }: Pick<RestorePlan, 'removal' | 'makesBranch'>,
): Promise<void> {
  if (!makesBranch) return;
  const at = { writes: true };
  const names = [...new Set(removal.branchSettings.map(([name]) => name))];
  for (const name of names) {
    const { stdout } = await git.in(repository.commonDir).run(['config', '--local', '-z', '--get-all', name], at);
    const there = new Set(fieldsOf(stdout));
    for (const [, value] of removal.branchSettings.filter(([each]) => each === name))
      if (!there.has(value)) await git.in(repository.commonDir).text(['config', '--local', '--add', name, value], at);
  }
}

/**
 * Puts back what the registry, the state file and the tracking file said.
 *
 * @param gitDir git's admin directory of it, which may have another id now than the entry had.
 * @returns what the person should know.
 */
export async function restoreRecords(
  workspace: Workspace,
  { removal, repointed }: Pick<RestorePlan, 'removal' | 'repointed'>,
  gitDir: string | undefined,
): Promise<Message[]> {
  const { environment, repository } = workspace;
  const { name, path, branch, active } = removal;
  const id = removal.entry?.id === undefined || gitDir === undefined ? {} : { id: basename(gitDir) };
  const entry = removal.entry && { ...removal.entry, ...id };
  const notes: Message[] = [];
  const again = new Set(repointed);
  await updateRegistry(environment, repository, ({ worktrees }) => {
    if (entry && !worktrees.has(name)) worktrees.set(name, entry);
    for (const { name: each, from, to } of removal.repointed) {
      const dependent = worktrees.get(each);
      if (!dependent || !again.has(each) || dependent.base !== to) continue;
      worktrees.set(each, { ...dependent, base: from });
      if (dependent.pr) notes.push(restoreMessages.basedAgain({ name: each, base: from, word: quoted(each) }));
    }
  });
  notes.push(...(await restorePorts(workspace, removal, gitDir)));
  try {
    if (active && (await readActive(repository)) === undefined) await writeActive(environment, repository, active);
  } catch (thrown) {
    if (!Problem.is(thrown, 'unreadable-file')) throw thrown;
    notes.push(thrown.what);
  }
  if (entry && branch !== undefined)
    notes.push(...(await intoTracking(workspace, removal, { ...entry, path, branch })));
  return notes;
}

/** The same ports as before, where they are still free. */
async function restorePorts(
  workspace: Workspace,
  { name, path, ports: before }: RemovedWorktree,
  gitDir: string | undefined,
): Promise<Message[]> {
  if (!before || gitDir === undefined) return [];
  const holder = { name, path, main: false, id: basename(gitDir) };
  const [now, notes] = await reserveOrSay(workspace, holder, before);
  if (!now || now.first === before.first) return notes;
  return [...notes, worktreeMessages.otherPorts({ name, now: portList(now), before: portList(before) })];
}

/** Its record comes back with what other tools have written into it. */
async function intoTracking(
  workspace: Workspace,
  { tracked }: RemovedWorktree,
  entry: RegistryEntry,
): Promise<Message[]> {
  if (!tracked) return enterIntoTracking(workspace, { entry });
  try {
    const { environment, repository, configuration } = workspace;
    await trackAgain(environment, repository, configuration, tracked);
  } catch (thrown) {
    return [notTracked(thrown)];
  }
  return syncTracking(workspace);
}

function notesOn({ removal, hasKept }: RestoreData): Message[] {
  const { name, operation, others, branch, ignored, kept } = removal;
  const at = branch === undefined ? restoreMessages.withDetachedHead() : restoreMessages.onBranch({ branch });
  const word = quoted(name);
  return [
    ...(operation === undefined ? [] : [restoreMessages.operationNotRestored({ operation, name, at })]),
    ...others.map(({ what, ref, restore }) => restoreMessages.keptIn({ ref, what, restore })),
    ...(kept === undefined || hasKept ? [] : [restoreMessages.keptFilesGone()]),
    ...(ignored.count === 0 ? [] : [restoreMessages.ignoredNotKept({ files: listed(ignored), word })]),
  ];
}

function listed({ some, count }: RestoreData['removal']['ignored']): (string | Message)[] {
  return [...some, ...(count > some.length ? [restoreMessages.more({ count: count - some.length })] : [])];
}

/** One that cannot be had keeps nobody from having the rest back. */
async function submodules(workspace: Workspace, { removal }: RestoreData): Promise<readonly Message[]> {
  const { path, branch } = removal;
  if (branch === undefined) return [restoreMessages.submodulesNotInitialised()];
  try {
    return [
      ...(await initSubmodules(workspace, { path, branch })).warnings,
      ...(await otherCommits(workspace, removal)),
    ];
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    return [restoreMessages.submodulesNotInitialisedBecause({ reason: thrown.what })];
  }
}

/** Submodules that were at another commit than the committed one: they are at that now. */
async function otherCommits(
  { git }: Workspace,
  { path, head, changes }: RestoreData['removal'],
): Promise<readonly Message[]> {
  if (changes === undefined) return [];
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--diff-filter=M', '--ignore-submodules=none', head, changes];
  const records = await git.nul(args, { cwd: path });
  return records.flatMap((record, index) => {
    const [, , , oid, status] = record.split(' ');
    const at = records[index + 1];
    if (!record.startsWith(':160000 160000') || oid === undefined || status === undefined || at === undefined)
      return [];
    return [restoreMessages.submoduleWasAt({ path: at, commit: oid, folder: quoted(join(path, at)) })];
  });
}
