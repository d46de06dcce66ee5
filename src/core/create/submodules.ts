import { cp, mkdir, mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { isWithin } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { withoutLfs } from './checkout.ts';
import { gitDirOf } from '../git/gitFile.ts';
import { shareGitCryptKeys } from './gitCrypt.ts';
import { verifyFiles } from './verifyFiles.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { fieldsOf } from '../git/repositoryGit.ts';
import { createMessages } from '../messages/create.ts';
import type { Message } from '../messages/message.ts';

/** What came of initialising submodules. */
export interface Initialised {
  /** Their paths, relative to the worktree, nested ones included. */
  readonly submodules: readonly string[];
  /** Sentences about those that were left out. */
  readonly warnings: readonly Message[];
}

/** One level of submodules: a working tree, its git directory, and where the main working tree keeps the same. */
interface Level {
  /** Absolute. */
  readonly tree: string;
  /** The tree's own path relative to the worktree; empty for the worktree itself. */
  readonly prefix: string;
  readonly gitDir: string;
  /** The git directory of the same repository in the main checkout, whose `modules` hold the objects. */
  readonly store: string;
  /** The same working tree in the main checkout. */
  readonly twin: string;
}

interface Submodule {
  readonly name: string;
  /** Relative to its level's tree. */
  readonly path: string;
  /** The git directory of the main checkout's copy; `undefined` where it is not initialised. */
  readonly store: string | undefined;
}

/**
 * Initialises the submodules of a new worktree, nested ones too, and puts each on a branch of the worktree's own. One that the
 * main checkout has initialised borrows its objects from there (git's alternates) and needs no network as long as the commit is
 * there; its remotes and settings are those of the main checkout. One that it has not is fetched from its remote,
 * and left out with a warning when that fails, as it is left out there.
 *
 * @throws Problem `git-failed` when one that the main checkout has cannot be initialised; `cancelled`.
 */
export async function initSubmodules(
  workspace: Workspace,
  worktree: { readonly path: string; readonly branch: string },
  options: { progress?: ((count: number) => void) | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Initialised> {
  const gitDir = await gitDirOf(worktree.path);
  if (gitDir === undefined) return { submodules: [], warnings: [] };
  const { commonDir, mainRoot } = workspace.repository;
  const top: Level = { tree: worktree.path, prefix: '', gitDir, store: commonDir, twin: mainRoot };
  const found: string[] = [];
  const warnings: Message[] = [];
  await initLevel(workspace, top, worktree.branch, { ...options, found, warnings });
  return { submodules: found.sort(), warnings };
}

interface Run {
  readonly progress?: ((count: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly found: string[];
  readonly warnings: Message[];
}

async function initLevel(workspace: Workspace, level: Level, branch: string, run: Run): Promise<void> {
  const submodules = await readLevel(workspace, level, run.signal);
  if (submodules.length === 0) return;
  run.progress?.(run.found.length + submodules.length);
  const stored = submodules.filter((submodule) => submodule.store !== undefined);
  const others = submodules.filter((submodule) => submodule.store === undefined);
  await Promise.all(stored.map((submodule) => borrow(workspace, level, submodule, run.signal)));
  if (stored.length > 0) await update(workspace, level, stored, run.signal);
  if (others.length > 0 && !(await hasSelection(workspace, level))) {
    for (const submodule of others) await tryUpdate(workspace, level, submodule, run);
  }
  await Promise.all(submodules.map((submodule) => enter(workspace, level, submodule, branch, run)));
}

/** Puts an initialised submodule on the branch, and goes on with those inside it. */
async function enter(
  workspace: Workspace,
  level: Level,
  { path, store }: Submodule,
  branch: string,
  run: Run,
): Promise<void> {
  const tree = join(level.tree, path);
  const gitDir = await gitDirOf(tree);
  // Git may be told to leave a submodule alone (`update = none`).
  if (gitDir === undefined) return;
  const prefix = level.prefix === '' ? path : `${level.prefix}/${path}`;
  // Git has just checked out a commit. On a branch it was put by whoever completed this before.
  if (!(await readFile(join(gitDir, 'HEAD'), 'utf8')).startsWith('ref: ')) {
    // The repository is new: a branch of this name can only be the one that cloning has made, and holds nothing of anybody's.
    await workspace.git.text(['checkout', '--quiet', '-B', branch], { cwd: tree, signal: run.signal, writes: true });
    run.warnings.push(...(await verifyFiles(workspace, { name: prefix, path: tree }, gitDir, run.signal)));
  }
  run.found.push(prefix);
  const twin = join(level.twin, path);
  await initLevel(workspace, { tree, prefix, gitDir, store: store ?? join(gitDir, 'none'), twin }, branch, run);
}

/** The submodules that the level's commit has, with the names that `.gitmodules` gives them. */
async function readLevel({ git }: Workspace, level: Level, signal: AbortSignal | undefined): Promise<Submodule[]> {
  if (!(await isFile(join(level.tree, '.gitmodules')))) return [];
  const options = { cwd: level.tree, signal };
  const args = ['config', '-z', '--file', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$'];
  const named = new Map<string, string>();
  for (const record of fieldsOf((await git.line(args, options)) ?? '')) {
    const [key = '', path = ''] = record.split(/\n([^]*)/);
    const name = key.slice('submodule.'.length, -'.path'.length);
    if (name && path) named.set(path, name);
  }
  if (named.size === 0) return [];
  const index = await git.nul(['--literal-pathspecs', 'ls-files', '-z', '--stage', '--', ...named.keys()], options);
  const found: Submodule[] = [];
  for (const record of index) {
    const path = record.slice(record.indexOf('\t') + 1);
    const name = named.get(path);
    if (name !== undefined && record.startsWith('160000 '))
      found.push({ name, path, store: await storeOf(level, name, path) });
  }
  return found;
}

/** Where the main checkout keeps the submodule: among its modules, or, made by an old git, inside the working tree. */
async function storeOf(level: Level, name: string, path: string): Promise<string | undefined> {
  const modules = join(level.store, 'modules');
  const places = [join(modules, name), join(level.twin, path, '.git')];
  if (!isWithin(modules, join(modules, name)) || !isWithin(level.twin, join(level.twin, path))) return undefined;
  for (const place of places) if (await isFile(join(place, 'HEAD'))) return place;
  return undefined;
}

/**
 * Makes the submodule's git directory before git does, borrowing from the main checkout's. A clone by path is ours to make,
 * so that git's restriction of such clones, which guards against what `.gitmodules` says, stays in force.
 */
async function borrow(
  { git }: Workspace,
  level: Level,
  submodule: Submodule,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { store, name } = submodule;
  const gitDir = join(level.gitDir, 'modules', name);
  if (store === undefined || (await gitDirOf(join(level.tree, submodule.path))) !== undefined) return;
  // Without a working tree that leads to it, it is what a killed process had begun.
  await rm(gitDir, { recursive: true, force: true });
  await mkdir(dirname(gitDir), { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), 'worktree-stacks-'));
  const options = { cwd: level.tree, signal, writes: true };
  try {
    const tree = join(scratch, 'tree');
    await git.text(
      ['clone', '--quiet', '--no-checkout', '--shared', '--separate-git-dir', gitDir, '--', store, tree],
      options,
    );
    // What the clone takes for the remote's branches are those of the main checkout; it knows the real ones.
    const refs = ['+refs/remotes/*:refs/remotes/*', '+refs/tags/*:refs/tags/*'];
    await git.in(gitDir).text(['fetch', '--quiet', '--prune', '--no-write-fetch-head', '--', store, ...refs], options);
    await cp(join(store, 'config'), join(gitDir, 'config'), { force: true });
    await shareGitCryptKeys(store, gitDir);
  } catch (thrown) {
    throw failed(submodule, thrown);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function update(
  { environment, git }: Workspace,
  level: Level,
  submodules: readonly Submodule[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const paths = submodules.map(({ path }) => path);
  try {
    const args = [...withoutLfs(environment), 'submodule', 'update', '--init', '--', ...paths];
    await git.text(args, { cwd: level.tree, signal, writes: true });
  } catch (thrown) {
    throw failed(submodules, thrown);
  }
}

async function tryUpdate(workspace: Workspace, level: Level, submodule: Submodule, run: Run): Promise<void> {
  try {
    await update(workspace, level, [submodule], run.signal);
  } catch (thrown) {
    if (Problem.is(thrown, 'cancelled')) throw thrown;
    const path = level.prefix === '' ? submodule.path : `${level.prefix}/${submodule.path}`;
    const why = Problem.is(thrown) ? thrown.items.at(-1) : undefined;
    run.warnings.push(
      why ? createMessages.submoduleLeftOutBecause({ path, reason: why }) : createMessages.submoduleLeftOut({ path }),
    );
    await rm(join(level.gitDir, 'modules', submodule.name), { recursive: true, force: true });
    await rm(join(level.tree, submodule.path, '.git'), { force: true });
  }
}

/** Whether the user has said which submodules are wanted. */
async function hasSelection({ git }: Workspace, level: Level): Promise<boolean> {
  return (await git.line(['config', '--get-all', 'submodule.active'], { cwd: level.tree })) !== undefined;
}

function failed(submodules: Submodule | readonly Submodule[], thrown: unknown): unknown {
  if (!Problem.is(thrown) || thrown.reason === 'cancelled') return thrown;
  const paths = [submodules].flat().map(({ path }) => path);
  const [path = ''] = paths;
  const what = paths.length === 1 ? createMessages.theSubmodule({ path }) : createMessages.oneOfSubmodules({ paths });
  return new Problem('git-failed', createMessages.couldNotInitialised({ what }), {
    next: createMessages.seeGitSaysBelowGit(),
    items: thrown.items,
    outcome: 'incomplete',
    cause: thrown,
  });
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}
