import type { Git } from '../git/git.ts';
import { clonesInUntracked } from './nestedClones.ts';
import { temporaryIndex, withIndexCopy } from '../worktree/indexCopy.ts';
import { inTree, type Tree, type TreeState } from '../worktree/treeState.ts';

/** Whose commits the backups are, so that they need nobody's identity and no signature. */
export const author = {
  GIT_AUTHOR_NAME: 'Worktree Stacks',
  GIT_AUTHOR_EMAIL: 'worktree-stacks@localhost',
  GIT_COMMITTER_NAME: 'Worktree Stacks',
  GIT_COMMITTER_EMAIL: 'worktree-stacks@localhost',
};

/**
 * The tree object of everything that is in a working tree now, ignored files apart. Nothing but git's object store changes.
 *
 * @param indexName as for {@link withIndexCopy}.
 */
export async function writeTreeOf(
  git: Git,
  tree: Tree,
  state: Pick<TreeState, 'uncommitted' | 'overlooked'> & {
    /** Folders of submodules that are none, and whose files are to be in it. */
    readonly stray: readonly string[];
  },
  signal?: AbortSignal,
  indexName = temporaryIndex,
): Promise<string> {
  const write = async (variables: Record<string, string>): Promise<string> => {
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
    if (state.stray.length > 0)
      await run('--literal-pathspecs', ...quiet, 'add', '--force', '--sparse', '--', ...state.stray);
    return (await run('write-tree')).trim();
  };
  return withIndexCopy(tree, write, indexName);
}

/** Makes a commit of a tree object, and a ref that keeps it; the commit's id. */
export async function keepTree(
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

/** A commit of the product's own with any number of parents, as git stores it. */
export function commitTextOf(tree: string, parents: readonly string[], message: string): string {
  const who = `${author.GIT_AUTHOR_NAME} <${author.GIT_AUTHOR_EMAIL}> ${Math.floor(Date.now() / 1000)} +0000`;
  const lines = [`tree ${tree}`, ...parents.map((each) => `parent ${each}`), `author ${who}`, `committer ${who}`];
  return `${lines.join('\n')}\n\n${message}\n`;
}
