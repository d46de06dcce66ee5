import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { makeFolders, shareLikeGit } from '../base/sharing.ts';
import type { GitAnswer } from '../git/gitError.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Checkout } from './checkout.ts';

/**
 * Leads the files and the index of a working tree from one commit to another, as a whole or not at all; what is not committed stays as it
 * is, staged or not. `HEAD` and the branch are not touched. Where the tree is there already nothing happens. Git ends well also when it
 * could not write a file: see {@link followTogether}, which checks that.
 *
 * @param step.together several trees follow at once.
 */
export async function updateCheckout(
  workspace: Workspace,
  checkout: Checkout,
  step: { readonly from: string; readonly to: string; readonly together?: boolean },
): Promise<GitAnswer> {
  const { git } = workspace;
  const at = { cwd: checkout.path, writes: true };
  let words = '';
  if (await isPlain(workspace, checkout)) {
    const answer = await checkOut(workspace, checkout, step);
    if (answer.exitCode === 0) return answer;
    words = answer.stderr;
  }
  // Files that were only touched, or have just been backed up, appear changed until the index is refreshed.
  await git.run(['update-index', '-q', '--refresh'], at);
  const answer = await git.run(['read-tree', '-m', '-u', step.from, step.to], at);
  return { ...answer, stderr: `${words}${answer.stderr}` };
}

/**
 * `git checkout` uses what the index remembers of whole folders, which `git read-tree` throws away first; in a large tree that makes the
 * difference of half the time. It moves a `HEAD`, so it gets one of its own.
 */
async function checkOut(
  { git, repository }: Workspace,
  checkout: Checkout,
  { from, to, together = false }: { readonly from: string; readonly to: string; readonly together?: boolean },
): Promise<GitAnswer> {
  const parent = join(repository.commonDir, 'worktree-stacks');
  await makeFolders(parent);
  const gitDir = await mkdtemp(join(parent, 'follow-'));
  await shareLikeGit(gitDir);
  try {
    await Promise.all([writeFile(join(gitDir, 'commondir'), '../..\n'), writeFile(join(gitDir, 'HEAD'), `${from}\n`)]);
    // Git checks files in twenty threads, which only costs where many worktrees follow at once.
    const alone = together ? ['core.preloadIndex=false'] : [];
    const settings = ['core.hooksPath=/dev/null', 'submodule.recurse=false', ...alone].flatMap((each) => ['-c', each]);
    const args = [
      `--git-dir=${gitDir}`,
      `--work-tree=${checkout.path}`,
      ...settings,
      'checkout',
      '--quiet',
      '--detach',
      to,
    ];
    return await git.run(args, {
      cwd: checkout.path,
      writes: true,
      variables: { GIT_INDEX_FILE: join(checkout.gitDir, 'index') },
    });
  } finally {
    await rm(gitDir, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Settings and patterns of a working tree's own, and refs that are no files, are not where another git directory finds them. */
async function isPlain({ repository }: Workspace, { gitDir }: Checkout): Promise<boolean> {
  const special = [
    join(gitDir, 'config.worktree'),
    join(gitDir, 'info', 'sparse-checkout'),
    join(repository.commonDir, 'reftable'),
  ];
  const found = await Promise.all(special.map((path) => stat(path).catch(() => undefined)));
  return found.every((each) => each === undefined);
}
