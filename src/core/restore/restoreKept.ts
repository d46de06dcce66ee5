import { copyFile, mkdir, readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import type { Git } from '../git/git.ts';
import { branchLog, branchLogOf, keptFolder } from '../operations/keptFolder.ts';
import { linkTree } from '../base/linkTree.ts';
import { inTree } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import type { RestoreData } from './restoreData.ts';

/** Files of git's admin directory that are put back as they were. */
const plainFiles = ['ORIG_HEAD', 'FETCH_HEAD'];

/**
 * Puts the ignored files that a removal kept into a worktree that is being built, and the logs of its `HEAD` and its own refs into git's
 * admin directory of it. What was kept stays where it is, in case the worktree is not renamed to its path after all.
 */
export async function restoreKept(
  { git, repository }: Workspace,
  { removal, hasKept, aside }: RestoreData,
  adminDir: string,
): Promise<void> {
  if (!hasKept || removal.kept === undefined) return;
  const kept = keptFolder(repository, removal.kept);
  await linkTree(kept.files, aside, await readdir(kept.files).catch((): string[] => []));
  const refs = await readRefs(git, repository.commonDir, kept.adminDir);
  if (refs.length > 0) {
    const input = refs.map(({ ref, oid }) => `create ${ref} ${oid}\n`).join('');
    const at = { cwd: repository.commonDir, writes: true, input };
    await git.text(inTree({ path: aside, gitDir: adminDir }, 'update-ref', '--stdin'), at);
  }
  for (const file of [...(await filesBelow(join(kept.adminDir, 'logs'), 'logs')), ...plainFiles])
    await copyIfThere(join(kept.adminDir, file), join(adminDir, file));
}

/**
 * Gives a branch that was made again the log that it had, byte for byte; what git has written to it since comes after that. Doing it twice is
 * harmless.
 */
export async function restoreBranchLog(
  { repository }: Workspace,
  { removal, hasKept, makesBranch, note }: RestoreData,
): Promise<void> {
  if (!hasKept || !makesBranch || removal.kept === undefined || removal.branch === undefined) return;
  const before = await textOf(join(keptFolder(repository, removal.kept).adminDir, branchLog));
  const file = branchLogOf(repository.commonDir, removal.branch);
  const now = await textOf(file);
  if (before === undefined || now?.startsWith(before)) return;
  const [first = '', ...since] = (now ?? '').split(/(?<=\n)/);
  const own = first.trimEnd().endsWith(`\t${note}`) ? since : [first, ...since];
  await writeAtomically(file, before + own.join(''), { encoding: 'latin1' });
}

/** The worktree's own refs. One whose commit has gone since is left out; backups of those that nothing else held are named. */
async function readRefs(
  git: Git,
  commonDir: string,
  folder: string,
): Promise<{ readonly ref: string; readonly oid: string }[]> {
  const names = await filesBelow(join(folder, 'refs'), 'refs');
  if (names.length === 0) return [];
  const refs = await Promise.all(
    names.map(async (ref) => ({ ref, oid: (await readFile(join(folder, ref), 'utf8')).trim() })),
  );
  const input = refs.map(({ oid }) => `${oid}\n`).join('');
  const check = ['cat-file', '--batch-check=%(objectname)'];
  const there = new Set((await git.in(commonDir).text(check, { input })).split('\n'));
  return refs.filter(({ oid }) => there.has(oid));
}

async function filesBelow(folder: string, name: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const below = await Promise.all(
    entries.map(async (entry) => {
      const path = `${name}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(join(folder, entry.name), path) : [path];
    }),
  );
  return below.flat();
}

async function copyIfThere(from: string, to: string): Promise<void> {
  if ((await textOf(from)) === undefined) return;
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

/** Names of people in a log may be in any encoding. */
function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'latin1').catch(() => undefined);
}
