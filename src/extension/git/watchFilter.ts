/** What the change of a file can mean for what is shown of a repository. */
export interface FileChange {
  /** Absolute. */
  readonly path: string;
  /** Other worktrees and branches may be there, or be in another state. */
  readonly list?: true;
  /** The status of the worktree that holds the path may be another one. */
  readonly status?: true;
  /** Hooks of Claude Code may have written to their log. */
  readonly agents?: true;
  /** What is shown may have to change. */
  readonly shown?: true;
}

/**
 * What the change of a file below the common git directory can mean.
 *
 * @param path relative to the common git directory, with forward slashes.
 */
export function effectInGit(path: string): Omit<FileChange, 'path'> {
  const list = leavesList(path) ? {} : { list: true as const };
  if (concernsAgents(path)) return { ...list, agents: true };
  return concernsGit(path) ? { ...list, shown: true } : list;
}

/**
 * What the change of a file of a working tree can mean.
 *
 * @param path relative to the working tree, with forward slashes.
 */
export function effectInWorktree(path: string): Omit<FileChange, 'path'> {
  if (concernsFiles(path)) return { status: true, shown: true };
  return leadsToGit(path) ? { status: true } : {};
}

/**
 * Whether a change to a file below the common git directory can change what is shown. Objects, lock files, reflogs, our pending operations and the
 * copies of indexes that we work with cannot; the log of operations can.
 *
 * @param path relative to the common git directory, with forward slashes.
 */
export function concernsGit(path: string): boolean {
  if (path === '' || path.endsWith('.lock') || path.endsWith('.new')) return false;
  if (/^worktree-stacks\/log\/[^/]+\.json$/.test(path)) return true;
  if (/^(objects|logs|lfs|hooks|modules|worktree-stacks|fsmonitor--daemon)(\/|$)/.test(path)) return false;
  const own = path.replace(/^worktrees\/[^/]+\//, '');
  return !/^(logs(\/|$)|FETCH_HEAD$|COMMIT_EDITMSG$|gc\.|fsmonitor--daemon|wt-(backup|bytes|predict)-index)/.test(own);
}

/**
 * Whether a change to a file below the common git directory leaves it as it is which worktrees and branches there are: it is an index,
 * of which the status of one worktree depends, or nothing that is shown.
 *
 * @param path relative to the common git directory, with forward slashes.
 */
export function leavesList(path: string): boolean {
  if (path === '') return false;
  return !concernsGit(path) || /^(worktrees\/[^/]+\/)?(index|sharedindex\.[^/]+)$|^worktree-stacks\//.test(path);
}

/**
 * Whether a file below the common git directory is the log that Claude Code's hooks write, or a folder that holds it.
 *
 * @param path relative to the common git directory, with forward slashes.
 */
function concernsAgents(path: string): boolean {
  return /^worktree-stacks(\/log(\/(?!.*\.json$)|$)|$)/.test(path);
}

/**
 * Whether a file of a working tree leads git to its own files; without it the tree is none any more. Where there is a folder of that name,
 * that is all of git's files, which are watched apart.
 *
 * @param path with forward slashes.
 */
export function leadsToGit(path: string): boolean {
  return /(^|\/)\.git$/.test(path);
}

/**
 * Whether a change to a file of a working tree can change what is shown. Git's own files are watched apart, and what package managers
 * and agents keep for themselves is ignored by git nearly always.
 *
 * @param path with forward slashes.
 */
export function concernsFiles(path: string): boolean {
  return !/(^|\/)(\.git(\/|$)|node_modules\/|\.claude-state(\/|$))/.test(path);
}
