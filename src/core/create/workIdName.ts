import { Problem } from '../base/problem.ts';
import { quoted } from '../base/quoted.ts';
import { slugOf } from '../repository/slug.ts';
import { takenLocation } from '../worktree/location.ts';
import { beingCreated } from './beingCreated.ts';
import type { CreateContext } from './context.ts';
import { createMessages } from '../messages/create.ts';

/**
 * A worktree that is called by its work id is the only one with that id, or with that name. Ids that differ only in upper and lower case are
 * the same to people, and to many file systems.
 *
 * @throws Problem `taken` that names the worktree, and says what to type.
 */
export function refuseHeldWorkId({ listing, names, workIds, underWay }: CreateContext, id: string): void {
  const alike = (other: string | undefined): boolean => other?.toLowerCase() === id.toLowerCase();
  const all = [
    ...underWay.map((each) => ({ name: each.name, workId: each.entry.workId, path: each.path, making: each })),
    ...names.map(({ name }, index) => {
      const listed = listing[index + 1];
      return { name, workId: workIds.get(name), path: listed?.path ?? '', listed };
    }),
  ];
  const holder = all.find(({ workId }) => alike(workId)) ?? all.find(({ name }) => alike(name));
  if (!holder) return;
  const { name, workId, path } = holder;
  if ('making' in holder) throw beingCreated(holder.making);
  if (holder.listed && holder.listed.condition !== 'fine') throw takenLocation(holder.listed, name);
  const words = { name: JSON.stringify(name), path, id: JSON.stringify(id) };
  throw new Problem(
    'taken',
    alike(workId)
      ? createMessages.workIdHeld({ ...words, held: JSON.stringify(workId) })
      : workId === undefined
        ? createMessages.nameWithoutWorkId(words)
        : createMessages.nameWithOtherWorkId({ ...words, held: JSON.stringify(workId) }),
    { file: path, next: createMessages.switchOrNameForWorkId({ name: quoted(name), id: quoted(id) }) },
  );
}

/**
 * Runs what finds a branch for a worktree that is called by its work id.
 *
 * @param branch what the branch is to be called.
 * @throws what `find` throws; where it says to choose another name, it says how to keep the work id.
 */
export async function keepingWorkId<T>(id: string, branch: string, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    const word = quoted(id);
    const next =
      thrown.reason === 'invalid-name'
        ? createMessages.createNamedForWorkId({ name: slugOf(id), id: word })
        : thrown.id === createMessages.branchAlready.id
          ? createMessages.nameOrBranchForWorkId({ id: word, branch: quoted(branch) })
          : createMessages.nameForWorkId({ id: word });
    throw new Problem(thrown.reason, thrown.what, {
      next,
      items: thrown.items,
      outcome: thrown.outcome,
      cause: thrown,
      ...(thrown.file === undefined ? {} : { file: thrown.file }),
    });
  }
}
