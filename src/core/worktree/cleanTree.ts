import { join } from 'node:path';
import { isThere } from '../base/isThere.ts';
import { quotePath } from '../git/quotePath.ts';
import { parseShortStatus, type ShortEntry } from '../git/status.ts';
import { readHiddenFiles, namesOfHidden } from './treeState.ts';
import type { Workspace } from './workspace.ts';
import { fieldsOf } from '../git/repositoryGit.ts';

/**
 * What is not committed in a worktree and its initialised submodules, the session files apart (seed 001): lines as `git status
 * --porcelain` writes them, paths from the worktree's root. Empty when the tree is clean.
 */
export async function cleanTree(
  workspace: Workspace,
  worktreeRoot: string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<string[]> {
  return (await dirtyEntries(workspace, worktreeRoot, options)).map(dirtyLine);
}

/**
 * Files whose changes git has been told to overlook (`assume-unchanged`, `skip-worktree`), in a worktree and its initialised submodules.
 * No status shows them, so a tree can be called clean that holds them.
 *
 * @returns each with its mark, paths from the worktree's root.
 */
export async function hiddenChanges(
  workspace: Workspace,
  worktreeRoot: string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<string[]> {
  const { git } = workspace;
  const { signal } = options;
  const within = async (root: string, prefix: string): Promise<string[]> => {
    const gitDir = await git.line(['rev-parse', '--absolute-git-dir'], { cwd: root, signal });
    if (gitDir === undefined) return [];
    const [hidden, submodules] = await Promise.all([
      readHiddenFiles(git, { path: root, gitDir }, signal),
      initialisedSubmodules(workspace, root, signal),
    ]);
    const inner = await Promise.all(submodules.map((path) => within(join(root, path), `${prefix}${path}/`)));
    return [...namesOfHidden(hidden).map((item) => `${prefix}${item}`), ...inner.flat()];
  };
  return within(worktreeRoot, '');
}

/** The same, as entries whose paths are from the worktree's root. */
export async function dirtyEntries(
  workspace: Workspace,
  worktreeRoot: string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ShortEntry[]> {
  return dirtyIn(workspace, worktreeRoot, '', options.signal);
}

/** @param prefix the path of a submodule within the worktree, with a slash at the end. */
async function dirtyIn(
  workspace: Workspace,
  root: string,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<ShortEntry[]> {
  // What is changed inside a submodule is told by the submodule; its own line only tells that another commit is checked out.
  const args = ['status', '--porcelain', '-z', '--untracked-files=normal', '--ignore-submodules=dirty'];
  const [output, submodules] = await Promise.all([
    workspace.git.text(args, { cwd: root, signal }),
    initialisedSubmodules(workspace, root, signal),
  ]);
  const entries = await withoutSessionFiles(workspace, root, parseShortStatus(output), signal);
  const inner = submodules.map((path) => dirtyIn(workspace, join(root, path), `${prefix}${path}/`, signal));
  const here = entries.map(({ code, path, from }): ShortEntry => ({
    code,
    path: `${prefix}${path}`,
    ...(from === undefined ? {} : { from: `${prefix}${from}` }),
  }));
  return [...here, ...(await Promise.all(inner)).flat()];
}

async function withoutSessionFiles(
  { configuration, git }: Workspace,
  root: string,
  entries: readonly ShortEntry[],
  signal: AbortSignal | undefined,
): Promise<ShortEntry[]> {
  const { session, learnings, jobs } = configuration.session;
  const exempt = new Set([session, learnings, jobs]);
  const kept = entries.filter(({ path, from }) => !exempt.has(path) || (from !== undefined && !exempt.has(from)));
  // Git folds a folder without any tracked file into one line, which may hide nothing but session files.
  const isFold = ({ code, path }: ShortEntry): boolean =>
    code === '??' && path.endsWith('/') && [...exempt].some((file) => file.startsWith(path));
  const folds = kept.filter(isFold).map(({ path }) => path);
  if (folds.length === 0) return kept;
  const args = ['--literal-pathspecs', 'ls-files', '--others', '--exclude-standard', '-z', '--', ...folds];
  const files = (await git.nul(args, { cwd: root, signal })).filter((path) => path && !exempt.has(path));
  return [...kept.filter((entry) => !isFold(entry)), ...files.map((path): ShortEntry => ({ code: '??', path }))];
}

/** The paths of the submodules that are checked out here. */
async function initialisedSubmodules(
  { git }: Workspace,
  root: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (!(await isThere(join(root, '.gitmodules')))) return [];
  const args = ['config', '-z', '--file', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$'];
  const { stdout } = await git.run(args, { cwd: root, signal });
  const paths = fieldsOf(stdout).flatMap((entry) => entry.split('\n').slice(1).join('\n') || []);
  const there = await Promise.all(paths.map((path) => isThere(join(root, path, '.git'))));
  return paths.filter((_, index) => there[index]);
}

/** An entry as `git status --porcelain` writes it. */
export function dirtyLine({ code, path, from }: ShortEntry): string {
  const quoted = (each: string): string => quotePath(each, { spaces: true });
  return `${code} ${from === undefined ? '' : `${quoted(from)} -> `}${quoted(path)}`;
}
