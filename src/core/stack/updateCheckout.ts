import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders, shareLikeGit } from '../base/sharing.ts';
import type { GitAnswer } from '../git/gitError.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { TreePlace } from './blockers.ts';

/**
 * Leads the files and the index of a working tree from one commit to another, as a whole or not at all; what is not committed stays as it
 * is, staged or not. `HEAD` and the branch are not touched. Where the tree is there already nothing happens. Git ends well also when it
 * could not write a file: see {@link followTogether}, which looks.
 *
 * @param step.together several trees follow at once.
 */
export async function followPlace(
  workspace: Workspace,
  place: TreePlace,
  step: { readonly from: string; readonly to: string; readonly together?: boolean },
): Promise<GitAnswer> {
  const { git } = workspace;
  const at = { cwd: place.path, writes: true };
  let words = '';
  if (await isPlain(workspace, place)) {
    const answer = await checkOut(workspace, place, step);
    if (answer.exitCode === 0) return answer;
    words = answer.stderr;
  }
  // Files that were only touched, and those that have just been backed up, look changed until the index has been refreshed.
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
  place: TreePlace,
  { from, to, together = false }: { readonly from: string; readonly to: string; readonly together?: boolean },
): Promise<GitAnswer> {
  const parent = join(repository.commonDir, 'worktree-stacks');
  await makeFolders(parent);
  const gitDir = await mkdtemp(join(parent, 'follow-'));
  await shareLikeGit(gitDir);
  try {
    await Promise.all([writeFile(join(gitDir, 'commondir'), '../..\n'), writeFile(join(gitDir, 'HEAD'), `${from}\n`)]);
    // Each would look at its files in twenty threads; where many trees follow at once that only costs.
    const alone = together ? ['core.preloadIndex=false'] : [];
    const settings = ['core.hooksPath=/dev/null', 'submodule.recurse=false', ...alone].flatMap((each) => ['-c', each]);
    const args = [
      `--git-dir=${gitDir}`,
      `--work-tree=${place.path}`,
      ...settings,
      'checkout',
      '--quiet',
      '--detach',
      to,
    ];
    return await git.run(args, {
      cwd: place.path,
      writes: true,
      variables: { GIT_INDEX_FILE: join(place.gitDir, 'index') },
    });
  } finally {
    await rm(gitDir, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Settings and patterns of a working tree's own, and refs that are no files, are not where another git directory finds them. */
async function isPlain({ repository }: Workspace, { gitDir }: TreePlace): Promise<boolean> {
  const special = [
    join(gitDir, 'config.worktree'),
    join(gitDir, 'info', 'sparse-checkout'),
    join(repository.commonDir, 'reftable'),
  ];
  const found = await Promise.all(special.map((path) => stat(path).catch(() => undefined)));
  return found.every((each) => each === undefined);
}
