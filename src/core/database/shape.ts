import { statSync } from 'node:fs';
import { databaseMessages } from '../messages/database.ts';
import { Problem } from '../base/problem.ts';
import { EngineFailure, identifier, literal, type Connection } from './engine.ts';

/** Seed 004's table, and the index on its `worktree_id`. */
export const table = 'agent_synchronizations';
export const index = 'idx_sync_worktree';

/** The columns of a row and their types, in the order in which a new table has them. */
export const columns = {
  event_id: 'VARCHAR',
  worktree_id: 'VARCHAR(12)',
  worktree: 'VARCHAR',
  worktree_root: 'VARCHAR',
  branch: 'VARCHAR',
  happened_at: 'TIMESTAMP WITH TIME ZONE',
  kind: 'VARCHAR',
  session_id: 'VARCHAR',
  run_id: 'VARCHAR',
  agent: 'VARCHAR',
  task: 'VARCHAR',
  tool: 'VARCHAR',
  subject: 'VARCHAR',
  detail: 'VARCHAR',
} as const satisfies Record<string, string>;

/** The name of a column of ours. */
export type ColumnName = keyof typeof columns;

/** A column as a file has it. */
export interface FoundColumn {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly hasDefault: boolean;
}

/** What a file has of the table. */
export interface Shape {
  /** None: there is no such table. */
  readonly columns: readonly FoundColumn[];
  readonly indexed: boolean;
  /** The columns of ours that are missing. */
  readonly missing: readonly ColumnName[];
  /** Other tables have worktree ids as well. */
  readonly othersHaveIds: boolean;
}

/** Whether a file needs no migration. */
export function isCurrent({ missing, indexed }: Shape): boolean {
  return missing.length === 0 && indexed;
}

/** Whether a file has rows that can be told apart by their worktree. */
export function hasWorktreeIds({ columns: found }: Shape): boolean {
  return found.some(({ name }) => name === 'worktree_id');
}

/**
 * Reads what a database has of the table.
 *
 * @param catalog the name under which the file is attached; the connection's own database without one.
 * @throws Problem `unreadable-file` for a table that is none of ours: a view, or one whose ids are no texts.
 */
export async function readShape(connection: Connection, file: string, catalog?: string): Promise<Shape> {
  const database = catalog === undefined ? 'current_database()' : literal(catalog);
  const here = `database_name = ${database} AND schema_name = 'main'`;
  const rows = await connection.run([
    `SELECT 'column' AS what, column_name AS name, data_type AS "type", is_nullable::VARCHAR AS nullable, (column_default IS NOT NULL)::VARCHAR AS fallback
       FROM duckdb_columns() WHERE ${here} AND table_name = '${table}'
     UNION ALL SELECT 'index', index_name, table_name, NULL, NULL FROM duckdb_indexes() WHERE ${here} AND index_name = '${index}'
     UNION ALL SELECT 'view', view_name, NULL, NULL, NULL FROM duckdb_views() WHERE ${here} AND view_name = '${table}'
     UNION ALL SELECT 'other', table_name, NULL, NULL, NULL FROM duckdb_columns() WHERE ${here} AND column_name = 'worktree_id' AND table_name <> '${table}'`,
  ]);
  const wrong = (what: Problem['what']): Problem =>
    new Problem('unreadable-file', what, { file, next: databaseMessages.renameThere(), outcome: 'incomplete' });
  if (rows.some(({ what }) => what === 'view')) throw wrong(databaseMessages.notOurTable({ file, table }));
  const found = rows
    .filter(({ what }) => what === 'column')
    .map((row) => ({
      name: String(row['name']),
      type: String(row['type']),
      required: row['nullable'] === 'false',
      hasDefault: row['fallback'] === 'true',
    }));
  for (const { name, type } of found) {
    if ((name === 'worktree_id' || name === 'event_id') && type !== 'VARCHAR')
      throw wrong(databaseMessages.wrongType({ file, table, column: name, type }));
  }
  const holder = rows.find(({ what }) => what === 'index')?.['type'];
  if (typeof holder === 'string' && holder !== table)
    throw wrong(databaseMessages.indexElsewhere({ file, index, table: holder }));
  if (found.length > 0) await refuseCut(connection, file, catalog);
  const names = new Set(found.map(({ name }) => name.toLowerCase()));
  return {
    columns: found,
    indexed: holder !== undefined,
    missing: (Object.keys(columns) as ColumnName[]).filter((name) => !names.has(name)),
    othersHaveIds: rows.some(({ what }) => what === 'other'),
  };
}

/** The pages before the first block of a file, in bytes. */
const headers = 3 * 4096;

/** An engine reads the blocks of a table only when it needs them, and would go on writing to a file that was cut off. */
async function refuseCut(connection: Connection, file: string, catalog: string | undefined): Promise<void> {
  const name = catalog === undefined ? table : `${catalog}.main.${table}`;
  const database = catalog === undefined ? 'current_database()' : literal(catalog);
  const [needed] = await connection.run([
    `SELECT ((1 + max(block_id)) * (SELECT max(block_size) FROM pragma_database_size() WHERE database_name = ${database}))::VARCHAR AS bytes
       FROM pragma_storage_info(${literal(name)}) WHERE persistent`,
  ]);
  const there = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (headers + Number(needed?.['bytes'] ?? 0) <= there) return;
  throw new EngineFailure(`Corrupt database file: it has only ${there} bytes, its end is missing`);
}

/**
 * The statements that bring a file into the present shape: one transaction, and then all of it in the file itself. Nothing
 * else in the file is touched: what the table has keeps its columns, rows, rules and indexes.
 *
 * @param id the worktree's, which rows get that were there before there were ids.
 */
export function migration({ columns: found, missing }: Pick<Shape, 'columns' | 'missing'>, id: string): string[] {
  const name = identifier(table);
  const steps =
    found.length === 0
      ? [
          `CREATE TABLE ${name} (${Object.entries(columns)
            .map(([column, type]) => `${column} ${type}`)
            .join(', ')})`,
        ]
      : missing.flatMap((column) => {
          const add = `ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS ${column} ${columns[column]}`;
          if (column !== 'worktree_id') return [add];
          // An UPDATE is refused where another table refers to the rows; a default that goes at once is not.
          return [`${add} DEFAULT ${literal(id)}`, `ALTER TABLE ${name} ALTER COLUMN ${column} DROP DEFAULT`];
        });
  return [
    'BEGIN TRANSACTION',
    ...steps,
    `CREATE INDEX IF NOT EXISTS ${index} ON ${name}(worktree_id)`,
    'COMMIT',
    'CHECKPOINT',
  ];
}
