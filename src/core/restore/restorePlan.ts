import type { Message } from '../messages/message.ts';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { samePath } from '../base/paths.ts';
import { isThere } from '../base/isThere.ts';
import { unfitPart } from '../base/windowsNames.ts';
import { whyUnfit } from '../base/windowsNameProblem.ts';
import { clashingBranch, fitName } from '../create/fitName.ts';
import { relativeTo } from '../base/paths.ts';
import { Problem, errorCode } from '../base/problem.ts';
import type { Repository } from '../repository/identity.ts';
import { readRegistry } from '../repository/registry.ts';
import { undoneIds, type Operation, type RemoveOperation, type RemovedWorktree } from '../operations/operation.ts';
import { readOperations } from '../operations/store.ts';
import { quoted } from '../base/quoted.ts';
import { keptFolder } from '../operations/keptFolder.ts';
import { readSnapshot } from '../snapshot/snapshot.ts';
import { readAllBranches } from '../snapshot/trunk.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { restoreMessages } from '../messages/restore.ts';
import { relocationMessages } from '../messages/relocation.ts';

/** What restoring a removed worktree would do; nothing has been touched. */
export interface RestorePlan {
  readonly removal: RemovedWorktree;
  /** Its branch has to be made again. */
  readonly makesBranch: boolean;
  /** Worktrees that will be based on its branch again. */
  readonly repointed: readonly string[];
  /** What was kept of it in files is still there; `false` where there was nothing. */
  readonly hasKept: boolean;
}

/**
 * Checks whether a removed worktree can be restored: at its path, under its name, with its branch where it was.
 *
 * @throws Problem `taken`, `in-use` or `not-found` (outcome incomplete) with what is in the way and what to do.
 */
export async function planRestore(
  workspace: Workspace,
  { title, removal }: RemoveOperation,
  signal?: AbortSignal,
): Promise<RestorePlan> {
  const { repository } = workspace;
  const { name, path, branch, head } = removal;
  const refused = (reason: 'taken' | 'in-use' | 'not-found' | 'invalid-name', why: Message, next: Message): Problem =>
    new Problem(reason, restoreMessages.cannotUndoneBecause({ why, title }), {
      next,
      items: keptBy(removal, repository),
      outcome: 'incomplete',
    });
  const { worktrees, namesake, branches, registry, repointed } = await readAround(workspace, removal, signal);
  const unfit = unfitForWindows(workspace, removal);
  if (unfit !== undefined) {
    const word = fitName(branch ?? name, branches.local.keys());
    const better = { name: quoted(fitName(name, registry.worktrees.keys())), branch: quoted(word), head };
    throw refused('invalid-name', unfit, restoreMessages.createFitForWindows(better));
  }
  if (!(await isFree(path)))
    throw refused('taken', restoreMessages.somethingElseNow({ path }), restoreMessages.moveAway({ path }));
  const entry = registry.worktrees.get(name);
  if (namesake || (entry && !samePath(resolve(repository.mainRoot, entry.path), path))) {
    throw refused(
      'taken',
      restoreMessages.anotherWorktreeNow({ name }),
      restoreMessages.renameMakesRoom({ name: quoted(name) }),
    );
  }
  const missing = await firstLost(workspace, [head, removal.changes, removal.index], signal);
  if (missing !== undefined) {
    const on = branch === undefined || branches.local.has(branch) ? '' : `-b ${quoted(branch)} `;
    const what = branch === undefined || on !== '' ? head : branch;
    const committed = restoreMessages.gitWorktreeAdd({ on, path: quoted(path), what: quoted(what) });
    throw refused(
      'not-found',
      restoreMessages.commitMissing({ missing }),
      missing === head ? restoreMessages.findCommits() : committed,
    );
  }
  const there = branch === undefined ? undefined : branches.local.get(branch);
  if (branch !== undefined) {
    const holder = worktrees.find((each) => each.branch === branch);
    if (holder)
      throw refused(
        'in-use',
        relocationMessages.checkedOut({ branch, holderPath: holder.path }),
        restoreMessages.checkOutAnother(),
      );
    if (there && there.oid !== head) {
      const next = restoreMessages.createForBranch({ name: quoted(name), branch: quoted(branch) });
      throw refused('in-use', restoreMessages.movedSince({ branch, head: head.slice(0, 12) }), next);
    }
    const other = there ? undefined : clashingBranch(branches.local.keys(), branch, workspace.environment.platform);
    if (other !== undefined)
      throw refused(
        'taken',
        restoreMessages.branchNow({ other }),
        restoreMessages.renameGitBranch({ other: quoted(other) }),
      );
  }
  return {
    removal,
    makesBranch: branch !== undefined && !there,
    repointed,
    hasKept: removal.kept !== undefined && (await isThere(keptFolder(repository, removal.kept).path)),
  };
}

/** What is there now, as far as both ways of restoring a worktree check it. */
export async function readAround(
  workspace: Workspace,
  { name, slug, repointed }: RemovedWorktree,
  signal: AbortSignal | undefined,
) {
  const [{ worktrees }, branches, registry] = await Promise.all([
    readSnapshot(workspace, { withChanges: false, signal }),
    readAllBranches(workspace, signal),
    readRegistry(workspace.repository),
  ]);
  return {
    ...{ worktrees, branches, registry },
    /** Another worktree of that name. */
    namesake: worktrees.find((each) => !each.main && (each.name === name || each.slug === slug)),
    /** Its former dependents that still have the base that they got when it was removed. */
    repointed: repointed.filter((each) => registry.worktrees.get(each.name)?.base === each.to).map((each) => each.name),
  };
}

/** Whether nothing has undone a removal meanwhile. @throws Problem `usage`. */
export async function refuseUndone(workspace: Workspace, of: RemoveOperation): Promise<void> {
  if (undoneIds(await readOperations(workspace)).has(of.id)) throw undoneAlready(of);
}

/** What is to be said when an operation has been undone already. */
export function undoneAlready({ title }: Operation): Problem {
  return new Problem('usage', restoreMessages.undoneAlready({ title }), { next: restoreMessages.logShows() });
}

/** Where its work is, whatever becomes of the worktree. */
function keptBy({ changes, index, others, logged, kept }: RemovedWorktree, repository: Repository): Message[] {
  return [
    ...(changes === undefined ? [] : [restoreMessages.filesKeptIn({ ref: changes })]),
    ...(index === undefined ? [] : [restoreMessages.stagedKeptIn({ ref: index })]),
    ...others.map(({ what, ref }) => restoreMessages.otherKeptIn({ what, ref })),
    ...(logged === undefined ? [] : [restoreMessages.commitsKeptIn({ ref: logged })]),
    ...(kept === undefined ? [] : [restoreMessages.ignoredKeptIn({ folder: keptFolder(repository, kept).path })]),
  ];
}

/** Whether a folder can be put there: an empty one may be there. */
async function isFree(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length === 0;
  } catch (thrown) {
    return errorCode(thrown) === 'ENOENT';
  }
}

async function firstLost(
  { git, repository }: Workspace,
  names: readonly (string | undefined)[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const wanted = names.filter((name) => name !== undefined);
  const answer = await git
    .in(repository.commonDir)
    .text(['cat-file', '--batch-check'], { input: wanted.map((name) => `${name}^{tree}\n`).join(''), signal });
  const lines = answer.split('\n');
  return wanted.find((_, index) => !/ tree \d+$/.test(lines[index] ?? ''));
}

/** Why Windows can hold the folder or the branch of a worktree no more, which another system has removed. */
function unfitForWindows(
  { environment, repository }: Workspace,
  { path, branch }: RemovedWorktree,
): Message | undefined {
  if (environment.platform !== 'win32') return undefined;
  const folder = unfitPart(relativeTo(repository.mainRoot, path));
  if (folder !== undefined) return restoreMessages.windowsFolder({ path, why: whyUnfit(folder) });
  const unfit = branch === undefined ? undefined : unfitPart(branch);
  return unfit && restoreMessages.windowsBranch({ branch: branch ?? '', why: whyUnfit(unfit) });
}
