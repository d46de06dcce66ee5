import type { Git } from '../../git/git.ts';
import { readBranches, readRemoteBranches, type Branch, type RemoteBranches } from '../../git/refs.ts';
import type { Workspace } from '../workspace.ts';

/** All branches of a repository, local and of remotes, as they were at one moment. */
export interface Branches {
  readonly local: ReadonlyMap<string, Branch>;
  readonly remote: RemoteBranches;
}

/** The commits that a branch's name can stand for. */
export interface Tips {
  readonly local: string | undefined;
  /** Of the branch of the same name on the remote. */
  readonly remote: string | undefined;
}

/** Reads all branches: two processes, side by side. */
export async function readAllBranches(git: Git, commonDir: string, signal?: AbortSignal): Promise<Branches> {
  const [local, remote] = await Promise.all([
    readBranches(git, commonDir, signal),
    readRemoteBranches(git, commonDir, signal),
  ]);
  return { local, remote };
}

/** The commits of a branch here and on the remote; a name such as `origin/main` means that remote's. */
export function tipsOf({ local, remote }: Branches, branch: string, remoteName: string): Tips {
  return {
    local: local.get(branch)?.oid,
    remote: remote.oids.get(`refs/remotes/${remoteName}/${branch}`) ?? remote.oids.get(`refs/remotes/${branch}`),
  };
}

/**
 * The branch that stacks stand on: the configured one, else the default branch of the remote, else the one that git is
 * configured to begin repositories with (in a bare one the one that `HEAD` names), `main` or `master`, where there is such a
 * branch, else the one that is checked out in the main working tree.
 */
export async function findTrunk(
  workspace: Workspace,
  branches: Branches,
  mainBranch: string | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { configuration, git, repository } = workspace;
  const { trunk, remote } = configuration.stack;
  if (trunk) return trunk;
  const prefix = `refs/remotes/${remote}/`;
  const remoteDefault = branches.remote.defaults.get(`${prefix}HEAD`);
  if (remoteDefault?.startsWith(prefix)) return remoteDefault.slice(prefix.length);
  // A bare clone has no remote's branches; its own `HEAD` is what the remote's was.
  const args = repository.bare ? ['symbolic-ref', '--short', 'HEAD'] : ['config', '--get', 'init.defaultBranch'];
  const first = await git.line([`--git-dir=${repository.commonDir}`, ...args], { cwd: repository.commonDir, signal });
  const exists = (branch: string): boolean => {
    const tips = tipsOf(branches, branch, remote);
    return tips.local !== undefined || tips.remote !== undefined;
  };
  return [first, 'main', 'master'].find((branch) => branch && exists(branch)) || mainBranch;
}
