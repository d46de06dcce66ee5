import { databaseMessages } from '../messages/database.ts';
import { Problem } from '../base/problem.ts';
import { worktreeId } from '../repository/context.ts';
import { identifier, literal, oneLineLiteral, type Engine, type Row } from './engine.ts';
import { databaseProblem } from './failure.ts';
import { parseRow } from './jsonRow.ts';
import { replayWriteAhead, withAttached, type WorkOptions } from './open.ts';
import { databaseFile, hasDatabase, readRows, refuseCopiedState, type DatabaseOwner } from './ownership.ts';
import { isCurrent, readShape, table } from './shape.ts';

/** What a query gave. */
export interface QueryAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** There are more rows than were asked for. */
  readonly truncated: boolean;
  /** The worktrees whose rows were seen. */
  readonly worktrees: readonly { readonly name: string; readonly id: string; readonly file: string }[];
  /** Databases that could not be read: only with several worktrees, otherwise that is the failure. */
  readonly skipped: readonly Problem[];
}

/** How a query is run. */
export interface QueryOptions extends Omit<WorkOptions, 'readOnly'> {
  /** The most rows that are given. */
  readonly limit: number;
  /** Those without a database that can be read are left out; otherwise they are the failure. */
  readonly several: boolean;
}

/**
 * Runs one SELECT over the rows of some worktrees, and nothing else: it sees no other rows, no other files and no network,
 * and it changes nothing. The databases are open for reading as long as it runs.
 *
 * @throws Problem `usage` for a text that is no query, with the engine's words; `not-found` where there is no database;
 *   as `withPrepared` for one that cannot be read; `cancelled`.
 */
export async function queryDatabases(
  engine: Engine,
  owners: readonly DatabaseOwner[],
  sql: string,
  options: QueryOptions,
): Promise<QueryAnswer> {
  const setUp: string[] = [];
  const seen: QueryAnswer['worktrees'][number][] = [];
  const parts: string[] = [];
  const skipped: Problem[] = [];
  for (const [number, owner] of owners.entries()) {
    try {
      const source = await readSource(engine, owner, `w${number}`, options);
      if (source === undefined) continue;
      setUp.push(...source.setUp);
      parts.push(source.rows);
      seen.push({ name: owner.name, id: worktreeId(owner.root), file: databaseFile(owner.root) });
    } catch (thrown) {
      if (!options.several || !Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
      skipped.push(thrown);
    }
  }
  const [first] = owners;
  if (parts.length === 0 && !options.several && first) {
    const file = databaseFile(first.root);
    throw new Problem('not-found', databaseMessages.noFile({ file }), {
      file,
      next: databaseMessages.syncFirst(),
      outcome: 'incomplete',
    });
  }
  if (parts.length === 0) {
    throw new Problem('not-found', databaseMessages.noFileAnywhere(), {
      next: databaseMessages.syncFirst(),
      items: skipped.map(({ message }) => message),
      outcome: 'incomplete',
    });
  }
  const view = `CREATE VIEW ${identifier(table)} AS ${parts.join(' UNION ALL BY NAME ')}`;
  const answer = await run(engine, [...setUp, view, ...closing], sql, options, first);
  return { ...answer, worktrees: seen, skipped };
}

/** Nothing outside can be reached any more, and that cannot be changed back. */
const closing = ["SET TimeZone = 'UTC'", 'SET enable_external_access = false', 'SET lock_configuration = true'];

interface Source {
  readonly setUp: readonly string[];
  /** A query that gives the rows of the worktree, and no other ones. */
  readonly rows: string;
}

async function readSource(
  engine: Engine,
  owner: DatabaseOwner,
  name: string,
  options: QueryOptions,
): Promise<Source | undefined> {
  const file = databaseFile(owner.root);
  await refuseCopiedState(owner);
  if (!(await hasDatabase(owner.root))) return undefined;
  const attach = `ATTACH ${literal(file)} AS ${name} (READ_ONLY)`;
  const from = `${name}.main.${identifier(table)}`;
  await replayWriteAhead(engine, file, options);
  const { shape, foreign, former } = await withAttached(engine, file, [attach], options, async (connection) => {
    try {
      const shape = await readShape(connection, file, name);
      return { shape, ...(await readRows(connection, owner, shape, `${name}.main.`)) };
    } catch (thrown) {
      throw databaseProblem(file, thrown);
    }
  });
  if (!isCurrent(shape)) {
    throw new Problem('unreadable-file', databaseMessages.olderShape({ file }), {
      file,
      next: databaseMessages.migrateFirst(),
      outcome: 'incomplete',
    });
  }
  const own = literal(worktreeId(owner.root));
  const ids = [own, ...former.map(literal)].join(', ');
  const mine = `FROM ${from} SELECT * REPLACE (${own}::VARCHAR AS worktree_id) WHERE worktree_id IN (${ids}) OR worktree_id IS NULL`;
  // The file itself is in reach only where all that it has is the worktree's.
  if (foreign === 0 && !shape.othersHaveIds)
    return { setUp: [attach], rows: former.length === 0 ? `FROM ${from}` : mine };
  const copy = `memory.main.own_${name}`;
  return { setUp: [attach, `CREATE TABLE ${copy} AS ${mine}`, `DETACH ${name}`], rows: `FROM ${copy}` };
}

async function run(
  engine: Engine,
  setUp: readonly string[],
  sql: string,
  options: QueryOptions,
  owner: DatabaseOwner | undefined,
): Promise<Pick<QueryAnswer, 'columns' | 'rows' | 'truncated'>> {
  const file = databaseFile(owner?.root ?? '');
  // The engine's own `query` takes one SELECT and nothing else, and a text in quotes cannot get out of them.
  const asked = `query(${oneLineLiteral(sql)})`;
  return withAttached(engine, file, setUp, options, async (connection) => {
    const described = await orUsage(file, () => connection.run([`DESCRIBE FROM ${asked}`]));
    // No column has this name, which would be meant instead of the row.
    const row = '"a whole row"';
    const select = `SELECT to_json(${row})::VARCHAR AS j FROM ${asked} ${row} LIMIT ${options.limit + 1}`;
    const rows = await orUsage(file, () => connection.run([select]));
    const found = described.map((row) => ({ name: String(row['column_name']), type: String(row['column_type']) }));
    const types = new Map(found.map(({ name, type }) => [name, type]));
    return {
      columns: found,
      rows: rows.slice(0, options.limit).map(({ j }) => parseRow(String(j), types)),
      truncated: rows.length > options.limit,
    };
  });
}

async function orUsage(file: string, work: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await work();
  } catch (thrown) {
    throw databaseProblem(
      file,
      thrown,
      (why) =>
        new Problem('usage', databaseMessages.notOneQuery({ why }), {
          next: databaseMessages.oneSelect(),
          cause: thrown,
        }),
    );
  }
}
