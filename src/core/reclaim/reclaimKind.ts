import { dirname, join } from 'node:path';
import { rename, rmdir } from '../base/heldFiles.ts';
import { isThere } from '../base/isThere.ts';
import { Problem, errorCode } from '../base/problem.ts';
import { makeFolders } from '../base/sharing.ts';
import { reclaimMessages } from '../messages/reclaim.ts';
import type { OperationKind, Outcome } from '../operations/runner.ts';
import type { Repository } from '../repository/identity.ts';
import { deleteTrash } from '../trash/trash.ts';
import { stageTrash, trashEntry } from '../trash/trashEntry.ts';

/** A folder that is moved aside. */
export interface MovedFolder {
  /** Relative to the worktree. */
  readonly from: string;
  /** Its name in the folder that is deleted. */
  readonly to: string;
}

/** What is written down of a reclaim before it begins. */
export interface ReclaimData {
  readonly step: 'begun' | 'decided';
  /** The worktree, and its path. */
  readonly name: string;
  readonly path: string;
  /** The id of its trash entry. */
  readonly id: string;
  /** The folder beside the worktree that takes what is moved. */
  readonly aside: string;
  readonly moves: readonly MovedFolder[];
}

/** Build output goes: it is moved aside, and what is aside is deleted. The decision is the commit point. */
export const reclaimKind: OperationKind<ReclaimData, Outcome> = {
  name: 'reclaim',
  describe: ({ name }) => reclaimMessages.reclaiming({ name }),
  isCommitted: (_, { step }) => Promise.resolve(step === 'decided'),
  async finish({ git, repository }, data) {
    await free(repository, data);
    await deleteTrash(git, trashEntry(repository, data.id).folder).catch((thrown: unknown) => {
      // The trash entry says what keeps it; the reclaim itself is finished.
      if (!Problem.is(thrown)) throw thrown;
    });
    return { operation: undefined };
  },
  async rollBack(_, { aside, path, moves }) {
    for (const move of moves) await putBack(path, aside, move);
    await dropEmpty(aside);
  },
};

/** From now on what is aside may be deleted. */
export async function free(repository: Repository, { id, aside, path, moves }: ReclaimData): Promise<void> {
  const [only, another] = moves;
  const was = only && !another ? join(path, only.from) : path;
  if (!(await isThere(aside))) return;
  if (only) await stageTrash(repository, trashEntry(repository, id), { tree: aside, was, look: undefined });
  else await dropEmpty(aside);
}

/** What could not go back, since it was built anew meanwhile, stays there; `wt doctor` names it. */
async function dropEmpty(aside: string): Promise<void> {
  await rmdir(aside).catch((thrown: unknown) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(thrown) ?? '')) throw thrown;
  });
}

/** Moves a folder back to its place. @returns false where something is there by now: it is still aside then. */
export async function putBack(path: string, aside: string, { from, to }: MovedFolder): Promise<boolean> {
  const [source, target] = [join(aside, to), join(path, from)];
  if (!(await isThere(source))) return true;
  if (await isThere(target)) return false;
  await makeFolders(dirname(target));
  await rename(source, target);
  return true;
}
