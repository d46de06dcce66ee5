import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rm } from '../base/heldFiles.ts';
import { readJsonObject } from '../base/jsonText.ts';
import { Problem } from '../base/problem.ts';
import { readPending, writePending } from '../operations/store.ts';
import { fromMovable } from '../repository/movablePaths.ts';
import type { Repository } from '../repository/identity.ts';
import { abandonedAfter, pendingTrash, stuckFor, trashEntry, type PendingTrash, type TrashData } from './trashEntry.ts';

/** All trash entries that may be deleted. */
export async function allTrash(repository: Repository): Promise<PendingTrash[]> {
  await adoptEarlierTrash(repository);
  return (await readPending({ repository }, 'trash')) as PendingTrash[];
}

/** Carries over what earlier versions had written down of trash entries: a note in the folder of each. Whoever cannot leaves it as it is. */
export async function adoptEarlierTrash(repository: Repository): Promise<void> {
  const folder = dirname(trashEntry(repository, 'any').folder);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const file = join(folder, entry.name, 'bin.json');
    const written = await stat(file).catch(() => undefined);
    if (!written) continue;
    try {
      const note = await readJsonObject(file);
      if (note?.['version'] !== 1) continue;
      const { late, stuck, tree, was, look } = fromMovable(repository, note) as unknown as TrashData;
      const wait = stuck ? stuckFor : abandonedAfter;
      const notBefore = late ? undefined : new Date(written.mtimeMs + wait).toISOString();
      const { id, root } = trashEntry(repository, entry.name);
      await writePending(
        repository,
        pendingTrash({ id, root, tree, was, look, ...(late && { late }), ...(stuck && { stuck }) }, notBefore),
      );
      await rm(file);
    } catch (thrown) {
      if (!Problem.is(thrown) && !(thrown instanceof Error && 'code' in thrown)) throw thrown;
    }
  }
}
