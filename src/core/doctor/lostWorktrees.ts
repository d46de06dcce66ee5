import type { RegistryEntry } from '../repository/registry.ts';
import { updateRegistry } from '../repository/registry.ts';
import { quoted } from '../base/quoted.ts';
import { findLost, rebuildAdminDir } from '../relocation/rebuildAdminDir.ts';
import { registryGraph } from '../stack/graph.ts';
import { sightOf } from '../worktree/pathVisibility.ts';
import type { Examination, Finding } from './finding.ts';

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
    const message = `Git has lost its record of ${name}, whose folder is at ${path}.`;
    const holder = snapshot.worktrees.find((each) => each.branch === branch);
    const next =
      holder !== undefined
        ? `its branch ${branch} is checked out in ${holder.path}; check out another one there, then run \`wt doctor --fix\` again`
        : !there
          ? `its branch ${branch} is gone; make it again with \`git branch ${quoted(branch)} <commit>\`, then run \`wt doctor --fix\``
          : lost.unsupported;
    if (next !== undefined) return { kind: 'entry', subject: name, message, next: `its files are kept; ${next}` };
    const repair = async (): Promise<string> => {
      await rebuildAdminDir(workspace, name, entry, lost);
      return `Git's record was made again from the registry: on ${branch}, with the files as they are, and nothing staged. What was staged or under way there is not known any more.`;
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
    ? `\`git worktree add ${quoted(path)} ${quoted(branch)}\` brings it back, \`git branch -d ${quoted(branch)}\` drops the branch`
    : `run \`wt rebase\` for its dependents (${dependents.join(', ')}), then \`wt doctor --fix\` again`;
  return { kind: 'entry', subject: name, message: goneMessage(name), next };
}

/** Only where the path can be read and there is nothing the entry says nothing any more. */
async function withoutBranch({ workspace }: Examination, name: string, { path }: RegistryEntry): Promise<Finding> {
  if ((await sightOf(path, workspace.repository)) !== 'unknown') {
    const repair = (): Promise<void> =>
      updateRegistry(workspace.environment, workspace.repository, ({ worktrees }) => void worktrees.delete(name));
    return { kind: 'entry', subject: name, message: goneMessage(name), repair };
  }
  return {
    kind: 'entry',
    subject: name,
    message: `The registry names ${name}, which git does not know; what is at ${path} cannot be told now, so it is kept.`,
    next: 'make the folder visible again (mount its disk), or remove the entry from the registry by hand',
  };
}

const goneMessage = (name: string): string => `The registry names ${name}, but there is no such worktree any more.`;
