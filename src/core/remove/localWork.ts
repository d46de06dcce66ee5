import { lstat, readFile, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isWithin, realPathOf, relativeTo } from '../base/paths.ts';
import type { Git } from '../git/git.ts';
import { gitFileTarget } from '../git/gitFile.ts';
import type { Repository } from '../repository/identity.ts';
import { inTree, readTreeState, type Tree, type TreeState } from '../worktree/treeState.ts';

/** Work in a repository inside of a worktree (a submodule, or a clone that was put there) that goes when the worktree goes. */
export interface LocalWork {
  /** Its path from the worktree's root. */
  readonly path: string;
  /** Its git directory. */
  readonly store: string;
  /** Its working tree; `undefined` for a submodule that is not checked out any more. */
  readonly folder: string | undefined;
  /** The repository of the same submodule in the main working tree, where a backup belongs. */
  readonly home: string | undefined;
  /** What is in that; `undefined` without one. */
  readonly state: TreeState | undefined;
  /** Paths in it that are not committed. */
  readonly changes: readonly string[];
  /** Commits that are neither on its remote nor in {@link home}, as "<short id> <subject>"; at most a thousand. */
  readonly commits: readonly string[];
  /** Commits that reach all of those, with the name of what points at them. */
  readonly tips: readonly { readonly name: string; readonly oid: string }[];
}

/** What a removal would lose in the submodules of a worktree. */
export interface SubmoduleWork {
  readonly repositories: readonly LocalWork[];
  /** Folders of submodules that are not initialised and yet hold files; git shows them nowhere. */
  readonly stray: readonly string[];
}

/** A submodule that is checked out. */
interface Inner {
  readonly path: string;
  readonly name: string;
  readonly state: TreeState;
}

const mostCommits = 1000;

/**
 * Inspects each submodule of a worktree, nested ones too, and into repositories of submodules that are not checked out any
 * more: git keeps them in the worktree's git directory and would delete them with it.
 *
 * @param paths the submodules that the index names.
 * @throws Problem when git cannot tell.
 */
export async function readSubmoduleWork(
  git: Git,
  repository: Repository,
  tree: Tree,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<SubmoduleWork> {
  const found = new Map<string, Inner>();
  const stray: string[] = [];
  const collect = async (root: string, prefix: string, links: readonly string[]): Promise<void> => {
    for (const link of links) {
      const folder = join(root, link);
      const store = await storeOf(folder);
      if (store === undefined) {
        if ((await readdir(folder).catch(() => [])).length > 0) stray.push(prefix + link);
        continue;
      }
      const state = await readTreeState(git, { path: folder, gitDir: store }, signal);
      found.set(await realPathOf(store), { path: folder, name: prefix + link, state });
      await collect(folder, `${prefix}${link}/`, state.submodules);
    }
  };
  await collect(tree.path, '', paths);
  const modules = join(tree.gitDir, 'modules');
  const left = (await storesBelow(modules)).filter((store) => !found.has(store));
  const places = await Promise.all([realPathOf(tree.path), realPathOf(tree.gitDir)]);
  const repositories = await Promise.all([
    ...[...found].map(async ([store, inner]) => {
      const goes = places.some((place) => isWithin(place, store));
      const home = await homeOf(repository, modules, store, inner.name);
      const where = { path: inner.name, store, folder: inner.path, state: inner.state, home };
      return readLocalWork(git, where, { goes, signal });
    }),
    ...left.map(async (store) => {
      const path = relativeTo(await realPathOf(modules), store);
      const home = await homeOf(repository, modules, store, undefined);
      return readLocalWork(git, { path, store, folder: undefined, state: undefined, home }, { goes: true, signal });
    }),
  ]);
  return { repositories: repositories.filter(hasWork), stray };
}

/** The same for a repository that is no submodule; `undefined` when there is nothing in it that would be lost. */
export async function readCloneWork(
  git: Git,
  root: string,
  path: string,
  signal?: AbortSignal,
): Promise<LocalWork | undefined> {
  const folder = join(root, path);
  const store = await storeOf(folder);
  if (store === undefined) return undefined;
  const goes = isWithin(await realPathOf(root), await realPathOf(store));
  const state = await readTreeState(git, { path: folder, gitDir: store }, signal);
  const work = await readLocalWork(git, { path, store, folder, state, home: undefined }, { goes, signal });
  return hasWork(work) ? work : undefined;
}

/** Whether a folder is the top of a repository's working tree, and where its git directory is. */
export async function storeOf(folder: string): Promise<string | undefined> {
  const dotGit = join(folder, '.git');
  const found = await lstat(dotGit).catch(() => undefined);
  if (!found) return undefined;
  const target = found.isFile() ? gitFileTarget(await readFile(dotGit, 'utf8').catch(() => '')) : '.git';
  const store = target === undefined ? undefined : resolve(folder, target);
  return store !== undefined && (await isStore(store)) ? store : undefined;
}

const hasWork = (work: LocalWork): boolean => work.changes.length > 0 || work.commits.length > 0;

const isStore = async (folder: string): Promise<boolean> =>
  (await stat(join(folder, 'HEAD')).catch(() => undefined))?.isFile() ?? false;

/** The real paths of all repositories below a `modules` folder. A submodule's name may hold slashes. */
async function storesBelow(folder: string): Promise<string[]> {
  const stores: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory()) continue;
    const inner = join(folder, entry.name);
    const store = await isStore(inner);
    if (store) stores.push(await realPathOf(inner));
    stores.push(...(await storesBelow(store ? join(inner, 'modules') : inner)));
  }
  return stores;
}

/** Git keeps the main working tree's submodules at the same place of the common directory; old ones inside the submodule itself. */
async function homeOf(
  repository: Repository,
  modules: string,
  store: string,
  path: string | undefined,
): Promise<string | undefined> {
  const root = await realPathOf(modules);
  if (isWithin(root, store)) {
    const home = join(repository.commonDir, 'modules', relativeTo(root, store));
    if (await isStore(home)) return home;
  }
  const beside = path === undefined || repository.bare ? undefined : await storeOf(join(repository.mainRoot, path));
  return beside === store ? undefined : beside;
}

/** @param options.goes its git directory is deleted with the worktree. */
async function readLocalWork(
  git: Git,
  where: Omit<LocalWork, 'changes' | 'commits' | 'tips'>,
  options: { goes: boolean; signal: AbortSignal | undefined },
): Promise<LocalWork> {
  const { store, state, home } = where;
  const { signal } = options;
  const [tips, held] = await Promise.all([
    readTips(git, store, home !== undefined, signal),
    home === undefined ? [] : readHeld(git, home, signal),
  ]);
  const lost = options.goes ? await readCommitsOutside(git, store, tips, held, signal) : [];
  const ids = new Set(lost.map((commit) => commit.oid));
  return {
    ...where,
    changes: state ? [...state.uncommitted, ...state.overlooked] : [],
    commits: lost.map((commit) => `${commit.oid.slice(0, 9)} ${commit.subject}`),
    tips: lost.length < mostCommits ? tips.filter((tip) => ids.has(tip.oid)) : tips,
  };
}

/** Everything in a repository that names a commit of its own making: branches, stashes, a detached `HEAD`, unknown refs. */
async function readTips(
  git: Git,
  store: string,
  withTags: boolean,
  signal: AbortSignal | undefined,
): Promise<{ name: string; oid: string }[]> {
  const bare = { path: store, gitDir: store };
  const [refs, head, stashes] = await Promise.all([
    readRefs(git, store, signal),
    readHead(git, store, signal),
    git.line(inTree(bare, 'rev-list', '--walk-reflogs', '--max-count=100', 'refs/stash', '--'), { cwd: store, signal }),
  ]);
  const tips = refs
    // Without a counterpart there is no telling which tags were fetched.
    .filter(({ name }) => !name.startsWith('refs/remotes/') && (withTags || !name.startsWith('refs/tags/')))
    .map(({ name, oid }) => ({ name: name.replace(/^refs\//, ''), oid }));
  const known = new Set(tips.map((tip) => tip.oid));
  const others = [
    ...(head === undefined ? [] : [{ name: 'HEAD', oid: head }]),
    ...(stashes ?? '').split('\n').map((oid, index) => ({ name: `stash-${index}`, oid })),
  ];
  for (const tip of others) {
    if (tip.oid === '' || known.has(tip.oid)) continue;
    known.add(tip.oid);
    tips.push(tip);
  }
  return tips;
}

/** What a repository that stays holds: its refs, and what is checked out in it. */
async function readHeld(git: Git, store: string, signal: AbortSignal | undefined): Promise<{ oid: string }[]> {
  const [refs, head] = await Promise.all([readRefs(git, store, signal), readHead(git, store, signal)]);
  return head === undefined ? refs : [...refs, { oid: head }];
}

function readHead(git: Git, store: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const at = { path: store, gitDir: store };
  return git.line(inTree(at, 'rev-parse', '--quiet', '--verify', 'HEAD^{commit}'), { cwd: store, signal });
}

async function readRefs(
  git: Git,
  store: string,
  signal: AbortSignal | undefined,
): Promise<{ name: string; oid: string }[]> {
  const args = inTree({ path: store, gitDir: store }, 'for-each-ref', '--format=%(objectname) %(refname)');
  return oidLines(await git.text(args, { cwd: store, signal })).map(([oid, name]) => ({ oid, name }));
}

/** Lines of an object's id and what follows it. */
function oidLines(output: string): (readonly [oid: string, rest: string])[] {
  const lines = output.split('\n').filter((line) => line !== '');
  return lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
}

async function readCommitsOutside(
  git: Git,
  store: string,
  tips: readonly { readonly oid: string }[],
  held: readonly { readonly oid: string }[],
  signal: AbortSignal | undefined,
): Promise<{ oid: string; subject: string }[]> {
  if (tips.length === 0) return [];
  const format = ['--no-commit-header', '--format=%H %s', `--max-count=${mostCommits}`];
  // The other repository's commits may be unknown here, and then say nothing.
  const args = ['rev-list', '--ignore-missing', ...format, '--stdin', '--not', '--remotes'];
  const input = [...tips.map((tip) => tip.oid), ...held.map((ref) => `^${ref.oid}`)]
    .map((line) => `${line}\n`)
    .join('');
  const output = await git.text(inTree({ path: store, gitDir: store }, ...args), { cwd: store, input, signal });
  return oidLines(output).map(([oid, subject]) => ({ oid, subject }));
}
