import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBranches, readRemoteBranches, type Branch, type RemoteBranches } from '../git/refs.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** All branches of a repository, local and of remotes, as they were at one moment. */
export interface Branches {
  readonly local: ReadonlyMap<string, Branch>;
  readonly remote: RemoteBranches;
  /** The branch that git begins repositories with, empty when git has none; `undefined` when it was not asked. */
  readonly first: string | undefined;
}

/** The commits that a branch's name can stand for. */
export interface Tips {
  readonly local: string | undefined;
  /** Of the branch of the same name on the remote. */
  readonly remote: string | undefined;
}

/** Reads all branches, and what else it takes to find the trunk: two or three processes, side by side. */
export async function readAllBranches(workspace: Workspace, signal?: AbortSignal): Promise<Branches> {
  const { configuration, git, repository } = workspace;
  const { commonDir } = repository;
  const { trunk, remote: remoteName } = configuration.stack;
  // Git keeps this one in a file of its own, unless all refs are in a table; then it is asked in vain.
  const isKnown = trunk !== undefined || existsSync(join(commonDir, 'refs', 'remotes', remoteName, 'HEAD'));
  const [local, remote, first] = await Promise.all([
    readBranches(git, commonDir, signal),
    readRemoteBranches(git, commonDir, signal),
    isKnown ? undefined : readFirst(workspace, signal),
  ]);
  return { local, remote, first };
}

/** A bare clone has no remote's branches; its own `HEAD` is what the remote's was. */
async function readFirst({ git, repository }: Workspace, signal: AbortSignal | undefined): Promise<string> {
  const args = repository.bare ? ['symbolic-ref', '--short', 'HEAD'] : ['config', '--get', 'init.defaultBranch'];
  return (await git.in(repository.commonDir).line(args, { signal })) ?? '';
}

/** The setting of git in which is kept what a trunk that the configuration names is called by now. */
export function renamedTrunkKey(trunk: string): string {
  return `worktreestacks.${trunk}.renamedTo`;
}

function readRenamed(
  { git, repository }: Workspace,
  trunk: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const args = ['config', '--get', renamedTrunkKey(trunk)];
  return git.in(repository.commonDir).line(args, { signal });
}

/** The commits of a branch here and on the remote; a name such as `origin/main` means that remote's. */
export function tipsOf(
  { local, remote }: Pick<Branches, 'local' | 'remote'>,
  branch: string,
  remoteName: string,
): Tips {
  return {
    local: local.get(branch)?.oid,
    remote: remote.oids.get(`refs/remotes/${remoteName}/${branch}`) ?? remote.oids.get(`refs/remotes/${branch}`),
  };
}

/**
 * The trunk, which stacks are based on: the configured one, else the default branch of the remote, else the one that git is
 * configured to begin repositories with (in a bare one the one that `HEAD` names), `main` or `master`, where there is such a
 * branch, else the one that is checked out in the main working tree.
 */
export async function findTrunk(
  workspace: Workspace,
  branches: Branches,
  mainBranch: string | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { trunk, remote } = workspace.configuration.stack;
  const prefix = `refs/remotes/${remote}/`;
  const remoteDefault = branches.remote.defaults.get(`${prefix}HEAD`);
  if (trunk) {
    const gone = remoteDefault !== undefined && !branches.remote.oids.has(`${prefix}${trunk}`);
    return (gone ? await readRenamed(workspace, trunk, signal) : undefined) ?? trunk;
  }
  if (remoteDefault?.startsWith(prefix)) return remoteDefault.slice(prefix.length);
  const first = branches.first ?? (await readFirst(workspace, signal));
  const exists = (branch: string): boolean => {
    const tips = tipsOf(branches, branch, remote);
    return tips.local !== undefined || tips.remote !== undefined;
  };
  return [first, 'main', 'master'].find((branch) => branch && exists(branch)) || mainBranch;
}
