import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem, errorCode } from '../base/problem.ts';
import type { Git } from '../git/git.ts';
import type { LocalWork } from './localWork.ts';
import { clonesInUntracked } from './nestedClones.ts';
import type { Seen } from './removal.ts';
import { inTree, type Tree, type TreeState } from './treeState.ts';
import type { Workspace } from './workspace.ts';

/** A ref that keeps what a removal took away. */
export interface Backup {
  /** The full name, below `refs/wt-backup/`. */
  readonly ref: string;
  /** What it holds, as a sentence part: "2 uncommitted files". */
  readonly what: string;
  /** The command that gets it back. */
  readonly restore: string;
}

/** Whose commits the backups are, so that they need nobody's identity and no signature. */
const author = {
  GIT_AUTHOR_NAME: 'Worktree Stacks',
  GIT_AUTHOR_EMAIL: 'worktree-stacks@localhost',
  GIT_COMMITTER_NAME: 'Worktree Stacks',
  GIT_COMMITTER_EMAIL: 'worktree-stacks@localhost',
};

/** The index that a backup is made with, in the git directory of the tree. */
export const temporaryIndex = 'wt-backup-index';

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
 * submodule that stays where there is one. The worktree is left exactly as it is.
 *
 * @returns the refs, and the tree object of the files, `undefined` when they are all committed.
 * @throws Problem `would-lose-work` when something cannot be kept; then nothing may be removed.
 */
export async function backUp(
  workspace: Workspace,
  tree: Tree,
  seen: Seen,
  prefix: string,
  signal?: AbortSignal,
): Promise<{ readonly backups: readonly Backup[]; readonly files: string | undefined }> {
  const { git, repository } = workspace;
  try {
    const backups: Backup[] = [];
    let files: string | undefined;
    const number = numberOfChanges(seen);
    if (seen.state && number > 0) {
      files = await writeTreeOf(git, tree, withStray(seen, seen.state), signal);
      backups.push(...(await keepChanges(git, tree, { state: seen.state, number, files, prefix }, signal)));
    } else if (!seen.state) backups.push(...(await keepIndex(git, tree, prefix, signal)));
    for (const { name, oid, what } of seen.commits) {
      const ref = `${prefix}/${name}`;
      await git.text(['update-ref', ref, oid, ''], { cwd: repository.commonDir, writes: true, signal });
      backups.push({ ref, what, restore: `git branch <name> ${ref}` });
    }
    const { repositories } = seen.submodules;
    const names = refNames(repositories.map((work) => work.path));
    for (const [index, work] of repositories.entries()) {
      const below = `${prefix}/submodules/${names[index] ?? index}`;
      backups.push(...(await keepSubmodule(git, repository.commonDir, work, below, signal)));
    }
    return { backups, files };
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    throw new Problem('would-lose-work', `A backup could not be made, so nothing was removed: ${thrown.message}`, {
      next: 'commit or move the work away yourself',
      items: thrown.items,
      outcome: 'incomplete',
      cause: thrown,
    });
  }
}

/**
 * The tree object of everything that is in a working tree now, ignored files apart. Nothing but git's object store changes.
 *
 * @param also ignored files that are to be in it as well.
 */
export async function writeTreeOf(
  git: Git,
  tree: Tree,
  state: Pick<TreeState, 'uncommitted' | 'overlooked'> & {
    readonly stray: readonly string[];
    readonly also: readonly string[];
  },
  signal?: AbortSignal,
): Promise<string> {
  return withIndexCopy(tree, async (variables) => {
    const options = { cwd: tree.path, writes: true, signal, variables };
    const run = (...args: string[]): Promise<string> => git.text(inTree(tree, ...args), options);
    const withPaths = (paths: readonly string[], ...args: string[]): Promise<string> =>
      git.text(inTree(tree, ...args, '-z', '--stdin'), {
        ...options,
        input: paths.map((path) => `${path}\0`).join(''),
      });
    if (state.overlooked.length > 0) {
      await withPaths(state.overlooked, 'update-index', '--no-assume-unchanged');
      await withPaths(state.overlooked, 'update-index', '--no-skip-worktree');
    }
    // A folder that stands for a submodule is one entry; its files can only be added in its stead.
    if (state.stray.length > 0) await withPaths(state.stray, 'update-index', '--force-remove');
    const clones = await clonesInUntracked(git, tree, state.uncommitted, signal);
    const except = clones.map((path) => `:(exclude,literal)${path}`);
    const quiet = ['-c', 'core.safecrlf=false', '-c', 'advice.addEmbeddedRepo=false', '-c', 'core.fsmonitor=false'];
    await run(...quiet, 'add', '--all', '--sparse', '--', '.', ...except);
    const forced = [...state.also, ...state.stray];
    if (forced.length > 0) await run('--literal-pathspecs', ...quiet, 'add', '--force', '--sparse', '--', ...forced);
    return (await run('write-tree')).trim();
  });
}

/** What {@link writeTreeOf} needs to know of a worktree. */
export function withStray(seen: Seen, state: TreeState): Parameters<typeof writeTreeOf>[2] {
  return { ...state, stray: seen.submodules.stray, also: seen.copies.changed };
}

function numberOfChanges({ state, submodules, copies }: Seen): number {
  const inTree = (state?.uncommitted.length ?? 0) + (state?.overlooked.length ?? 0);
  return inTree + submodules.stray.length + copies.changed.length;
}

async function keepChanges(
  git: Git,
  tree: Tree,
  kept: { state: TreeState; number: number; files: string; prefix: string },
  signal: AbortSignal | undefined,
): Promise<Backup[]> {
  const { state, number, files, prefix } = kept;
  const what = number === 1 ? 'an uncommitted file' : `${number} uncommitted files`;
  const ref = `${prefix}/changes`;
  await keepTree(git, tree, { ref, object: files, head: state.head, message: `Backup of ${what}` }, signal);
  const staged = await keepIndex(git, tree, prefix, signal, files);
  return [{ ref, what, restore: `git restore --source=${ref} -- .` }, ...staged];
}

/** What was staged, where that is neither what is committed nor what is in the files. A conflicted index cannot be kept as a tree. */
async function keepIndex(
  git: Git,
  tree: Tree,
  prefix: string,
  signal: AbortSignal | undefined,
  files?: string,
): Promise<Backup[]> {
  const bare = { path: tree.gitDir, gitDir: tree.gitDir };
  const at = { cwd: tree.gitDir, signal };
  const [index, head] = await Promise.all([
    withIndexCopy(bare, (variables) => git.line(inTree(bare, 'write-tree'), { ...at, writes: true, variables })),
    git.line(inTree(bare, 'rev-parse', '--quiet', '--verify', 'HEAD^{commit}'), at),
  ]);
  if (index === undefined || index === files) return [];
  if (head !== undefined && index === (await git.line(inTree(bare, 'rev-parse', `${head}^{tree}`), at))) return [];
  const ref = `${prefix}/index`;
  await keepTree(git, bare, { ref, object: index, head, message: 'Backup of what was staged' }, signal);
  return [{ ref, what: 'what was staged', restore: `git restore --staged --source=${ref} -- .` }];
}

/** Runs something with a copy of a tree's index, which git may then change; locks on the real one do not matter. */
async function withIndexCopy<T>(tree: Tree, task: (variables: Record<string, string>) => Promise<T>): Promise<T> {
  const index = join(tree.gitDir, temporaryIndex);
  // A process that was killed here may have left both.
  const clear = (): Promise<unknown> => Promise.all([rm(index, { force: true }), rm(`${index}.lock`, { force: true })]);
  try {
    await clear();
    // It knows what is unchanged, so that only the rest has to be read. A tree without a commit may have none.
    await copyFile(join(tree.gitDir, 'index'), index).catch((thrown: unknown) => {
      if (errorCode(thrown) !== 'ENOENT') throw thrown;
    });
    return await task({ GIT_INDEX_FILE: index });
  } finally {
    await clear();
  }
}

async function keepTree(
  git: Git,
  tree: Tree,
  what: { ref: string; object: string; head: string | undefined; message: string },
  signal: AbortSignal | undefined,
): Promise<string> {
  const options = { cwd: tree.path, writes: true, signal, variables: author };
  const parent = what.head === undefined ? [] : ['-p', what.head];
  const made = await git.text(inTree(tree, 'commit-tree', what.object, ...parent, '-m', what.message), options);
  const commit = made.trim();
  await git.text(inTree(tree, 'update-ref', what.ref, commit, ''), options);
  return commit;
}

/** Brings the work of one submodule into the repository that stays. */
async function keepSubmodule(
  git: Git,
  commonDir: string,
  work: LocalWork,
  below: string,
  signal: AbortSignal | undefined,
): Promise<Backup[]> {
  const home = work.home ?? commonDir;
  const wanted = work.tips.map(({ name, oid }) => ({
    oid,
    ref: `${below}/${name}`,
    what: `commits of the submodule ${work.path}`,
  }));
  if (work.changes.length > 0 && work.folder !== undefined && work.state) {
    const tree = { path: work.folder, gitDir: work.store };
    const files = await writeTreeOf(git, tree, { ...work.state, stray: [], also: [] }, signal);
    const ref = `${below}/changes`;
    const message = `Backup of uncommitted files in ${work.path}`;
    const oid = await keepTree(git, tree, { ref, object: files, head: work.state.head, message }, signal);
    wanted.push({ oid, ref, what: `uncommitted files of the submodule ${work.path}` });
  }
  if (wanted.length === 0) return [];
  // Any commit may be asked for in the second version of the protocol, and only there.
  const settings = ['-c', 'protocol.version=2', '-c', 'protocol.file.allow=always', '-c', 'fetch.fsckObjects=false'];
  const quietly = ['--quiet', '--no-tags', '--no-prune', '--no-write-fetch-head', '--no-recurse-submodules'];
  const at = { path: home, gitDir: home };
  const fetch = ['fetch', ...quietly, '--no-auto-maintenance', '--update-shallow', work.store];
  const specs = wanted.map(({ oid, ref }) => `+${oid}:${ref}`);
  await git.text([...settings, ...inTree(at, ...fetch, ...specs)], { cwd: home, writes: true, signal });
  const kept = await git.text(inTree(at, 'for-each-ref', '--format=%(objectname) %(refname)', below), {
    cwd: home,
    signal,
  });
  const missing = wanted.find(({ oid, ref }) => !kept.split('\n').includes(`${oid} ${ref}`));
  if (missing) throw new Problem('git-failed', `The ${missing.what} did not arrive in ${home}.`);
  return wanted.map(({ ref, what }) => ({ ref, what, restore: `git --git-dir=${quote(home)} branch <name> ${ref}` }));
}

/** A name for each submodule that can be part of a ref's name, each once. */
function refNames(paths: readonly string[]): string[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const plain = path.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '') || 'submodule';
    let name = plain;
    for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`;
    taken.add(name);
    return name;
  });
}

const quote = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
