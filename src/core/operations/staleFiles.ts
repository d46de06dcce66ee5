import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { withFileLock } from '../base/fileLock.ts';
import { Problem } from '../base/problem.ts';
import type { Repository } from '../repository/identity.ts';
import { registryFile } from '../repository/registry.ts';
import { stateFile } from '../repository/stateFile.ts';
import { isUnderWay, pendingFolder, readPendingFile, stackKey } from './store.ts';
import type { Workspace } from '../worktree/workspace.ts';

/** A file that is older than this, in milliseconds, is not being written any more. */
const forgotten = 10 * 60 * 1000;

/** How the folders begin in which files are written only to be compared. They can hold what a filter has decrypted. */
export const bytesFolder = 'bytes-';

/**
 * Deletes what processes leave that are killed while they write: half-written copies beside the registry, the state file and
 * pending operations, files that were written only to be compared, locks of operations that never began, and what the disk kept a
 * finished operation on stacks from deleting. None of them is in anybody's way; they would only pile up.
 */
export async function deleteForgottenFiles(workspace: Workspace, now: Date): Promise<void> {
  const { environment, repository } = workspace;
  const operations = pendingFolder(repository);
  const isOld = async (path: string): Promise<boolean> => {
    const found = await stat(path).catch(() => undefined);
    return found !== undefined && now.getTime() - found.mtimeMs >= forgotten;
  };
  const pending = await namesIn(operations);
  for (const name of pending) {
    const path = join(operations, name);
    if (/\.json\.\d+$/.test(name) && (await isOld(path))) await rm(path, { force: true });
    if (name.endsWith('.json.lock') && (await isOld(path))) await releaseDead(path.replace(/\.lock$/, ''));
  }
  // As long as an operation is under way, or waits for recovery, its backups are needed.
  const backups = checkoutBackups(repository);
  for (const name of pending.includes(`${stackKey}.json`) ? [] : await namesIn(backups)) {
    const path = join(backups, name);
    if (await isOld(path)) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
  const beside = join(repository.commonDir, 'worktree-stacks');
  for (const name of (await namesIn(beside)).filter((each) => each.startsWith(bytesFolder))) {
    const path = join(beside, name);
    if (await isOld(path)) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
  for (const file of [registryFile(repository), stateFile(repository)]) {
    const copies = (await namesIn(dirname(file))).filter((name) =>
      /^(\.new|(\.new)?\.\d+)$/.test(name.slice(basename(file).length)),
    );
    for (const name of copies.filter((each) => each.startsWith(basename(file)))) {
      const path = join(dirname(file), name);
      if (await isOld(path)) await rm(path, { force: true });
    }
  }

  /** Taking a lock and letting go of it removes that of a dead owner; one of a living owner is none of ours. */
  async function releaseDead(file: string): Promise<void> {
    // A merge holds its lock for as long as its checks take, and nobody is to wait for that.
    const found = await readPendingFile(repository, file);
    if (found !== undefined && found !== 'empty' && (await isUnderWay(environment, found))) return;
    await withFileLock(environment, file, async () => {}, AbortSignal.timeout(1000)).catch((thrown: unknown) => {
      if (!Problem.is(thrown)) throw thrown;
    });
  }
}

/** Where the files of worktrees are kept while these follow their branches. */
export function checkoutBackups({ commonDir }: Repository): string {
  return join(commonDir, 'worktree-stacks', 'before');
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((): string[] => []);
}
