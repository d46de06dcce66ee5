import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin, pathBelow, relativeTo, samePath } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { fetchOneCommit, hasCommit } from '../git/fetchRefs.ts';
import { gitlink } from '../git/indexEntries.ts';
import { readTreeDiffs } from '../git/treeDiff.ts';
import { quoted } from '../base/quoted.ts';
import { readAdminDirState } from '../remove/adminDirState.ts';
import { withReadable } from '../remove/backupSubmodule.ts';
import { isRepository, repositoryOf } from '../worktree/submoduleRepository.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Checkout } from './checkout.ts';
import type { Message } from '../messages/message.ts';
import { checkoutMessages } from '../messages/checkout.ts';

/** A submodule that a worktree has at another commit now. */
interface Bump {
  /** Relative to its worktree. */
  readonly path: string;
  /** What was recorded before; at none of these it has commits of its own. */
  readonly before: ReadonlySet<string>;
  /** What is recorded now; `undefined` when it is no submodule any more. */
  readonly after: string | undefined;
}

/**
 * Lets the submodules of a worktree follow after it has moved to another commit, so that the next commit there does not take a submodule
 * back. One that has work of its own, or whose commit is in no copy of it here, stays and is named. The network is not asked.
 *
 * @param step.from the commits that the worktree may have been at before.
 * @param step.branch the worktree's branch: in a submodule it moves along, other branches only forward.
 * @param step.except paths that a person is at.
 * @returns which of them have not followed, each with the command that helps.
 */
export async function followSubmodules(
  workspace: Workspace,
  checkout: Checkout,
  step: {
    readonly from: readonly string[];
    readonly to: string;
    readonly branch: string;
    readonly except?: readonly string[];
  },
): Promise<Message[]> {
  const notes: Message[] = [];
  if (!(await mayHaveSubmodules(workspace, checkout))) return notes;
  for (const bump of await bumpsOf(workspace, checkout.gitDir, step)) {
    if (step.except?.includes(bump.path)) continue;
    const why = await followOne(workspace, checkout, bump, step.branch, notes);
    if (why === undefined) continue;
    const at = quoted(checkout.path);
    const help =
      bump.after === undefined
        ? checkoutMessages.statusShowsRest({ at })
        : checkoutMessages.submoduleUpdate({ at, path: quoted(bump.path), commit: bump.after.slice(0, 12) });
    notes.push(checkoutMessages.submoduleNotMoved({ path: bump.path, checkoutPath: checkout.path, why, help }));
  }
  return notes;
}

/** A cheap check that saves a process in most repositories. */
async function mayHaveSubmodules({ repository }: Workspace, checkout: Checkout): Promise<boolean> {
  const signs = [
    join(checkout.path, '.gitmodules'),
    join(checkout.gitDir, 'modules'),
    join(repository.commonDir, 'modules'),
  ];
  const found = await Promise.all(signs.map((path) => stat(path).catch(() => undefined)));
  return found.some((each) => each !== undefined);
}

async function bumpsOf(
  { git }: Workspace,
  gitDir: string,
  { from, to }: { readonly from: readonly string[]; readonly to: string },
): Promise<Bump[]> {
  const pairs = [...new Set(from)].filter((oid) => oid !== to).map((oid) => ({ from: oid, to }));
  const bumps = new Map<string, { path: string; before: Set<string>; after: string | undefined }>();
  for (const { path, before, after } of (await readTreeDiffs(git, gitDir, pairs)).flat()) {
    if (before?.mode !== gitlink && after?.mode !== gitlink) continue;
    const known = bumps.get(path) ?? { path, before: new Set<string>(), after: undefined };
    if (before?.mode === gitlink) known.before.add(before.oid);
    if (after?.mode === gitlink) known.after = after.oid;
    bumps.set(path, known);
  }
  return [...bumps.values()];
}

/** @returns why it has not followed; `undefined` when it has, or is not initialised. */
async function followOne(
  workspace: Workspace,
  checkout: Checkout,
  { path, before, after }: Bump,
  branch: string,
  notes: Message[],
): Promise<Message | undefined> {
  const { git, repository } = workspace;
  const tree = join(checkout.path, path);
  const gitDir = await repositoryOf(tree);
  if (gitDir === undefined) {
    // Where the main worktree has it, the files of a new one are missed here.
    const missed = before.size === 0 && after !== undefined && (await repositoryOf(join(repository.mainRoot, path)));
    return missed ? checkoutMessages.newSubmodule() : undefined;
  }
  if (after === undefined) return checkoutMessages.noSubmodule();
  const here = { cwd: tree };
  const head = await git.line(['rev-parse', '--verify', '--quiet', 'HEAD'], here);
  if (head === after) return undefined;
  if (head === undefined || !before.has(head)) return checkoutMessages.hasOwnCommits();
  const under = (await readAdminDirState(gitDir)).operation;
  if (under) return checkoutMessages.operationUnderWay({ operation: under });
  const status = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=none'];
  if ((await git.line(status, here)) !== '') return checkoutMessages.hasUncommitted();
  if (!(await bring(workspace, checkout, { tree, gitDir, path }, after)))
    return checkoutMessages.commitNotHere({ commit: after.slice(0, 12) });
  const failed = await move(workspace, tree, { from: head, to: after, branch });
  if (failed !== undefined) return checkoutMessages.couldNotMove({ reason: failed });
  notes.push(...(await followSubmodules(workspace, { path: tree, gitDir }, { from: [head], to: after, branch })));
  return undefined;
}

/** @returns why it did not work. */
async function move(
  { git }: Workspace,
  tree: string,
  { from, to, branch }: { readonly from: string; readonly to: string; readonly branch: string },
): Promise<string | Message | undefined> {
  const here = { cwd: tree, writes: true };
  const quiet = ['-c', 'core.hooksPath=/dev/null', '-c', 'submodule.recurse=false', '-c', 'advice.detachedHead=false'];
  const own = await git.line(['symbolic-ref', '--quiet', '--short', 'HEAD'], here);
  const forward = (await git.run(['merge-base', '--is-ancestor', from, to], here)).exitCode === 0;
  const along = own === undefined || own === branch || forward;
  const command = along ? ['reset', '--quiet', '--keep', to] : ['checkout', '--quiet', '--detach', to];
  // Files that were only touched, or come from a backup, appear changed to a reset until the index is refreshed.
  await git.run(['update-index', '-q', '--refresh'], here);
  const answer = await git.run([...quiet, ...command], here);
  // Git ends well also when it could not write a file.
  const left = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=all'];
  const isThere =
    answer.exitCode === 0 &&
    (await git.line(['rev-parse', 'HEAD'], here)) === to &&
    (await git.line(left, here)) === '';
  if (isThere) return undefined;
  if ((await git.line(['rev-parse', 'HEAD'], here)) === to)
    await git.run([...quiet, 'reset', '--quiet', '--keep', from], here);
  return answer.stderr.trim().split('\n')[0] || checkoutMessages.filesNotWritten();
}

/** Whether a submodule has a commit, or gets it from another copy of it in this repository. */
async function bring(
  workspace: Workspace,
  checkout: Checkout,
  { tree, gitDir, path }: { readonly tree: string; readonly gitDir: string; readonly path: string },
  commit: string,
): Promise<boolean> {
  const { git } = workspace;
  if (await hasCommit(git, tree, commit)) return true;
  for (const store of await storesOf(workspace, checkout, gitDir, path)) {
    try {
      await withReadable(git, store, commit, (from) => fetchOneCommit(git, tree, from, commit));
    } catch (thrown) {
      if (!Problem.is(thrown)) throw thrown;
    }
    if (await hasCommit(git, tree, commit)) return true;
  }
  return false;
}

/** The git directories of the same submodule in the main worktree and in all others. */
async function storesOf(
  { repository }: Workspace,
  checkout: Checkout,
  gitDir: string,
  path: string,
): Promise<string[]> {
  const { commonDir, mainRoot } = repository;
  const modules = join(checkout.gitDir, 'modules');
  const name = pathBelow(modules, gitDir) ?? path;
  const others = await readdir(join(commonDir, 'worktrees')).catch((): string[] => []);
  const folders = [commonDir, ...others.map((other) => join(commonDir, 'worktrees', other))];
  const below = isWithin(commonDir, checkout.gitDir) ? within(commonDir, checkout.gitDir) : '';
  const stores = [...folders.map((folder) => join(folder, below, 'modules', name)), join(mainRoot, path, '.git')];
  const found = await Promise.all(stores.map(async (store) => !samePath(store, gitDir) && (await isRepository(store))));
  return stores.filter((_, index) => found[index]);
}

/** Of the git directory of a submodule the part below its worktree's: empty for that of a worktree. */
function within(commonDir: string, gitDir: string): string {
  return /^(?:worktrees\/[^/]+\/?)?(.*)$/s.exec(relativeTo(commonDir, gitDir))?.[1] ?? '';
}
