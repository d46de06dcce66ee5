import type { Message } from '../messages/message.ts';
import { databaseMessages } from '../messages/database.ts';
import type { Environment } from '../base/environment.ts';
import { Problem } from '../base/problem.ts';
import { worktreeId } from '../repository/context.ts';
import { identifier, literal, type Connection, type Engine } from './engine.ts';
import type { AgentEvent } from './events.ts';
import { databaseProblem } from './failure.ts';
import type { DatabaseOwner } from './ownership.ts';
import { withPrepared, type PrepareOptions, type Prepared } from './prepare.ts';
import { columns, table, type ColumnName, type FoundColumn, type Shape } from './shape.ts';

/** What a sync did. */
export interface Synced extends Omit<Prepared, 'shape'> {
  /** Rows that were added. */
  readonly rows: number;
}

/** How many rows go into one statement. */
const together = 500;

/**
 * Writes what happened in a worktree to its database, each event once, however often it is called: all of them, or none. Makes
 * the database where there is none.
 *
 * @returns `undefined` where there is none and none is to be made.
 * @throws Problem as `withPrepared`, and `unreadable-file` for a table whose own rules do not take the rows.
 */
export async function syncDatabase(
  environment: Environment,
  engine: Engine,
  owner: DatabaseOwner & { readonly branch: string | undefined },
  events: readonly AgentEvent[],
  options: PrepareOptions = {},
): Promise<Synced | undefined> {
  return withPrepared(environment, engine, owner, options, async (connection, { shape, ...prepared }) => {
    const fresh = await unknown(connection, events, prepared.file);
    if (fresh.length > 0)
      await insert(
        connection,
        shape,
        fresh.map((event) => rowOf(event, owner)),
        prepared.file,
      );
    return { ...prepared, rows: fresh.length };
  });
}

/** Those that are no rows yet. */
async function unknown(connection: Connection, events: readonly AgentEvent[], file: string): Promise<AgentEvent[]> {
  if (events.length === 0) return [];
  try {
    const rows = await connection.run([`SELECT event_id AS id FROM ${identifier(table)} WHERE event_id IS NOT NULL`]);
    const known = new Set(rows.map(({ id }) => id));
    return events.filter(({ id }) => !known.has(id));
  } catch (thrown) {
    throw databaseProblem(file, thrown);
  }
}

type Values = Readonly<Record<ColumnName, string | undefined>>;

function rowOf(event: AgentEvent, owner: DatabaseOwner & { readonly branch: string | undefined }): Values {
  const { id, kind, at, session, run, agent, task, tool, subject, detail } = event;
  return {
    event_id: id,
    worktree_id: worktreeId(owner.root),
    worktree: owner.name,
    worktree_root: owner.root,
    branch: owner.branch,
    happened_at: at,
    kind,
    session_id: session,
    run_id: run,
    ...{ agent, task, tool, subject, detail },
  };
}

async function insert(connection: Connection, shape: Shape, rows: readonly Values[], file: string): Promise<void> {
  const names = Object.keys(columns) as ColumnName[];
  const others = shape.columns.filter(({ name, required, hasDefault }) => required && !hasDefault && !isOurs(name));
  const into = [...names, ...others.map(({ name }) => identifier(name))].join(', ');
  const statements = ['BEGIN TRANSACTION'];
  for (let at = 0; at < rows.length; at += together) {
    const values = rows
      .slice(at, at + together)
      .map((row, index) => `(${at + index + 1}, ${names.map((name) => literal(row[name])).join(', ')})`);
    const ours = names.map((name) => `TRY_CAST(v.${name} AS ${typeIn(shape, name)})`);
    const theirs = others.map((column) => filler(column, file));
    statements.push(
      `INSERT INTO ${identifier(table)} (${into}) SELECT ${[...ours, ...theirs].join(', ')} FROM (VALUES ${values.join(', ')}) v(number, ${names.join(', ')})`,
    );
  }
  try {
    await connection.run([...statements, 'COMMIT', 'CHECKPOINT']);
  } catch (thrown) {
    throw databaseProblem(
      file,
      thrown,
      (why: Message) =>
        new Problem('unreadable-file', databaseMessages.rowsRefused({ file, table, why }), {
          file,
          next: databaseMessages.lookAtFile(),
          outcome: 'incomplete',
          cause: thrown,
        }),
    );
  }
}

const isOurs = (name: string): boolean => Object.hasOwn(columns, name.toLowerCase());

/** An earlier file may have a column of the same name for something else: what does not fit there is left out. */
function typeIn(shape: Shape, name: ColumnName): string {
  return shape.columns.find((each) => each.name.toLowerCase() === name)?.type ?? columns[name];
}

/** A value for a column of another tool that must have one. */
function filler({ name, type }: FoundColumn, file: string): string {
  const highest = `(SELECT coalesce(max(${identifier(name)}), 0) FROM ${identifier(table)})`;
  if (type === 'VARCHAR') return 'v.event_id';
  if (/INT$|^HUGEINT$|^BIGINT$|INTEGER$/.test(type)) return `(${highest} + v.number)::${type}`;
  if (/^(?:TIMESTAMP|DATE)/.test(type)) return `v.happened_at::TIMESTAMPTZ::${type}`;
  if (/^(?:DOUBLE|FLOAT|DECIMAL)/.test(type)) return '0';
  if (type === 'BOOLEAN') return 'false';
  if (type === 'UUID') return 'uuid()';
  if (type === 'JSON') return "'{}'";
  throw new Problem('unreadable-file', databaseMessages.columnNotFilled({ file, table, column: name, type }), {
    file,
    next: databaseMessages.renameThere(),
    outcome: 'incomplete',
  });
}
