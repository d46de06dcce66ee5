import { Problem } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import type { GitOptions } from '../git/gitProcess.ts';
import { gitProblem } from '../git/gitError.ts';
import { keepSubmodule, refNames } from './backupSubmodule.ts';
import { keepBytes, treeOfBytes } from '../operations/exactBytes.ts';
import { treeDiff } from '../worktree/rawTrees.ts';
import type { Backup } from '../operations/backups.ts';
import type { WorkState } from '../operations/operation.ts';
import { keepTree, writeTreeOf } from './backupTree.ts';
import { withIndexCopy } from '../worktree/indexCopy.ts';
import type { Inspected } from './inspect.ts';
import { inTree, type Tree, type TreeState } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { removeMessages } from '../messages/remove.ts';
import { textOf } from '../messages/message.ts';

/** What was kept of a worktree. */
export interface BackedUp {
  readonly backups: readonly Backup[];
  /** The tree object of its files, `undefined` when they are all committed. */
  readonly files: string | undefined;
  /** The ref that keeps what was staged, that of the files where all of them were; `undefined` when nothing was. */
  readonly index: string | undefined;
  /** Of the files, the bytes that git would not write for them; a ref keeps these. */
  readonly bytes: WorkState['bytes'];
}

/** Where the backups of one removal go: `refs/wt-backup/<time>-<slug>`. */
export function backupPrefix(now: Date, slug: string): string {
  const time = now
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/\.(\d+)Z$/, '-$1');
  return `refs/wt-backup/${time}-${slug}`;
}

/**
 * Keeps everything that only a worktree holds in refs of the repository: uncommitted and untracked files and what was staged as
 * commits, commits of a detached `HEAD` and of private refs, and the same for its submodules, in the repository of the
 * submodule that stays where there is one. Ignored files are none of its concern: they are kept in files. The worktree is left exactly as it is.
 *
 * @throws Problem `would-lose-work` when something cannot be kept; then nothing may be removed.
 */
export async function backUp(
  workspace: Workspace,
  tree: Tree,
  inspected: Inspected,
  prefix: string,
  signal?: AbortSignal,
): Promise<BackedUp> {
  const { git, repository } = workspace;
  try {
    const backups: Backup[] = [];
    let files: string | undefined;
    let index: string | undefined;
    let bytes: WorkState['bytes'] = [];
    const number = numberOfChanges(inspected);
    if (inspected.state && number > 0) {
      files = await writeTreeOf(git, tree, withStray(inspected, inspected.state), signal);
      backups.push(await keepChanges(git, tree, { state: inspected.state, number, files, prefix }, signal));
      bytes = await keepExactly(workspace, tree, { head: inspected.state.head, files, prefix }, signal);
    }
    if (files !== undefined || !inspected.state) {
      const staged = await keepIndex(git, tree, prefix, signal, files);
      if (staged === 'files') index = `${prefix}/changes`;
      else if (staged) backups.push(staged);
      index ??= typeof staged === 'object' ? staged.ref : undefined;
    }
    for (const { name, oid, what } of inspected.commits) {
      const ref = `${prefix}/${name}`;
      await git.in(repository.commonDir).text(['update-ref', ref, oid, ''], { writes: true, signal });
      backups.push({ ref, what, restore: `git branch <name> ${ref}` });
    }
    const { repositories } = inspected.submodules;
    const names = refNames(repositories.map((work) => work.path));
    for (const [index, work] of repositories.entries()) {
      const below = `${prefix}/submodules/${names[index] ?? index}`;
      backups.push(...(await keepSubmodule(git, repository.commonDir, work, below, signal)));
    }
    return { backups, files, index, bytes };
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    throw new Problem('would-lose-work', removeMessages.backupFailed({ reason: thrown.message }), {
      next: removeMessages.commitMoveWork(),
      items: thrown.items,
      outcome: 'incomplete',
      cause: thrown,
    });
  }
}

/** What {@link writeTreeOf} needs to know of a worktree. */
export function withStray(inspected: Inspected, state: TreeState): Parameters<typeof writeTreeOf>[2] {
  return { ...state, stray: inspected.submodules.stray };
}

function numberOfChanges({ state, submodules }: Inspected): number {
  return (state?.uncommitted.length ?? 0) + (state?.overlooked.length ?? 0) + submodules.stray.length;
}

async function keepChanges(
  git: Git,
  tree: Tree,
  kept: { state: TreeState; number: number; files: string; prefix: string },
  signal: AbortSignal | undefined,
): Promise<Backup> {
  const { state, number, files, prefix } = kept;
  const what = removeMessages.uncommittedFiles({ count: number });
  const ref = `${prefix}/changes`;
  await keepTree(git, tree, { ref, object: files, head: state.head, message: `Backup of ${textOf(what)}` }, signal);
  return { ref, what, restore: `git restore --source=${ref} -- .` };
}

/** The bytes of files that git would give other line ends, or whose filter does not give them back: an undo writes them as they were. */
async function keepExactly(
  workspace: Workspace,
  tree: Tree,
  { head, files, prefix }: { readonly head: string | undefined; readonly files: string; readonly prefix: string },
  signal: AbortSignal | undefined,
): Promise<WorkState['bytes']> {
  // Without a commit there is nothing that could be restored from refs.
  if (head === undefined) return [];
  const bytes = await keepBytes(workspace, tree, await treeDiff(workspace, files, head, signal), signal);
  if (bytes.length === 0) return bytes;
  const object = await treeOfBytes(workspace, bytes, signal);
  const message = 'Backup of the bytes of these files';
  await keepTree(workspace.git, tree, { ref: `${prefix}/bytes`, object, head: undefined, message }, signal);
  return bytes;
}

/**
 * What was staged, where that is neither what is committed nor what is in the files (`files`). A conflicted index cannot be kept as a
 * tree.
 *
 * @throws Problem when it could not be written.
 */
async function keepIndex(
  git: Git,
  tree: Tree,
  prefix: string,
  signal: AbortSignal | undefined,
  files: string | undefined,
): Promise<Backup | 'files' | undefined> {
  const bare = { path: tree.gitDir, gitDir: tree.gitDir };
  const at = { cwd: tree.gitDir, signal };
  const [index, head] = await Promise.all([
    withIndexCopy(bare, (variables) => writeIndex(git, bare, { ...at, variables })),
    git.line(inTree(bare, 'rev-parse', '--quiet', '--verify', 'HEAD^{commit}'), at),
  ]);
  if (index === undefined) return undefined;
  if (index === files) return 'files';
  if (head !== undefined && index === (await git.line(inTree(bare, 'rev-parse', `${head}^{tree}`), at)))
    return undefined;
  const ref = `${prefix}/index`;
  await keepTree(git, bare, { ref, object: index, head, message: 'Backup of what was staged' }, signal);
  return { ref, what: removeMessages.whatWasStaged(), restore: `git restore --staged --source=${ref} -- .` };
}

/** The tree of what is staged; `undefined` when there are conflicts in the index. Any other failure is none that may be passed over. */
async function writeIndex(git: Git, tree: Tree, at: GitOptions): Promise<string | undefined> {
  const args = inTree(tree, 'write-tree');
  const answer = await git.run(args, { ...at, writes: true });
  if (answer.exitCode === 0) return answer.stdout.trim();
  if ((await git.text(inTree(tree, 'ls-files', '--unmerged', '-z'), at)) !== '') return undefined;
  throw gitProblem(args, answer);
}
