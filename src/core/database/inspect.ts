import { stat } from 'node:fs/promises';
import { Problem } from '../base/problem.ts';
import { readStateDirectory } from '../repository/stateDirectory.ts';
import { worktreeId } from '../repository/context.ts';
import { identifier, literal, type Engine } from './engine.ts';
import { databaseProblem } from './failure.ts';
import { withDatabase, type WorkOptions } from './open.ts';
import { databaseFile, hasDatabase, readRows, refuseCopiedState, type DatabaseOwner } from './ownership.ts';
import { isCurrent, readShape, table } from './shape.ts';

/** What there is of a worktree's database. */
export interface DatabaseState {
  readonly file: string;
  /** `unknown`: there is a file, and no engine that could read it. `refused`: the trouble says why. */
  readonly state: 'missing' | 'older' | 'current' | 'refused' | 'unknown';
  /** The size of the file in bytes. */
  readonly size: number;
  /** The worktree's rows, and those of others. */
  readonly rows: number;
  readonly foreign: number;
  /** When the last event was, ISO 8601. */
  readonly last: string | undefined;
  readonly trouble: Problem | undefined;
}

/**
 * Looks at the database of a worktree, and changes nothing. What is wrong with the file is in the answer.
 *
 * @throws Problem `cancelled`.
 */
export async function inspectDatabase(
  engine: Engine | undefined,
  owner: DatabaseOwner,
  options: Omit<WorkOptions, 'readOnly'> = {},
): Promise<DatabaseState> {
  const file = databaseFile(owner.root);
  const nothing = { file, size: 0, rows: 0, foreign: 0, last: undefined, trouble: undefined };
  try {
    await readStateDirectory(owner.root);
    await refuseCopiedState(owner);
    if (!(await hasDatabase(owner.root))) return { ...nothing, state: 'missing' };
    const { size } = await stat(file);
    if (!engine) return { ...nothing, size, state: 'unknown' };
    const found = await withDatabase(engine, file, { ...options, readOnly: true }, async (connection) => {
      try {
        const shape = await readShape(connection, file);
        const { total, foreign } = await readRows(connection, owner, shape);
        const state = isCurrent(shape) ? ('current' as const) : ('older' as const);
        if (state === 'older') return { state, rows: total - foreign, foreign, last: undefined };
        const last = await connection.run([
          `SELECT strftime(max(happened_at)::TIMESTAMPTZ AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ') AS at FROM ${identifier(table)} WHERE worktree_id = ${literal(worktreeId(owner.root))}`,
        ]);
        const at = last[0]?.['at'];
        return { state, rows: total - foreign, foreign, last: typeof at === 'string' ? at : undefined };
      } catch (thrown) {
        throw databaseProblem(file, thrown);
      }
    });
    return { ...nothing, size, ...found };
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    return { ...nothing, state: 'refused', trouble: thrown };
  }
}
