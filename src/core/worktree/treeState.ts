import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../base/isThere.ts';
import type { Git } from '../git/git.ts';
import { gitProblem } from '../git/gitError.ts';
import { quoted } from '../base/quoted.ts';
import type { Message } from '../messages/message.ts';
import { worktreeMessages } from '../messages/worktree.ts';
import { mayHoldSpecialEntries } from '../git/indexFile.ts';
import { parseStatus, type Status, type StatusEntry } from '../git/status.ts';
import { fieldsOf } from '../git/repositoryGit.ts';

/** A working tree and its git directory. Git is always told both, so that it never looks for them in the folders above. */
export interface Tree {
  readonly path: string;
  readonly gitDir: string;
}

/** Everything in a working tree that differs from its last commit, also what git has been told to overlook. */
export interface TreeState {
  readonly head: string | undefined;
  readonly branch: string | undefined;
  /** Paths that are not committed, folders that are wholly untracked with a slash at their end. */
  readonly uncommitted: readonly string[];
  /** The same with git's two letters, to tell whether two states are alike. */
  readonly fingerprint: string;
  /** Changed files that are marked `assume-unchanged` or `skip-worktree`, which no status shows. */
  readonly overlooked: readonly string[];
  /** Ignored files and folders, as the rules name them; folders with a slash at their end. */
  readonly ignored: readonly string[];
  /** The paths of submodules, initialised or not. */
  readonly submodules: readonly string[];
}

/** Arguments that make git work on a tree wherever it is started. */
export function inTree(tree: Tree, ...args: readonly string[]): string[] {
  return [`--git-dir=${tree.gitDir}`, `--work-tree=${tree.path}`, ...args];
}

/**
 * Reads the state of a working tree. What is inside of submodules is not looked at.
 *
 * @throws Problem when git cannot tell.
 */
export async function readTreeState(git: Git, tree: Tree, signal?: AbortSignal): Promise<TreeState> {
  const [status, index] = await Promise.all([readStatus(git, tree, signal), readIndex(git, tree, signal)]);
  const entries = status.entries.filter((entry) => entry.kind !== 'ignored');
  return {
    head: status.head,
    branch: status.branch,
    uncommitted: entries.map((entry) => entry.path),
    fingerprint: fingerprintOf(status),
    overlooked: await changedAmong(git, tree, index.marked, signal),
    ignored: ignoredIn(status),
    submodules: index.submodules,
  };
}

/** Changed files that are marked `assume-unchanged` or `skip-worktree`: see {@link TreeState.overlooked}. */
export async function readOverlooked(git: Git, tree: Tree, signal?: AbortSignal): Promise<string[]> {
  return changedAmong(git, tree, (await readIndex(git, tree, signal)).marked, signal);
}

/** What is not committed in a tree, with git's two letters; the folders and files of {@link TreeState.uncommitted}. */
export async function readUncommitted(git: Git, tree: Tree, signal?: AbortSignal): Promise<StatusEntry[]> {
  return (await readStatus(git, tree, signal)).entries.filter((entry) => entry.kind !== 'ignored');
}

/** What {@link TreeState.fingerprint} is now, where the same text means that no path has begun or ceased to differ; and what is ignored now. */
export async function readFingerprint(
  git: Git,
  tree: Tree,
  signal?: AbortSignal,
): Promise<Pick<TreeState, 'fingerprint' | 'ignored'>> {
  const status = await readStatus(git, tree, signal);
  return { fingerprint: fingerprintOf(status), ignored: ignoredIn(status) };
}

const ignoredIn = ({ entries }: Status): string[] =>
  entries.filter(({ kind }) => kind === 'ignored').map(({ path }) => path);

/** A file whose changes git has been told to overlook: no status and no diff shows them. */
export interface HiddenFile {
  readonly path: string;
  readonly mark: 'assume-unchanged' | 'skip-worktree';
}

/**
 * The files of a working tree that are marked `assume-unchanged` or `skip-worktree` and whose content is not that of the index: what
 * somebody wants to keep and git does not see.
 */
export async function readHiddenFiles(git: Git, tree: Tree, signal?: AbortSignal): Promise<HiddenFile[]> {
  const { marked } = await readIndex(git, tree, signal);
  const changed = new Set(await changedAmong(git, tree, marked, signal));
  return marked.filter(({ path }) => changed.has(path)).map(({ path, mark }) => ({ path, mark }));
}

const listedWithAnd = (all: readonly Message[]): Message =>
  all.reduce((first, second) => worktreeMessages.both({ first, second }));

/** Hidden files as they are named to a person. */
export const namesOfHidden = (hidden: readonly HiddenFile[]): string[] =>
  hidden.map(({ path, mark }) => `${path} (${mark})`);

/** Hidden files, of which there is at least one, as they are named to a person, and the commands that make git see them again. */
export function tellHidden(hidden: readonly HiddenFile[]): { readonly items: string[]; readonly next: Message } {
  const marks = [...new Set(hidden.map(({ mark }) => mark))];
  const first = (mark: HiddenFile['mark']): string => hidden.find((each) => each.mark === mark)?.path ?? '';
  return {
    items: namesOfHidden(hidden),
    next: listedWithAnd(marks.map((mark) => worktreeMessages.clearMark({ mark, path: quoted(first(mark)) }))),
  };
}

function fingerprintOf(status: Status): string {
  const entries = status.entries
    .filter((entry) => entry.kind !== 'ignored')
    .map((entry) => `${entry.code} ${entry.path}`);
  return createHash('sha256')
    .update([status.head ?? '', status.branch ?? '', ...entries].join('\0'))
    .digest('hex');
}

async function readStatus(git: Git, tree: Tree, signal: AbortSignal | undefined): Promise<Status> {
  const args = ['--porcelain=v2', '--branch', '-z', '--no-renames', '--no-ahead-behind', '--untracked-files=normal'];
  // The inside of submodules is asked of each of them, since their own settings could hide what is in them.
  const more = ['--ignored=matching', '--ignore-submodules=dirty'];
  // A watcher's word is not enough for a tree that is about to be deleted, and may have been moved under it.
  const command = inTree(tree, '-c', 'core.fsmonitor=false', 'status', ...args, ...more);
  return parseStatus(await git.text(command, { cwd: tree.path, signal }));
}

interface IndexFacts {
  readonly submodules: string[];
  /** Files with a mark that hides their changes, and the content that the index has of them. */
  readonly marked: {
    readonly path: string;
    readonly oid: string;
    readonly mode: string;
    readonly mark: HiddenFile['mark'];
  }[];
}

async function readIndex(git: Git, tree: Tree, signal: AbortSignal | undefined): Promise<IndexFacts> {
  const bytes = await readFile(join(tree.gitDir, 'index')).catch(() => undefined);
  if (bytes && !mayHoldSpecialEntries(bytes)) return { submodules: [], marked: [] };
  const answer = await git.run(inTree(tree, 'ls-files', '-z', '-s', '-v'), { cwd: tree.path, signal });
  if (answer.exitCode !== 0) throw gitProblem(['ls-files'], answer);
  // In a sparse checkout the mark is git's own, and its status shows such a file when it is there after all.
  const sparse =
    (await isThere(join(tree.gitDir, 'info', 'sparse-checkout'))) && (await showsPresent(git, tree, signal));
  const facts: IndexFacts = { submodules: [], marked: [] };
  for (const record of fieldsOf(answer.stdout)) {
    // "H 100644 <oid> <stage>\t<path>"; nearly all are plain files without a mark, which this passes over quickly.
    const mark = record[0];
    const link = record.startsWith('160000', 2);
    if (mark === undefined || (mark === 'H' && !link) || (mark === 'S' && sparse)) continue;
    const path = record.slice(record.indexOf('\t') + 1);
    if (link) facts.submodules.push(path);
    else if (mark === 'S' || mark !== mark.toUpperCase()) {
      const oid = record.slice(9, record.indexOf(' ', 9));
      // Small letters are `assume-unchanged`, alone or with the other mark.
      facts.marked.push({
        path,
        mode: record.slice(2, 8),
        oid,
        mark: mark === 'S' ? 'skip-worktree' : 'assume-unchanged',
      });
    }
  }
  return facts;
}

/** Whether git, in a sparse checkout, takes the mark from files that are there. The patterns stay when sparse checkout is turned off. */
async function showsPresent(git: Git, tree: Tree, signal: AbortSignal | undefined): Promise<boolean> {
  const isOn = async (name: string): Promise<boolean> =>
    (await git.line(inTree(tree, 'config', '--type=bool', '--get', name), { cwd: tree.path, signal })) === 'true';
  return (await isOn('core.sparseCheckout')) && !(await isOn('sparse.expectFilesOutsideOfPatterns'));
}

/** Of the marked files those whose content on disk is not the one in the index. */
async function changedAmong(
  git: Git,
  tree: Tree,
  marked: IndexFacts['marked'],
  signal?: AbortSignal,
): Promise<string[]> {
  const changed: string[] = [];
  const files: IndexFacts['marked'] = [];
  for (const each of marked) {
    const file = join(tree.path, each.path);
    const found = await lstat(file).catch(() => undefined);
    if (!found) continue;
    if (found.isSymbolicLink() !== (each.mode === '120000') || found.isDirectory()) changed.push(each.path);
    else if (!found.isSymbolicLink()) files.push(each);
    else if (blobId(await readlink(file), each.oid.length) !== each.oid) changed.push(each.path);
  }
  for (let start = 0; start < files.length; start += 200) {
    const some = files.slice(start, start + 200);
    const args = ['hash-object', '--', ...some.map((each) => each.path)];
    const oids = (await git.text(inTree(tree, ...args), { cwd: tree.path, signal })).split('\n');
    some.forEach((each, index) => oids[index] !== each.oid && changed.push(each.path));
  }
  return changed;
}

function blobId(content: string, length: number): string {
  const bytes = Buffer.from(content);
  return createHash(length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}
