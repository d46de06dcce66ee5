import { chmod, copyFile, lstat, mkdir, mkdtemp, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import type { RawTreeChange } from '../git/treeDiff.ts';
import { readOverlooked } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Blocker, Checkout } from './checkout.ts';
import { pathIn } from '../base/rawPaths.ts';
import { isExactly } from './writtenByGit.ts';
import { makeFolders, shareLikeGit } from '../base/sharing.ts';
import { checkoutMessages } from '../messages/checkout.ts';

/** The blocker for changed files that are hidden from git. */
export function hiddenBlocker(checkout: Checkout, files: readonly string[]): Blocker {
  return {
    why: checkoutMessages.filesChangesHidden(),
    files,
    next: checkoutMessages.showThemGit({ checkoutPath: checkout.path }),
  };
}

/**
 * The changed files among some paths that are hidden from git: marked `assume-unchanged` or `skip-worktree`.
 *
 * @param paths all hidden files when it is not given.
 */
export async function changedAndHidden(
  { git }: Workspace,
  checkout: Checkout,
  paths?: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<string[]> {
  const hidden = await readOverlooked(git, checkout, signal);
  return hidden.filter((path) => !paths || paths.has(path));
}

/** Of some changes those whose files are outside of a sparse checkout, and there all the same with contents of their own. */
export async function changedOutside(
  { git }: Workspace,
  checkout: Checkout,
  changes: readonly RawTreeChange[],
): Promise<string[]> {
  const found = await Promise.all(
    changes.map(async ({ path, raw, before }) => {
      const absolute = pathIn(checkout.path, raw);
      const there = await lstat(absolute).catch(() => undefined);
      if (!there || there.isDirectory() || (before && (await isExactly(before, absolute, false)))) return [];
      return [path];
    }),
  );
  const paths = found.flat();
  if (paths.length === 0) return [];
  const args = ['--literal-pathspecs', 'ls-files', '-v', '-z', '--', ...paths.slice(0, 1000)];
  const records = await git.nul(args, { cwd: checkout.path });
  return records.flatMap((record) => (/^[Ss] /.test(record) ? [record.slice(2)] : []));
}

/**
 * Runs something that may reset a worktree and restores hidden files and their marks afterwards. Git's own resets overwrite them even
 * where no commit has changed them.
 */
export async function preserveHidden<T>(workspace: Workspace, checkout: Checkout, task: () => Promise<T>): Promise<T> {
  const { git, repository } = workspace;
  const hidden = await changedAndHidden(workspace, checkout);
  if (hidden.length === 0) return task();
  const here = { cwd: checkout.path };
  const marks = await git.nul(['--literal-pathspecs', 'ls-files', '-v', '-z', '--', ...hidden], here);
  const parent = join(repository.commonDir, 'worktree-stacks', 'kept');
  await makeFolders(parent);
  const folder = await mkdtemp(join(parent, 'hidden-'));
  await shareLikeGit(folder);
  await Promise.all(hidden.map((path, index) => copyAs(join(checkout.path, path), join(folder, String(index)))));
  try {
    return await task();
  } finally {
    await Promise.all(hidden.map((path, index) => copyAs(join(folder, String(index)), join(checkout.path, path))));
    await mark(workspace, checkout, marks);
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyAs(from: string, to: string): Promise<void> {
  const found = await lstat(from);
  await mkdir(dirname(to), { recursive: true });
  if (found.isSymbolicLink()) {
    await rm(to, { force: true });
    return symlink(await readlink(from), to);
  }
  if ((await lstat(to).catch(() => undefined))?.isSymbolicLink()) await rm(to);
  await copyFile(from, to);
  await chmod(to, found.mode);
}

/** @param marks records of `git ls-files -v`: small letters for `assume-unchanged`, S for `skip-worktree`. */
async function mark({ git }: Workspace, checkout: Checkout, marks: readonly string[]): Promise<void> {
  for (const [option, test] of [
    ['--assume-unchanged', /^[a-z] /],
    ['--skip-worktree', /^[Ss] /],
  ] as const) {
    const input = marks.filter((record) => test.test(record)).map((record) => `${record.slice(2)}\0`);
    if (input.length === 0) continue;
    // A path that is not in the index any more has no mark to lose.
    await git.run(['update-index', option, '-z', '--stdin'], {
      cwd: checkout.path,
      writes: true,
      input: input.join(''),
    });
  }
}
