import type { Operation } from '../core/operations/operation.ts';
import { backupRefs } from '../core/operations/operation.ts';

/** An operation as `--json` prints it. */
export function operationJson(operation: Operation, undone = false): Record<string, unknown> {
  const { id, kind, title, started, state, moves, stop, remaining, of, group, restored, notes } = operation;
  return {
    id,
    kind,
    title,
    started,
    state: state === 'done' && undone ? 'undone' : state,
    of: of ?? null,
    group: group ?? null,
    branches: moves.map(({ branch, from, to }) => ({ branch, from, to, backup: `${backupRefs(id)}/${branch}` })),
    waits_in: stop?.path ?? null,
    remaining,
    restored: restored ?? [],
    notes: notes ?? [],
  };
}
