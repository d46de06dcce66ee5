import { asGitTakesIt } from '../base/composed.ts';
import { Problem } from '../base/problem.ts';
import { agentFile, removeAgent, writeAgent } from '../claude/agentFiles.ts';
import { readTextIfThere } from '../base/atomicFile.ts';
import { readRegistry, updateRegistry, type RegistryEntry } from '../repository/registry.ts';
import { readActive, writeActive } from '../repository/stateFile.ts';
import { samePath, samePlace } from '../base/paths.ts';
import { foldedName } from '../base/windowsNames.ts';
import { branchNameFor, isBranchName, meansCommit } from '../create/branchName.ts';
import { clashingBranch, refuseDeviceName, refuseUnfitBranch } from '../create/fitName.ts';
import { checkName, chooseSlug } from '../create/resolveName.ts';
import { fillPattern } from '../repository/fillPattern.ts';
import type { Snapshot, Worktree } from '../worktree/model.ts';
import { nameWorktrees } from '../worktree/naming.ts';
import { quoted } from '../base/quoted.ts';
import { syncTracking } from '../lifecycle/tracking.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { runOnBranches, type Applied } from './apply.ts';
import {
  newOperation,
  type Operation,
  type RenameOperation,
  type Renaming,
  type ReverseOperation,
} from '../operations/operation.ts';
import type { OperationKind } from '../operations/runner.ts';
import { forgetOperation, readOperations } from '../operations/store.ts';
import { refuseStopped } from '../stack/selection.ts';
import { restackMessages } from '../messages/restack.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

/** All that is needed to finish a renaming: the operation that is remembered then. */
export interface RenameData {
  readonly operation: (RenameOperation | ReverseOperation) & { readonly renaming: Renaming };
}

/** A renaming, and what a person may not expect of it. */
export interface RenamePlan {
  readonly renaming: Renaming;
  readonly notes: readonly Message[];
}

/**
 * What renaming a worktree would do. Its folder stays where it is: editors, shells and agents are in it. Its branch is renamed with it
 * when it is called as the team's pattern says, unless it was pushed: the host knows it by its name.
 *
 * @param asked.branch the branch's new name, whatever else holds.
 * @throws Problem `invalid-name`, `taken`, `usage` for a worktree that has no name of its own, `in-use` for an operation under way.
 */
export async function planRename(
  workspace: Workspace,
  snapshot: Snapshot,
  worktree: Worktree,
  asked: { readonly name: string; readonly branch?: string | undefined },
): Promise<RenamePlan> {
  const { repository } = workspace;
  const { entry, main, branch, path, operation } = worktree;
  if (main || !entry || branch === undefined) {
    const why = main
      ? restackMessages.isMainWorkingTree()
      : branch === undefined
        ? restackMessages.hasNoBranch()
        : restackMessages.notInRegistry();
    throw new Problem('usage', restackMessages.cannotRenamed({ name: worktree.name, why }), {
      ...(main || branch === undefined ? {} : { next: restackMessages.adoptFirst({ name: quoted(worktree.name) }) }),
    });
  }
  if (operation) {
    throw new Problem('in-use', restackMessages.operationUnderWay({ operation, path, name: worktree.name }), {
      next: restackMessages.endFirst({ path }),
      outcome: 'incomplete',
    });
  }
  refuseStopped(await readOperations(workspace), [branch]);
  const { platform } = workspace.environment;
  const name = checkName(asGitTakesIt(asked.name.trim(), platform));
  const others = snapshot.worktrees.filter((each) => !each.main && each !== worktree);
  const [from, word] = [quoted(worktree.name), JSON.stringify(name)];
  refuseDeviceName(name, platform, {
    taken: snapshot.worktrees.map((each) => each.name),
    tell: (why) => createMessages.invalidName({ name: word, why }),
    next: (better) => restackMessages.renameTo({ name: from, better: quoted(better) }),
  });
  const slug = chooseSlug(name, others, platform, () => takenName(name));
  const values = { name, slug, project: repository.name, work_id: entry.workId };
  const implied = (of: typeof values): Promise<string | undefined> => impliedBranch(workspace, of);
  const follows = (await implied({ ...values, name: worktree.name, slug: worktree.slug })) === branch;
  const pushed = entry.pr !== null || entry.lastPushed !== undefined;
  const wanted =
    asGitTakesIt(asked.branch, platform) ?? (follows && !pushed ? await implied(values) : undefined) ?? branch;
  if (wanted !== branch) await checkBranch(workspace, wanted, branch, { from, to: quoted(name) });
  const notes = follows && pushed && asked.branch === undefined ? [restackMessages.branchStays({ branch })] : [];
  return {
    renaming: { from: { name: worktree.name, branch, path }, to: { name, branch: wanted, path } },
    notes,
  };
}

/**
 * Renames a worktree: its branch, its entry, its dependents, its agent, and the state file. Can be undone; killed in between, the next
 * `wt` completes it.
 */
export async function renameWorktree(workspace: Workspace, renaming: Renaming): Promise<Operation> {
  const title = `rename ${renaming.from.name} to ${renaming.to.name}`;
  return runRename(workspace, { ...newOperation(workspace, 'rename', title), renaming });
}

/**
 * Checks whether a renaming can be undone.
 *
 * @throws Problem `in-use` when the worktree or its branch has yet another name now, `taken` when its former name is another's by now.
 */
async function refuseRenamedSince(workspace: Workspace, title: string, { from, to }: Renaming): Promise<void> {
  const { worktrees } = await readRegistry(workspace.repository);
  if (worktrees.get(to.name)?.branch !== to.branch) {
    const now = [...worktrees].find(([, { path }]) => samePath(path, to.path));
    const is =
      now === undefined
        ? restackMessages.notThereNow()
        : restackMessages.isCalledNow({ name: now[0], branch: now[1].branch });
    throw new Problem('in-use', restackMessages.renamedSince({ name: to.name, what: is, title }), {
      next: restackMessages.logShowsSince(),
      outcome: 'incomplete',
    });
  }
  if (from.name !== to.name && worktrees.has(from.name)) throw takenName(from.name);
  if (from.branch !== to.branch)
    await checkBranch(workspace, from.branch, to.branch, { from: quoted(to.name), to: quoted(from.name) });
}

/** Changes the name of a worktree, and that of its branch: the commit point is the branch's new name in git. */
export const renameKind: OperationKind<RenameData, Applied> = {
  name: 'rename',
  describe: ({ operation }) => operation.title,
  startsGit: true,
  // Where only the worktree's name changes nothing has happened that would have to be rolled back.
  async isCommitted({ git, repository }, { operation: { renaming } }) {
    const { from, to } = renaming;
    if (from.branch === to.branch) return true;
    const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${to.branch}`];
    return (await git.in(repository.commonDir).line(args)) !== undefined;
  },
  finish: completeRenaming,
  // Earlier versions had it in the log by then.
  rollBack: (workspace, { operation }) => forgetOperation(workspace, operation.id),
  async inverse(workspace, { last }) {
    if (!last.renaming) throw new Error(`${last.id} is no renaming`);
    const { from, to } = last.renaming;
    await refuseRenamedSince(workspace, last.title, { from, to });
    return { run: (now, operation) => runRename(now, { ...operation, renaming: { from: to, to: from } }) };
  },
};

async function runRename(workspace: Workspace, operation: RenameData['operation']): Promise<Operation> {
  const { renaming } = operation;
  const plan = async (): Promise<RenameData> => {
    await refuseChangedSince(workspace, renaming);
    return { operation };
  };
  const done = await runOnBranches(workspace, renameKind, plan, { commit: () => renameBranch(workspace, renaming) });
  return done.operation;
}

/** What was true when the renaming was planned may have been changed by the operation before. */
async function refuseChangedSince({ repository }: Workspace, { from, to }: Renaming): Promise<void> {
  const { worktrees } = await readRegistry(repository);
  if (!worktrees.has(from.name)) {
    throw new Problem('in-use', restackMessages.notRenamedRenamed({ fromName: from.name }), {
      next: restackMessages.listShowsNow(),
      outcome: 'incomplete',
    });
  }
  if (from.name !== to.name && worktrees.has(to.name)) throw takenName(to.name);
}

/**
 * What is left to do once the branch has its new name. Doing it twice is harmless. Where another worktree was given the name in that very
 * moment, this one keeps its former name.
 */
async function completeRenaming(workspace: Workspace, { operation }: RenameData): Promise<Applied> {
  const { environment, repository } = workspace;
  const { from, to } = operation.renaming;
  const names = await updateRegistry(environment, repository, ({ worktrees }) => {
    const old = worktrees.get(from.name);
    const there = worktrees.get(to.name);
    const entry = old ?? (there && samePath(there.path, to.path) ? there : undefined);
    if (!entry) return undefined;
    const isTaken = old !== undefined && there !== undefined && from.name !== to.name;
    const name = isTaken ? from.name : to.name;
    const slugOfName = (registered: string): string =>
      nameWorktrees([{ path: entry.path, branch: entry.branch, registered }], environment.platform)[0]?.slug ??
      registered;
    const all = [...worktrees];
    worktrees.clear();
    // In its old place: the order is the person's.
    for (const [called, each] of all) {
      const own = each === entry;
      const renamed: RegistryEntry = own ? { ...each, branch: to.branch } : each;
      worktrees.set(own ? name : called, renamed.base === from.branch ? { ...renamed, base: to.branch } : renamed);
    }
    return { name, slug: slugOfName(name), oldSlug: slugOfName(from.name) };
  });
  if (names) await renameAgent(workspace, { ...to, name: names.name, slug: names.slug }, names.oldSlug);
  const active = await readActive(repository).catch(() => undefined);
  if (active && active.branch !== to.branch && (await samePlace(active.path, to.path))) {
    await writeActive(environment, repository, { ...active, branch: to.branch });
  }
  const notes = await syncTracking(workspace);
  return { operation: { ...operation, state: 'done', ...(notes.length === 0 ? {} : { notes }) } };
}

async function renameBranch({ git, repository }: Workspace, { from, to }: Renaming): Promise<void> {
  if (from.branch === to.branch) return;
  const at = { writes: true };
  await git.in(repository.commonDir).text(['branch', '-m', from.branch, to.branch], at);
}

/** Only an agent that was there gets a new name; a session that runs as the old one keeps what it has read. */
async function renameAgent(
  workspace: Workspace,
  subject: { readonly name: string; readonly slug: string; readonly path: string; readonly branch: string },
  oldSlug: string,
): Promise<void> {
  const { repository } = workspace;
  const there = await readTextIfThere(agentFile(repository.mainRoot, oldSlug));
  if (there === undefined && (await readTextIfThere(agentFile(subject.path, oldSlug))) === undefined) return;
  await writeAgent(workspace, subject);
  if (oldSlug !== subject.slug) await removeAgent(repository, oldSlug);
}

/** As the team's pattern says, and as a new worktree of that name would be given it. */
async function impliedBranch(
  workspace: Workspace,
  values: Parameters<typeof fillPattern>[1],
): Promise<string | undefined> {
  const plain = tryPattern(workspace, values);
  if (plain === undefined || meansCommit(values.name) || (await isBranchName(workspace, plain, undefined)))
    return plain;
  const name = branchNameFor(values.name, workspace.environment.platform);
  return tryPattern(workspace, { ...values, name });
}

function tryPattern({ configuration }: Workspace, values: Parameters<typeof fillPattern>[1]): string | undefined {
  try {
    return fillPattern(configuration.worktree.branchPattern, values, 'worktree.branch_pattern');
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
    return undefined;
  }
}

/**
 * Checks whether a branch can be given a name.
 *
 * @param former its name until then, which is in nobody's way.
 * @param names those of the worktree, as a person types them.
 */
async function checkBranch(
  { environment, git, repository }: Workspace,
  branch: string,
  former: string,
  names: { readonly from: string; readonly to: string },
): Promise<void> {
  const output = await git.in(repository.commonDir).text(['for-each-ref', '--format=%(refname:strip=2)', 'refs/heads']);
  const others = output.split('\n').filter((each) => each !== '');
  refuseUnfitBranch(branch, environment.platform, {
    taken: others,
    next: (better) => restackMessages.renameWithBranch({ name: names.from, to: names.to, better: quoted(better) }),
  });
  if ((await git.in(repository.commonDir).run(['check-ref-format', '--branch', branch])).exitCode !== 0) {
    throw new Problem('invalid-name', createMessages.cannotNameBranch({ branch: JSON.stringify(branch) }), {
      next: restackMessages.chooseAnotherName(),
    });
  }
  const isOther = (each: string): boolean => each !== former || clashesWithItself(former, branch, environment.platform);
  const other = clashingBranch(others.filter(isOther), branch, environment.platform);
  if (other === undefined) return;
  const what =
    other === branch ? createMessages.branchAlready({ branch }) : createMessages.branchCannotMade({ branch, other });
  throw new Problem('taken', what, { next: restackMessages.chooseAnotherName() });
}

/** On a disk that takes both for one name, git finds the new branch there before it is made, and refuses. */
const clashesWithItself = (former: string, branch: string, platform: NodeJS.Platform): boolean =>
  (platform === 'win32' || platform === 'darwin') && foldedName(former) === foldedName(branch);

function takenName(name: string): Problem {
  return new Problem('taken', restackMessages.worktreeAlready({ name: JSON.stringify(name) }), {
    next: restackMessages.chooseNameSeeOther({ name: quoted(name) }),
  });
}
