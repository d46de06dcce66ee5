import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import { readTreeDiffs } from '../git/treeDiff.ts';
import { readAdminDirState, readSettledAdminDir } from '../remove/adminDirState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { changedAndHidden, hiddenBlocker } from './hiddenFiles.ts';
import type { Blocker, Checkout } from './checkout.ts';
import { lockAdvice, lockMessage, readIndexLock } from './indexLock.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import { checkoutMessages } from '../messages/checkout.ts';
import { removeMessages } from '../messages/remove.ts';

/** Whether a git operation is in progress in a worktree, or another git command has its index. */
export async function whyBusy(workspace: Workspace, checkout: Checkout): Promise<Blocker | undefined> {
  let record = await readAdminDirState(checkout.gitDir);
  if (record.indexLocked) record = await readSettledAdminDir(checkout.gitDir);
  const lock = record.indexLocked ? readIndexLock(workspace, checkout) : undefined;
  if (lock) return { why: lockMessage(lock), files: [], next: lockAdvice(checkout, lock), lock };
  if (record.operation) return { why: removeMessages.underWay({ operation: record.operation }), files: [] };
  return undefined;
}

/**
 * Whether a working tree could follow its branch from one commit to another with everything in it that is not committed left as it is.
 * Nothing is changed.
 *
 * @param step.added files that the second commit has and the first has not.
 * @param step.tryIt let git try it; otherwise only cheap checks are made.
 * @returns what is in the way; `undefined` when nothing is.
 */
export async function whyNotFollow(
  workspace: Workspace,
  checkout: Checkout,
  step: { readonly from: string; readonly to: string; readonly added: readonly string[]; readonly tryIt: boolean },
  signal: AbortSignal | undefined,
): Promise<Blocker | undefined> {
  const { git } = workspace;
  const busy = await whyBusy(workspace, checkout);
  if (busy) return busy;
  const refused = step.tryIt ? await refusedByGit(workspace, checkout, step, signal) : undefined;
  if (refused) return refused;
  const ignored = await ignoredAmong(git, checkout, step.added, signal);
  if (ignored.length === 0) return undefined;
  const next = checkoutMessages.moveIgnoredAway({ checkoutPath: checkout.path });
  return { why: checkoutMessages.ignoredFilesWay(), files: ignored, next };
}

/** A dry run of what git would do, which it does as a whole or not at all. */
async function refusedByGit(
  workspace: Workspace,
  checkout: Checkout,
  step: { readonly from: string; readonly to: string },
  signal: AbortSignal | undefined,
): Promise<Blocker | undefined> {
  const { git } = workspace;
  const at = { cwd: checkout.path, signal, writes: true };
  const dryRun = ['read-tree', '-n', '-m', '-u', step.from, step.to];
  let answer = await git.run(dryRun, at);
  if (answer.exitCode !== 0) {
    // Files that were only touched look changed until the index has been refreshed.
    await git.run(['update-index', '-q', '--refresh'], at);
    answer = await git.run(dryRun, at);
  }
  if (answer.exitCode === 0) return undefined;
  const files = await uncommittedAmong(git, checkout, step, signal);
  if (files.length === 0) {
    const [changes = []] = await readTreeDiffs(git, workspace.repository.commonDir, [step], signal);
    const between = new Set(changes.map(({ path }) => path));
    const hidden = await changedAndHidden(workspace, checkout, between, signal);
    if (hidden.length > 0) return hiddenBlocker(checkout, hidden);
  }
  return { why: checkoutMessages.uncommittedChangesWay(), files: files.length > 0 ? files : quotedIn(answer.stderr) };
}

/**
 * Whether git can rebase in a working tree, which it does only where nothing that it tracks has changed.
 *
 * @param step the branch's last commit, the commit that it is put onto, and that whose history is left out.
 * @returns what is in the way; `undefined` when nothing is.
 */
export async function whyNotRebase(
  workspace: Workspace,
  checkout: Checkout,
  step: { readonly from: string; readonly onto: string | undefined; readonly upstream: string | undefined },
  signal: AbortSignal | undefined,
): Promise<Blocker | undefined> {
  const { git } = workspace;
  const busy = await whyBusy(workspace, checkout);
  if (busy) return busy;
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=dirty'];
  const entries = await git.nul(args, { cwd: checkout.path, signal });
  const files = entries.map((entry) => entry.slice(3));
  if (files.length > 0) return { why: checkoutMessages.wouldConflictUncommitted(), files };
  const hidden = await changedAndHidden(workspace, checkout, undefined, signal);
  if (hidden.length === 0 || step.onto === undefined || step.upstream === undefined) return undefined;
  const touched = await touchedPaths(workspace, { ...step, onto: step.onto, upstream: step.upstream }, signal);
  const inTheWay = hidden.filter((path) => touched.has(path));
  return inTheWay.length === 0 ? undefined : hiddenBlocker(checkout, inTheWay);
}

/** The paths that a rebase may write to on its way. */
export async function touchedPaths(
  { git, repository }: Workspace,
  { from, onto, upstream }: { readonly from: string; readonly onto: string; readonly upstream: string },
  signal: AbortSignal | undefined,
): Promise<Set<string>> {
  const log = ['log', '--format=', '--name-only', '--no-renames', '-m', '-z', from, `^${upstream}`, `^${onto}`];
  const [[changes = []], own] = await Promise.all([
    readTreeDiffs(git, repository.commonDir, [{ from, to: onto }], signal),
    git.in(repository.commonDir).nul(log, { signal }),
  ]);
  return new Set([...changes.map(({ path }) => path), ...own.map((path) => path.replace(/^\n+/, ''))]);
}

/** The files that each pair's second commit has and its first has not; by the second. One process for all pairs. */
export async function addedFiles(
  { git, repository }: Workspace,
  pairs: readonly { readonly from: string; readonly to: string }[],
  signal: AbortSignal | undefined,
): Promise<Map<string, string[]>> {
  const diffs = await readTreeDiffs(git, repository.commonDir, pairs, signal);
  const added = new Map<string, string[]>();
  for (const [index, { to }] of pairs.entries()) {
    const news = (diffs[index] ?? []).filter(({ before }) => !before).map(({ path }) => path);
    added.set(to, [...(added.get(to) ?? []), ...news]);
  }
  return added;
}

/** Changed and untracked files that differ between the two commits as well. */
async function uncommittedAmong(
  git: Git,
  checkout: Checkout,
  step: { readonly from: string; readonly to: string },
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const at = { cwd: checkout.path, signal };
  const outputs = await Promise.all([
    git.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', step.from, step.to], at),
    git.run(['diff-index', '-z', '--name-only', '--no-renames', step.from], at),
    git.run(['ls-files', '-z', '--others', '--exclude-standard'], at),
  ]);
  const [moved = [], changed = [], untracked = []] = outputs.map(({ stdout }) => fieldsOf(stdout));
  const between = new Set(moved);
  return [...new Set([...changed, ...untracked])].filter((path) => between.has(path));
}

/** Git would write over ignored files without a word. */
async function ignoredAmong(
  git: Git,
  checkout: Checkout,
  added: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const there = await Promise.all(
    added.map(async (path) => ((await lstat(join(checkout.path, path)).catch(() => undefined)) ? [path] : [])),
  );
  const paths = there.flat();
  if (paths.length === 0) return [];
  const input = paths.map((path) => `${path}\0`).join('');
  const { stdout } = await git.run(['check-ignore', '-z', '--stdin'], { cwd: checkout.path, signal, input });
  return fieldsOf(stdout);
}

function quotedIn(words: string): string[] {
  return [...new Set([...words.matchAll(/^error: [^']*'(.+?)'/gm)].map(([, file = '']) => file))];
}
