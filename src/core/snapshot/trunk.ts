import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBranches, readRefs, readRemoteBranches, type AllRefs } from '../git/refs.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** All branches of a repository, local and of remotes, as they were at one moment. */
export interface Branches extends AllRefs {
  /** The branch that git begins repositories with, empty when git has none; `undefined` when it was not asked. */
  readonly first: string | undefined;
}

/** The commits that a branch's name can stand for. */
export interface Tips {
  readonly local: string | undefined;
  /** Of the branch of the same name on the remote. */
  readonly remote: string | undefined;
}

/** Reads all branches without what is in their commits, and what else it takes to find the trunk: one or two processes, side by side. */
export function readAllBranches(workspace: Workspace, signal?: AbortSignal): Promise<Branches> {
  const { git, repository } = workspace;
  return withFirst(workspace, readRefs(git, repository.commonDir, signal), signal);
}

/** The same with the time and the subject of the last commit of each local branch: a process more. */
export function readBranchesAndCommits(workspace: Workspace, signal?: AbortSignal): Promise<Branches> {
  const { git, repository } = workspace;
  const { commonDir } = repository;
  const refs = Promise.all([readBranches(git, commonDir, signal), readRemoteBranches(git, commonDir, signal)]);
  return withFirst(
    workspace,
    refs.then(([local, remote]) => ({ local, remote })),
    signal,
  );
}

async function withFirst(
  workspace: Workspace,
  reading: Promise<AllRefs>,
  signal: AbortSignal | undefined,
): Promise<Branches> {
  const { trunk, remote: remoteName } = workspace.configuration.stack;
  // Git keeps this one in a file of its own, unless all refs are in a table; then it is asked in vain.
  const isKnown =
    trunk !== undefined || existsSync(join(workspace.repository.commonDir, 'refs', 'remotes', remoteName, 'HEAD'));
  const [refs, first] = await Promise.all([reading, isKnown ? undefined : readFirst(workspace, signal)]);
  return { ...refs, first };
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
