import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workspace } from '../worktree/workspace.ts';
import type { Backup } from '../operations/backups.ts';
import { commitTextOf, keepTree } from './backupTree.ts';
import { withIndexCopy } from '../worktree/indexCopy.ts';
import { inTree } from '../worktree/treeState.ts';
import { removeMessages } from '../messages/remove.ts';

/** Files of an admin directory that are larger than this, in bytes, name no commits. */
const longestLog = 16 * 1024 * 1024;

/**
 * Keeps in refs all that only an admin directory names: an admin directory that waits elsewhere protects nothing from git's garbage
 * collection. The directory itself is left as it is, byte for byte.
 *
 * @returns what was kept; empty when other refs reach all of it.
 * @throws Problem with git's message when something could not be kept.
 */
export async function keepAdminObjects(
  { git, repository }: Workspace,
  gitDir: string,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<Backup[]> {
  const bare = { path: gitDir, gitDir };
  const at = { cwd: gitDir, signal };
  const kept: Backup[] = [];
  const repo = git.in(repository.commonDir);
  const named = [...new Set(await oidsIn(gitDir))];
  const types = await repo.text(['cat-file', '--batch-check=%(objecttype) %(objectname)'], {
    signal,
    input: named.map((oid) => `${oid}\n`).join(''),
  });
  const commits = types
    .split('\n')
    .flatMap((line) => (line.startsWith('commit ') ? [line.slice('commit '.length)] : []));
  if (commits.length > 0) {
    const outside = new Set(
      (
        await repo.text(['rev-list', '--ignore-missing', '--stdin', '--not', '--single-worktree', '--all'], {
          signal,
          input: commits.map((oid) => `${oid}\n`).join(''),
        })
      ).split('\n'),
    );
    const alone = commits.filter((oid) => outside.has(oid));
    if (alone.length > 0) kept.push(await keepCommits(alone));
  }
  const conflicted = await git.nul(inTree(bare, 'ls-files', '--unmerged', '-z'), at);
  if (conflicted.length > 0) kept.push(await keepConflicts(conflicted));
  return kept;

  /** One commit with all of them as parents: a reflog can name thousands. */
  async function keepCommits(oids: readonly string[]): Promise<Backup> {
    const tree = (await git.text(inTree(bare, 'mktree'), { ...at, writes: true })).trim();
    const input = commitTextOf(tree, oids, 'Commits that only the records of a worktree name');
    const make = ['hash-object', '-t', 'commit', '-w', '--stdin'];
    const commit = (await git.text(inTree(bare, ...make), { ...at, writes: true, input })).trim();
    const ref = `${prefix}/records`;
    await repo.text(['update-ref', ref, commit, ''], { signal, writes: true });
    const what = removeMessages.commitsOfRecords({ count: oids.length });
    return { ref, what, restore: `git log --no-walk ${ref}^@` };
  }

  /** An index with conflicts is no tree; its versions are put into one below the numbers of their stages. */
  async function keepConflicts(listed: readonly string[]): Promise<Backup> {
    const ref = `${prefix}/conflicts`;
    // "<mode> <object> <stage>\t<path>"
    const entries = listed.flatMap((entry) => {
      const [, mode, oid, stage, path] = /^(\d+) ([0-9a-f]+) (\d)\t([^]*)$/.exec(entry) ?? [];
      return path === undefined ? [] : [`${mode} ${oid}\tstage-${stage}/${path}\0`];
    });
    const object = await withIndexCopy(bare, async (variables) => {
      const options = { ...at, writes: true, variables };
      await git.text(inTree(bare, 'read-tree', '--empty'), options);
      await git.text(inTree(bare, 'update-index', '-z', '--index-info'), { ...options, input: entries.join('') });
      return (await git.text(inTree(bare, 'write-tree'), options)).trim();
    });
    await keepTree(git, bare, { ref, object, head: undefined, message: 'Backup of files in conflict' }, signal);
    return { ref, what: removeMessages.versionsInConflict(), restore: `git ls-tree -r ${ref}` };
  }
}

/** All ids of objects in the texts of an admin directory: `HEAD` and its like, logs, refs of its own, operations under way. */
async function oidsIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Submodules keep their own repositories; their ids are none of this one's.
    if (entry.isDirectory() && entry.name !== 'modules') found.push(...(await oidsIn(path)));
    if (!entry.isFile() || /^(index|sharedindex\.)/.test(entry.name)) continue;
    const bytes = await readFile(path);
    if (bytes.length <= longestLog)
      found.push(...(bytes.toString('latin1').match(/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g) ?? []));
  }
  return found;
}
