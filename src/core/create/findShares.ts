import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf } from '../git/repositoryGit.ts';
import { rulesFor } from '../repository/ignoreRules.ts';
import type { ShareMethod, ShareRule } from '../repository/shareConfiguration.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** Something git-ignored of the main working tree that new worktrees are to have too. */
export interface Share {
  /** Relative to the main root, with forward slashes. */
  readonly path: string;
  readonly isFolder: boolean;
  /** `undefined`: as cheaply as is safe. */
  readonly method: ShareMethod | undefined;
}

/**
 * What `worktree.share` names in the main working tree: folders as a whole, and files, as far as git ignores them. None of the product's own
 * files. Where two rules name one thing the first decides.
 */
export async function findShares(workspace: Workspace, signal?: AbortSignal): Promise<Share[]> {
  const { configuration, repository } = workspace;
  const rules = configuration.worktree.share;
  if (repository.bare || rules.length === 0) return [];
  const found = new Map<string, Share>();
  // What is taken back by `!` belongs to the rules of the same method.
  for (const method of new Set(rules.map((rule) => rule.method))) {
    const patterns = rules.filter((rule) => rule.method === method);
    for (const entry of await listed(workspace, patterns, signal)) {
      const path = entry.replace(/\/$/, '');
      if (!found.has(path)) found.set(path, { path, isFolder: entry.endsWith('/'), method });
    }
  }
  const own = rulesFor(configuration).map(({ beginning }) => beginning);
  const shares = [...found.values()].filter(
    ({ path }) => !own.some((beginning) => path.startsWith(beginning) || `${path}/` === beginning),
  );
  const ignored = await ignoredOf(workspace, repository.mainRoot, shares, signal);
  const matching = shares.filter(({ path }) => ignored.has(path));
  // Git also lists the folders of which nothing is left beside what matches.
  return matching
    .filter(({ path }) => !matching.some((other) => other.path.startsWith(`${path}/`)))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** What patterns name, as git lists it: a folder with a slash at its end. */
async function listed(
  { git, repository }: Workspace,
  rules: readonly ShareRule[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const exclude = rules.flatMap(({ pattern }) => ['--exclude', pattern]);
  const args = ['ls-files', '-z', '--others', '--ignored', '--directory', ...exclude];
  const paths = await git.nul(args, { cwd: repository.mainRoot, signal });
  return paths.filter((path) => path !== '' && path !== './');
}

/** The paths of those that git ignores in a working tree, whether or not they are there. */
export async function ignoredOf(
  { git }: Workspace,
  root: string,
  shares: readonly Pick<Share, 'path' | 'isFolder'>[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (shares.length === 0) return new Set();
  // A rule may be about what is in the folder, `target/*`.
  const asked = new Map(shares.map(({ path, isFolder }) => [isFolder ? `${path}/x` : path, path]));
  const answer = await git.run(['check-ignore', '-z', '--stdin'], {
    cwd: root,
    signal,
    input: [...asked.keys()].map((path) => `${path}\0`).join(''),
  });
  return new Set(fieldsOf(answer.stdout).flatMap((path) => asked.get(path) ?? []));
}

/** Whether something is at a path, also a link to nothing. */
export async function isTaken(root: string, path: string): Promise<boolean> {
  return (await lstat(join(root, path)).catch(() => undefined)) !== undefined;
}
