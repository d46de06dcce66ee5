import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../base/problem.ts';
import type { GitAnswer } from '../git/gitError.ts';
import { readTreeDiffs } from '../git/treeDiff.ts';
import { readAdminDirState } from '../remove/adminDirState.ts';
import type { Stop } from '../operations/operation.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { touchedPaths } from '../checkout/blockers.ts';
import { CheckoutBackup } from '../checkout/checkoutBackup.ts';
import { followProblem } from '../checkout/followProblem.ts';
import { notWritable } from '../checkout/followTogether.ts';
import { preserveHidden } from '../checkout/hiddenFiles.ts';
import { restackMessages } from '../messages/restack.ts';

/**
 * Lets git start, continue or abort a rebase in the worktree of a branch, and checks whether it could write the files. A rebase that could
 * not start leaves every file unchanged.
 *
 * @param step.args of the rebase.
 * @throws Problem `not-writable` or `git-failed` that names a file which could not be written.
 */
export async function rebaseInPlace(
  workspace: Workspace,
  stop: Stop,
  step: {
    readonly args: readonly string[];
    readonly kind: 'begin' | 'go on' | 'end';
    readonly signal?: AbortSignal | undefined;
  },
): Promise<GitAnswer> {
  const { git, repository } = workspace;
  const { kind, signal } = step;
  const begins = kind === 'begin';
  const touched = await touchedPaths(workspace, stop, signal);
  const failed = await notWritable(stop, stop.branch, [...touched]);
  if (failed) throw await followProblem(workspace, failed, []);
  const [changes = []] = await readTreeDiffs(git, repository.commonDir, [{ from: stop.from, to: stop.onto }], signal);
  // Unstaged changes of the person; git refuses to continue with them.
  const own = kind === 'go on' ? await notWritten(workspace, stop, touched) : [];
  const backup = begins ? await CheckoutBackup.make(workspace, stop, changes) : undefined;
  const run = (args: readonly string[]): Promise<GitAnswer> => git.run(args, { cwd: stop.path, writes: true });
  // Only the start can be cancelled: killed later, git would leave the rebase unfinished.
  const answer = await preserveHidden(workspace, stop, () =>
    git.run(step.args, { cwd: stop.path, writes: true, signal }),
  );
  await backup?.noteIndex();
  const underWay = (await readAdminDirState(stop.gitDir)).operation === 'rebase';
  if (begins && answer.exitCode !== 0 && !underWay) {
    const kept = await backup?.restore(false);
    if (kept)
      throw await followProblem(workspace, { checkout: stop, branch: stop.branch, paths: [], words: answer.stderr }, [
        kept,
      ]);
    return answer;
  }
  const paths = (await notWritten(workspace, stop, touched)).filter((path) => !own.includes(path));
  if (paths.length === 0) {
    await backup?.drop();
    return answer;
  }
  const told = { checkout: stop, branch: stop.branch, paths, words: answer.stderr };
  if (!begins) throw halfWritten(stop, paths, answer.stderr);
  if (underWay) await preserveHidden(workspace, stop, () => run(['rebase', '--abort']));
  await backup?.noteIndex();
  const kept = await backup?.restore(false);
  throw await followProblem(workspace, told, kept ? [kept] : []);
}

/** The paths a rebase may have written whose files differ from its index, conflicts apart. */
async function notWritten({ git }: Workspace, stop: Stop, touched: ReadonlySet<string>): Promise<string[]> {
  const here = { cwd: stop.path };
  const settings = ['-c', 'diff.autoRefreshIndex=true', '-c', 'core.fsmonitor=false'];
  const args = ['--name-only', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=all'];
  const [differing, unmerged, tracked] = await Promise.all([
    git.nul([...settings, 'diff', ...args], here),
    git.nul([...settings, 'diff', ...args, '--diff-filter=U'], here),
    git.nul(['ls-files', '-z'], here),
  ]);
  const inConflict = new Set(unmerged);
  const known = new Set(tracked);
  const changed = differing.filter((path) => touched.has(path) && !inConflict.has(path));
  const deleted = [...touched].filter((path) => !known.has(path));
  const there = await Promise.all(
    deleted.map(async (path) => {
      const found = await lstat(join(stop.path, path)).catch(() => undefined);
      return found !== undefined && !found.isDirectory();
    }),
  );
  return [...new Set(changed), ...deleted.filter((_, index) => there[index])];
}

function halfWritten({ name, path }: Stop, paths: readonly string[], words: string): Problem {
  return new Problem('not-writable', restackMessages.filesNotWritten({ name, path, paths: paths.join(', ') }), {
    next: restackMessages.fixCausePermissions({ path, name }),
    items: words.split('\n').filter((line) => line.trim() !== ''),
    outcome: 'incomplete',
  });
}
