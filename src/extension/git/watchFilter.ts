/**
 * Whether a change to a file below the common git directory can change what is shown. Objects, lock files, reflogs, our own journals and the copies
 * of indexes that we work with cannot; records of operations on stacks can.
 *
 * @param path relative to the common git directory, with forward slashes.
 */
export function concernsGit(path: string): boolean {
  if (path === '' || path.endsWith('.lock') || path.endsWith('.new')) return false;
  if (/^worktree-stacks\/log\/[^/]+\.json$/.test(path)) return true;
  if (/^(objects|logs|lfs|hooks|modules|worktree-stacks|fsmonitor--daemon)(\/|$)/.test(path)) return false;
  const own = path.replace(/^worktrees\/[^/]+\//, '');
  return !/^(logs(\/|$)|FETCH_HEAD$|COMMIT_EDITMSG$|gc\.|fsmonitor--daemon|wt-(backup|predict)-index)/.test(own);
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
export function concernsAgents(path: string): boolean {
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
