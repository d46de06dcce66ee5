import { chmod, lstat, mkdir } from 'node:fs/promises';
import { isWithin, samePath, upFrom } from '../base/paths.ts';
import { isThere } from '../base/isThere.ts';
import { fileProblem } from '../base/fileProblem.ts';
import { Problem, errorCode } from '../base/problem.ts';
import { shareLikeGit } from '../base/sharing.ts';
import { gitDirOf } from '../git/gitFile.ts';
import { noteFullDisk } from '../git/writeFailure.ts';
import type { Configuration } from '../repository/configuration.ts';
import type { CreateData } from './createData.ts';
import { shareGitCryptKeys } from './gitCrypt.ts';
import { verifyFiles } from './verifyFiles.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

/**
 * Makes the folder of a worktree, and those above it that are missing, with the configured mode. The folder itself is made last and by
 * nobody else: one that appeared meanwhile is somebody's. An empty one that was there before is used.
 *
 * @throws Problem `taken`, `not-writable`.
 */
export async function makeFolder(
  { configuration, repository }: Workspace,
  data: Pick<CreateData, 'path' | 'firstMade' | 'folderThere'>,
): Promise<void> {
  if (data.folderThere) return;
  const missing = [...upFrom(data.path)].filter((at) => isWithin(data.firstMade, at)).reverse();
  for (let attempt = 0; ; attempt++) {
    try {
      for (const folder of missing)
        await makeOne(folder, configuration, !samePath(folder, data.path), repository.commonDir);
      return;
    } catch (thrown) {
      // Another creation that failed has rolled back the folder above that both of them had made.
      if (errorCode(thrown) === 'ENOENT' && attempt < 5) continue;
      if (Problem.is(thrown)) throw thrown;
      throw fileProblem({ doing: createMessages.cannotMakeFolder(), file: data.path, wanted: 'folder' }, thrown);
    }
  }
}

async function makeOne(
  folder: string,
  configuration: Configuration,
  mayBeThere: boolean,
  commonDir: string,
): Promise<void> {
  try {
    await mkdir(folder, { mode: configuration.worktree.permissions ?? 0o755 });
    await setMode(folder, configuration, commonDir);
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw thrown;
    const there = await lstat(folder).catch(() => undefined);
    if (mayBeThere && (!there || there.isDirectory())) return;
    throw madeMeanwhile(folder);
  }
}

/**
 * Gives a new folder the mode that the team wants, whatever the umask. Where the team has not said one, the umask holds, and what the
 * repository is shared for.
 */
export async function setMode(
  folder: string,
  { worktree: { permissions } }: Configuration,
  commonDir: string,
): Promise<void> {
  if (permissions === undefined) await shareLikeGit(folder, commonDir);
  else await chmod(folder, permissions);
}

/** The problem of a folder that appeared at the place of a new worktree. */
export function madeMeanwhile(folder: string): Problem {
  return new Problem('taken', createMessages.madeSomebodyElse({ folder }), {
    file: folder,
    next: createMessages.tryAgain(),
  });
}

/** The outermost missing folder on the way to a path; the path itself when all above it are there. */
export async function firstMissing(path: string): Promise<string> {
  let first = path;
  for (const at of [...upFrom(path)].slice(1, -1)) {
    if (await isThere(at)) break;
    first = at;
  }
  return first;
}

/** A bare repository is named, not found: `safe.bareRepository=explicit` forbids finding it. */
export function repositoryArgs({ repository }: Workspace): string[] {
  return repository.bare ? [`--git-dir=${repository.commonDir}`] : [];
}

/**
 * Writes the files of a worktree's commit, with as many workers as there are processors. Unlike `reset --hard` it refuses to
 * overwrite a file that somebody has put there. The index appears as the last step, so its presence says that all files are there;
 * they are looked at all the same.
 *
 * @returns sentences for the person: what git said although it succeeded, names that are one file on this disk.
 * @throws Problem `git-failed`, `not-writable` (outcome incomplete), `inconsistent`; `cancelled`.
 */
export async function checkOut(
  workspace: Workspace,
  data: Pick<CreateData, 'name' | 'path'>,
  signal: AbortSignal | undefined,
): Promise<Message[]> {
  const { environment, git, repository } = workspace;
  const { name, path } = data;
  const gitDir = await gitDirOf(path);
  if (gitDir === undefined) throw new Problem('inconsistent', createMessages.noWorktreeThere({ path }), { file: path });
  await shareGitCryptKeys(repository.commonDir, gitDir);
  const args = ['-c', 'checkout.workers=0', ...withoutLfs(environment), 'read-tree', '-m', '-u', 'HEAD'];
  const answer = await git.run(args, { cwd: path, signal, writes: true });
  const said = answer.stderr.split('\n').filter((line) => line.trim() !== '');
  if (answer.exitCode !== 0) {
    const full = await noteFullDisk(git, path, 'HEAD', answer.stderr);
    throw new Problem('git-failed', createMessages.notCheckedOut({ name }), {
      next: createMessages.seeGitAndSpace(),
      items: [...said.slice(-20), ...full],
      outcome: 'incomplete',
    });
  }
  const collided = await verifyFiles(workspace, data, gitDir, signal);
  return [...said.slice(-20).map((line) => createMessages.gitReported({ line })), ...collided];
}

/**
 * Settings that leave the pointers of git-lfs in place where the user wants that (`GIT_LFS_SKIP_SMUDGE`): then not even git-lfs itself is
 * needed.
 */
export function withoutLfs({ variables }: Workspace['environment']): string[] {
  if (!/^(1|true|yes|on|t)$/i.test(variables['GIT_LFS_SKIP_SMUDGE'] ?? '')) return [];
  return ['filter.lfs.smudge=', 'filter.lfs.process=', 'filter.lfs.required=false'].flatMap((each) => ['-c', each]);
}

/**
 * Runs the repository's post-checkout hook as `git worktree add` does. A hook that fails does not undo a checkout, there or here.
 *
 * @returns a warning when it failed.
 */
export async function runPostCheckout(
  { git }: Workspace,
  data: Pick<CreateData, 'path' | 'startCommit'>,
  signal: AbortSignal | undefined,
): Promise<Message[]> {
  const none = '0'.repeat(data.startCommit.length);
  const args = ['hook', 'run', '--ignore-missing', 'post-checkout', '--', none, data.startCommit, '1'];
  const answer = await git.run(args, { cwd: data.path, signal, writes: true });
  if (answer.exitCode === 0) return [];
  const words = answer.stderr.trim().split('\n').at(-1);
  const code = answer.exitCode;
  return [words ? createMessages.hookFailedWith({ code, words }) : createMessages.hookFailed({ code })];
}
