import { lstat } from 'node:fs/promises';
import { dirname, join, resolve, basename } from 'node:path';
import { isWithin, realPathOf, relativeTo, samePath } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { gitProblem, type GitAnswer } from '../git/gitError.ts';
import { readHiddenFiles, tellHidden } from './treeState.ts';
import type { Workspace } from './workspace.ts';
import { worktreeMessages } from '../messages/worktree.ts';

/**
 * Stages files and commits what is staged then (seed 001). Running it again changes nothing: also when a file was removed and
 * its removal is committed already.
 *
 * @param files as a person typed them: relative to the environment's folder when that is in the worktree, else to its root.
 * Folders count with everything in them; no character is special.
 * @returns the commit's id; `undefined` when nothing was staged.
 * @throws Problem `usage` for an empty message, `not-found` for a file that git has never seen, `outside-repository`;
 * `dirty` (outcome incomplete) for a file whose changes git overlooks; `git-failed` (outcome incomplete) with the words of a hook that refused.
 */
export async function addCommit(
  workspace: Workspace,
  worktreeRoot: string,
  files: readonly string[],
  message: string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<string | undefined> {
  if (message.trim() === '') {
    throw new Problem('usage', worktreeMessages.messageCommitEmpty(), { next: worktreeMessages.giveStandardInput() });
  }
  const { git } = workspace;
  const run = { cwd: worktreeRoot, signal: options.signal };
  await stageFiles(workspace, worktreeRoot, files, options);
  const staged = await git.run(['diff', '--cached', '--quiet', '--no-ext-diff'], run);
  if (staged.exitCode === 0) return undefined;
  if (staged.exitCode !== 1) throw gitProblem(['diff', '--cached'], staged);
  const committed = await git.run(['commit', '--quiet', '--file=-'], { ...run, input: message, writes: true });
  if (committed.exitCode !== 0) throw commitProblem(committed);
  return (await git.text(['rev-parse', 'HEAD'], run)).trim();
}

/**
 * Stages files, as {@link addCommit} does before it commits.
 *
 * @throws Problem as that.
 */
export async function stageFiles(
  workspace: Workspace,
  worktreeRoot: string,
  files: readonly string[],
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { git } = workspace;
  const run = { cwd: worktreeRoot, signal: options.signal };
  const paths = await Promise.all(files.map((file) => pathInTree(workspace, worktreeRoot, file)));
  await requireSeen(workspace, worktreeRoot, paths, options.signal);
  const there = await stageable(workspace, worktreeRoot, paths, options.signal);
  if (there.length > 0) {
    const input = there.map((path) => `${path}\0`).join('');
    const args = ['--literal-pathspecs', 'add', '--pathspec-from-file=-', '--pathspec-file-nul'];
    await git.text(args, { ...run, input, writes: true });
  }
}

/** Git overlooks the changes of some files, so naming one of them would commit nothing and say nothing. */
async function requireSeen(
  { git }: Workspace,
  root: string,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const gitDir = (await git.text(['rev-parse', '--absolute-git-dir'], { cwd: root, signal })).trim();
  const named = new Set(paths);
  const hidden = (await readHiddenFiles(git, { path: root, gitDir }, signal)).filter(({ path }) => named.has(path));
  if (hidden.length === 0) return;
  const { items, next } = tellHidden(hidden);
  throw new Problem('dirty', worktreeMessages.hiddenChanges(), {
    next: worktreeMessages.showAgainOrLeaveOut({ next }),
    items,
    outcome: 'incomplete',
  });
}

/** The path from the root, with forward slashes; links above the file are followed, the file itself may be one. */
async function pathInTree({ environment }: Workspace, root: string, file: string): Promise<string> {
  const realRoot = await realPathOf(root);
  const start = isWithin(realRoot, await realPathOf(environment.cwd)) ? environment.cwd : root;
  const absolute = resolve(start, file);
  const real = samePath(absolute, root) ? realRoot : join(await realPathOf(dirname(absolute)), basename(absolute));
  if (file === '' || !isWithin(realRoot, real)) {
    throw new Problem('outside-repository', worktreeMessages.notInsideWorktree({ file: JSON.stringify(file), root }), {
      next: worktreeMessages.nameFilesWorktree(),
    });
  }
  return relativeTo(realRoot, real) || '.';
}

/**
 * The paths that git can stage: those on disk, and those that are gone but still tracked. One that is gone and was committed
 * once needs nothing any more; one that never was is a mistake.
 */
async function stageable(
  { git }: Workspace,
  root: string,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const run = { cwd: root, signal };
  const found = await Promise.all(
    paths.map(async (path) => {
      if (await lstat(join(root, path)).catch(() => undefined)) return true;
      if (await git.line(['--literal-pathspecs', 'ls-files', '--error-unmatch', '--', path], run)) return true;
      const args = ['--literal-pathspecs', 'log', '--max-count=1', '--format=%H', 'HEAD', '--', path];
      if (await git.line(args, run)) return false;
      throw new Problem('not-found', worktreeMessages.neitherDiskNor({ path }), { file: join(root, path) });
    }),
  );
  return paths.filter((_, index) => found[index]);
}

/** Why git made no commit, told apart from a lock: a signature that failed, or a hook's own words. */
export function commitProblem(answer: GitAnswer): Problem {
  const plain = gitProblem(['commit'], answer);
  if (plain.reason !== 'git-failed') return plain;
  const items = `${answer.stderr}\n${answer.stdout}`.split('\n').filter((line) => line.trim() !== '');
  // With its frame: a hook may name a file of such a name.
  const signing =
    /^(?:error|fatal): (?:gpg failed to sign|failed to write commit object|.*\bssh-keygen (?:-Y|failed))/m.test(
      answer.stderr,
    );
  return new Problem('git-failed', signing ? worktreeMessages.notSigned() : worktreeMessages.gitRefusedCommit(), {
    next: signing ? worktreeMessages.unlockSigningKey() : worktreeMessages.correctSaidBelow(),
    items: items.slice(-40),
    outcome: 'incomplete',
  });
}
