import { lstat } from 'node:fs/promises';
import { gitlink } from '../git/indexEntries.ts';
import type { RawTreeChange } from '../git/treeDiff.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { Checkout } from './checkout.ts';
import { pathIn } from '../base/rawPaths.ts';
import { isExactly } from './writtenByGit.ts';
import { fieldsOf } from '../git/repositoryGit.ts';

/** Beyond this many files or bytes git's index is asked instead of reading the files. */
const mostFiles = 300;
const mostBytes = 4 * 1024 * 1024;
/** The most paths in the arguments of a command. */
const mostPaths = 200;

/**
 * Checks whether a worktree has followed its branch: each file that differs between two commits is as in the second one. Git exits with 0
 * even if it could not write or delete a file. A file with changes by somebody else counts as followed.
 *
 * @param changes the differences between the two commits.
 * @param indexBefore a copy of the index from before; `undefined` when there was none.
 * @returns the paths that have not followed.
 */
export async function notFollowed(
  workspace: Workspace,
  checkout: Checkout,
  changes: readonly RawTreeChange[],
  indexBefore: string | undefined,
): Promise<string[]> {
  const files = changes.filter(({ before, after }) => before?.mode !== gitlink && after?.mode !== gitlink);
  const doubtful = await doubtfulAmong(workspace, checkout, files);
  if (doubtful.length === 0) return [];
  const differ = await differingFromIndex(workspace, checkout, doubtful);
  // A path without a file in the second commit is not in the index any more, so only the disk is checked.
  const wrong = doubtful.filter(({ path, after }) => !after || differ.has(path));
  if (wrong.length === 0 || indexBefore === undefined) return wrong.map(({ path }) => path);
  const before = await entriesOf(workspace, checkout, indexBefore, wrong);
  // A path that was staged with other content before was not git's to change.
  return wrong.filter((change) => before.get(change.path) === stagedEntry(change.before)).map(({ path }) => path);
}

async function doubtfulAmong(
  { environment }: Workspace,
  checkout: Checkout,
  files: readonly RawTreeChange[],
): Promise<RawTreeChange[]> {
  const read = files.length <= mostFiles;
  const modes = environment.platform !== 'win32';
  let bytes = 0;
  const checked = await Promise.all(
    files.map(async (change) => {
      const path = pathIn(checkout.path, change.raw);
      const found = await lstat(path).catch(() => undefined);
      if (!change.after) return !found || found.isDirectory() ? [] : [change];
      bytes += found?.size ?? 0;
      const fine = found !== undefined && read && bytes <= mostBytes && (await isExactly(change.after, path, modes));
      return fine ? [] : [change];
    }),
  );
  return checked.flat();
}

/** The files that git sees changed, filters and line endings considered. */
async function differingFromIndex(
  { git }: Workspace,
  checkout: Checkout,
  changes: readonly RawTreeChange[],
): Promise<ReadonlySet<string>> {
  const paths = changes.map(({ path }) => path);
  const settings = ['--literal-pathspecs', '-c', 'diff.autoRefreshIndex=true', '-c', 'core.fsmonitor=false'];
  const args = [...settings, 'diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=all'];
  const answer = await git.run([...args, ...pathspecs(paths)], { cwd: checkout.path });
  // A filter that does not work fails here as well.
  if (answer.exitCode !== 0) return new Set(paths);
  return new Set(fieldsOf(answer.stdout));
}

async function entriesOf(
  { git }: Workspace,
  checkout: Checkout,
  index: string,
  changes: readonly RawTreeChange[],
): Promise<ReadonlyMap<string, string>> {
  const args = ['--literal-pathspecs', 'ls-files', '--stage', '-z', ...pathspecs(changes.map(({ path }) => path))];
  const records = await git.nul(args, { cwd: checkout.path, variables: { GIT_INDEX_FILE: index } });
  return new Map(
    records.flatMap((record) => {
      const [, words, path] = /^(\d{6} [0-9a-f]+) 0\t([^]*)$/.exec(record) ?? [];
      return words === undefined || path === undefined ? [] : [[path, words] as const];
    }),
  );
}

const stagedEntry = (file: RawTreeChange['before']): string | undefined => file && `${file.mode} ${file.oid}`;

/** A name that is no UTF-8 cannot be an argument. */
function pathspecs(paths: readonly string[]): string[] {
  return paths.length > mostPaths || paths.some((path) => path.includes('\ufffd')) ? [] : ['--', ...paths];
}
