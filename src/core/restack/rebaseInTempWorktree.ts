import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { messageOf } from '../base/problem.ts';
import { makeFolders, shareLikeGit } from '../base/sharing.ts';
import type { CommitObject } from '../git/commitObject.ts';
import { gitProblem } from '../git/gitError.ts';
import { dropUnfinished } from '../create/dropUnfinished.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { encodingArgs, type CommitSettings } from './commitSettings.ts';
import type { Replayed } from './replay.ts';

/**
 * Settings of the user that would make a rebase touch more than the one branch, stop for no reason, lose commits that were empty before
 * (the other backend), or change messages (comment lines, trailing spaces).
 */
export const rebaseSettings = [
  'rebase.updateRefs=false',
  'rebase.autoStash=false',
  'rebase.autoSquash=false',
  'rebase.missingCommitsCheck=ignore',
  'rebase.backend=merge',
  'commit.cleanup=verbatim',
  'commit.status=false',
  'commit.verbose=false',
].flatMap((setting) => ['-c', setting]);

/**
 * Arguments of the rebase that puts what is checked out, without the history of `upstream`, onto another commit. Merges are kept, but
 * those of what the new base has anyway.
 */
export function rebaseArgs(what: {
  readonly onto: string;
  readonly upstream: string;
  readonly merges: boolean;
  /** Make commits anew also where nothing would change. */
  readonly force?: boolean | undefined;
}): string[] {
  const kind = [...(what.merges ? ['--rebase-merges=rebase-cousins'] : []), ...(what.force ? ['--force-rebase'] : [])];
  return [
    ...rebaseSettings,
    'rebase',
    '--no-fork-point',
    '--no-autosquash',
    ...kind,
    '--onto',
    what.onto,
    what.upstream,
  ];
}

/**
 * Lets git itself rebase what cannot be replayed in memory: merges, and notes that follow commits. Uses a temporary worktree; no branch and
 * no other worktree is touched. Commits are made with the settings of the branch's own worktree.
 */
export async function rebaseInTempWorktree(
  workspace: Workspace,
  what: {
    readonly tip: string;
    readonly onto: string;
    readonly upstream: string;
    /** Those that are rebased, as far as they are known. */
    readonly commits: readonly CommitObject[];
    readonly settings: Pick<CommitSettings, 'overrides'>;
    readonly force?: boolean | undefined;
  },
  signal: AbortSignal | undefined,
): Promise<Replayed> {
  const { environment, git, repository } = workspace;
  const { commonDir } = repository;
  const began = environment.now();
  const parent = tempWorktrees(commonDir);
  await makeFolders(parent);
  const folder = await mkdtemp(join(parent, 'rebase-'));
  await shareLikeGit(folder);
  const quiet = ['-c', 'core.hooksPath=/dev/null'];
  const inGit = { writes: true, signal };
  const here = { cwd: folder, writes: true, signal };
  try {
    await git.in(commonDir).text([...quiet, 'worktree', 'add', '--quiet', '--detach', folder, what.tip], inGit);
    const settings = [...what.settings.overrides, ...encodingArgs(what.commits)];
    const args = [...quiet, ...settings, ...rebaseArgs({ ...what, merges: true })];
    const answer = await git.run(args, here);
    if (answer.exitCode === 0) {
      const [tip = '', tree = ''] = (await git.text(['rev-parse', 'HEAD', 'HEAD^{tree}'], here)).split('\n');
      const count = await git.text(['rev-list', '--count', tip, `^${what.onto}`], here);
      return { tip, tree, commits: Number(count), dropped: [] };
    }
    const files = await git.nul(['diff', '--name-only', '--diff-filter=U', '-z'], here);
    const stopped = await git.line(['log', '-1', '--format=%H %s', 'REBASE_HEAD'], here);
    if (files.length === 0 && stopped === undefined) throw gitProblem(args, answer);
    const [commit = '', ...subject] = (stopped ?? '').split(' ');
    return { conflict: { commit, subject: subject.join(' '), files } };
  } finally {
    const remove = ['worktree', 'remove', '--force', '--force', folder];
    const removed = await git.in(commonDir).run(remove, { writes: true });
    // The result counts more than leftovers, which `wt doctor --fix` deletes.
    const later = (thrown: unknown): void => environment.log.info(`${folder} is left: ${messageOf(thrown)}`);
    await rm(folder, { recursive: true, force: true }).catch(later);
    if (removed.exitCode !== 0) await dropUnfinished(workspace, folder, began).catch(later);
  }
}

/** The folder of the temporary worktrees. */
export function tempWorktrees(commonDir: string): string {
  return join(commonDir, 'worktree-stacks', 'aside');
}
