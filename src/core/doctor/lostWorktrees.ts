import type { RegistryEntry } from '../repository/registry.ts';
import { updateRegistry } from '../repository/registry.ts';
import { quoted } from '../base/quoted.ts';
import { findLost, rebuildAdminDir } from '../relocation/rebuildAdminDir.ts';
import { registryGraph } from '../stack/graph.ts';
import { sightOf } from '../worktree/pathVisibility.ts';
import type { Examination, Finding } from './finding.ts';
import { doctorMessages } from '../messages/doctor.ts';
import type { Message } from '../messages/message.ts';

/** An entry of the registry whose worktree git does not list. */
export async function orphanEntry(
  examination: Examination,
  name: string,
  entry: RegistryEntry,
  entries: ReadonlyMap<string, RegistryEntry>,
): Promise<Finding> {
  const { workspace, snapshot, state } = examination;
  const { path, branch } = entry;
  const there = state?.branches.local.has(branch) ?? false;
  const lost = await findLost(workspace.repository, entry);
  if (lost) {
    const message = doctorMessages.gitLostRecord({ name, path });
    const holder = snapshot.worktrees.find((each) => each.branch === branch);
    const next =
      holder !== undefined
        ? doctorMessages.branchCheckedOut({ branch, holderPath: holder.path })
        : !there
          ? doctorMessages.branchGoneMake({ branch, branch2: quoted(branch) })
          : lost.unsupported;
    if (next !== undefined) return { kind: 'entry', subject: name, message, next: doctorMessages.filesKept({ next }) };
    const repair = async (): Promise<Message> => {
      await rebuildAdminDir(workspace, name, entry, lost);
      return doctorMessages.adminDirRebuilt({ branch });
    };
    return { kind: 'entry', subject: name, message, repair };
  }
  const { remote } = workspace.configuration.stack;
  const dependents = registryGraph(entries, remote)
    .children(branch)
    .map((each) => each.name);
  if (!there && dependents.length === 0) return withoutBranch(examination, name, entry);
  // What it says of its base is what tells where those on it belong.
  const next = there
    ? doctorMessages.gitWorktreeAdd({ path: quoted(path), branch: quoted(branch) })
    : doctorMessages.rebaseDependents({ dependents: dependents.join(', ') });
  return { kind: 'entry', subject: name, message: doctorMessages.worktreeGone({ name }), next };
}

/** Only where the path can be read and there is nothing the entry says nothing any more. */
async function withoutBranch({ workspace }: Examination, name: string, { path }: RegistryEntry): Promise<Finding> {
  if ((await sightOf(path, workspace.repository)) !== 'unknown') {
    const repair = (): Promise<void> =>
      updateRegistry(workspace.environment, workspace.repository, ({ worktrees }) => void worktrees.delete(name));
    return { kind: 'entry', subject: name, message: doctorMessages.worktreeGone({ name }), repair };
  }
  return {
    kind: 'entry',
    subject: name,
    message: doctorMessages.registryNamesGit({ name, path }),
    next: doctorMessages.makeFolderVisible(),
  };
}
