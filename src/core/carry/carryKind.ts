import { Problem } from '../base/problem.ts';
import { carryMessages } from '../messages/carry.ts';
import { textOf } from '../messages/message.ts';
import {
  backupRefs,
  type CarriedWork,
  type CarryOperation,
  type CarrySide,
  type Operation,
  type ReverseOperation,
} from '../operations/operation.ts';
import { runOperation, type Inverse, type OperationKind, type Outcome, type Reversed } from '../operations/runner.ts';
import { reserve, type Reservation } from '../operations/store.ts';
import { inTree } from '../worktree/treeState.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { treeOfBytes, tryFilters } from '../operations/exactBytes.ts';
import { dropIndexes, isStillThere, leadTo } from './leadTo.ts';
import { refuseBusy } from './readWork.ts';
import { changedSince, lookAt } from './standing.ts';
import { changesBetween } from './trees.ts';

/** All that is needed to finish carrying, or to roll it back. */
export interface CarryData {
  readonly operation: (CarryOperation | ReverseOperation) & { readonly carried: CarriedWork };
  /** How many of the worktrees may have been touched. */
  readonly begun: number;
  /** All of them are as they are to be. */
  readonly applied?: true;
}

/** What carrying gives. */
export interface CarryOutcome extends Outcome {
  readonly operation: CarryData['operation'];
}

/** One at a time: no worktree has this key. */
export const carryKey = '_carry';

/** `wt carry`: uncommitted work goes to another worktree. It is committed once both worktrees are as they are to be. */
export const carryKind: OperationKind<CarryData, CarryOutcome> = {
  name: 'carry',
  describe: ({ operation }) => operation.title,
  startsGit: true,
  isCommitted: (_, { applied }) => Promise.resolve(applied === true),
  async finish(_, { operation }) {
    for (const side of operation.carried.sides) await dropIndexes(side);
    return { operation: { ...operation, state: 'done' } };
  },
  async rollBack(workspace, { operation, begun }) {
    const refs = backupRefs(operation.id);
    let isKept = false;
    for (const side of operation.carried.sides.slice(0, begun).reverse()) {
      const isThere = await isStillThere(side);
      const left = isThere ? await leadTo(workspace, side, side.after, side.before, { lenient: true }) : [side.path];
      if (isThere) await dropIndexes(side);
      if (left.length === 0) continue;
      isKept = true;
      const files = left.slice(0, 20);
      workspace.environment.log.warn(textOf(carryMessages.notRolledBack({ name: side.name, refs, files })));
    }
    if (!isKept) await deleteRefs(workspace, refs);
  },
  inverse: reverseCarry,
};

/**
 * Carries out what was planned, or its undo.
 *
 * @param plan called once no other carrying is under way.
 * @throws Problem what `plan` throws; `in-use`; `dirty` where a worktree has changed since: both are as they were then.
 */
export async function runCarry(
  workspace: Workspace,
  plan: () => Promise<CarryData['operation']>,
  signal?: AbortSignal,
): Promise<CarryData['operation']> {
  const begin = (): Promise<Reservation<CarryData>> =>
    reserve(workspace, carryKind.name, carryKey, async () => ({ operation: await plan(), begun: 0 }));
  let reservation: Reservation<CarryData> | undefined;
  const done = await runOperation(workspace, carryKind, async () => (reservation = await begin()), {
    prepare: async (reserved) => {
      const { operation } = reserved.data;
      await keepRefs(workspace, operation);
      for (const side of operation.carried.sides) {
        const { files } = await changesBetween(workspace, side.before, side.after);
        await tryFilters(workspace, side, files);
      }
      signal?.throwIfAborted();
      for (const [index, side] of operation.carried.sides.entries()) {
        await refuseBusy(workspace, side);
        const begins = (): Promise<void> => reserved.note({ operation, begun: index + 1 });
        await leadTo(workspace, side, side.before, side.after, { begins });
      }
    },
    commit: (reserved) => reserved.note({ ...reserved.data, applied: true }),
    rollBack: async (planned, failure) => {
      await carryKind.rollBack(workspace, reservation?.data ?? planned);
      return failure;
    },
  });
  return done.operation;
}

/** The same the other way round: the worktree that gets work comes first. */
export function reversedSides({ sides }: CarriedWork): CarrySide[] {
  return sides.map((side): CarrySide => ({ ...side, before: side.after, after: side.before })).reverse();
}

async function reverseCarry(workspace: Workspace, { last }: Reversed): Promise<Inverse> {
  const { carried, title, id } = last;
  if (!carried) throw new Error(`${id} has carried nothing`);
  const refs = `${backupRefs(id)}/`;
  const sides = carried.sides.map((side): CarrySide => ({ ...side, before: side.after, after: side.before })).reverse();
  const details = { next: carryMessages.workIsIn({ refs }), outcome: 'incomplete' as const };
  const changed: string[] = [];
  if (!sides.some(({ name }) => name === carried.to))
    throw new Problem('not-found', carryMessages.isGone({ title, name: carried.to }), details);
  for (const side of sides) {
    if (!(await isStillThere(side)))
      throw new Problem('not-found', carryMessages.isGone({ title, name: side.name }), details);
    await refuseBusy(workspace, side);
    if ((await headOf(workspace, side)) !== side.head)
      throw new Problem('in-use', carryMessages.commitsSince({ title, name: side.name }), details);
    const paths = changedSince(await lookAt(workspace, side, side.before, side.after));
    changed.push(...paths.map((path) => `${side.name}: ${path}`));
  }
  if (changed.length > 0)
    throw new Problem('dirty', carryMessages.changedSince({ title }), { ...details, items: changed.slice(0, 20) });
  const back = { ...carried, sides };
  return {
    run: (now, operation): Promise<Operation> => runCarry(now, () => Promise.resolve({ ...operation, carried: back })),
  };
}

async function headOf({ git }: Workspace, side: CarrySide): Promise<string | undefined> {
  const args = inTree(side, 'rev-parse', '--quiet', '--verify', 'HEAD^{commit}');
  return git.line(args, { cwd: side.path });
}

/** Keeps every state in refs, as trees: the first ones are what could be lost. */
async function keepRefs(workspace: Workspace, { id, carried }: CarryData['operation']): Promise<void> {
  const repo = workspace.git.in(workspace.repository.commonDir);
  const lines: string[] = [];
  for (const { name, before, after } of carried.sides) {
    for (const [when, { work, index, bytes }] of [['before', before] as const, ['after', after] as const]) {
      const prefix = `create ${backupRefs(id)}/${name === carried.from ? 'from' : 'to'}/${when}`;
      lines.push(`${prefix}/files ${work}\n`, `${prefix}/staged ${index}\n`);
      if (bytes.length > 0) lines.push(`${prefix}/bytes ${await treeOfBytes(workspace, bytes)}\n`);
    }
  }
  await repo.text(['update-ref', '--stdin'], { writes: true, input: lines.join('') });
}

/** Deletes the refs of an operation. */
export async function deleteRefs({ git, repository }: Workspace, prefix: string): Promise<void> {
  const door = git.in(repository.commonDir);
  const refs = await door.text(['for-each-ref', '--format=delete %(refname)', `${prefix}/`]);
  if (refs !== '') await door.text(['update-ref', '--stdin'], { writes: true, input: refs });
}
