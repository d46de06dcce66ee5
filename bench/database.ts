import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { literal } from '../src/core/database/engine.ts';
import { loadLibrary } from '../src/core/database/libraryEngine.ts';
import { columns, index, table } from '../src/core/database/shape.ts';
import { quantile, type Line } from './compare.ts';

/** So many rows are queried, in at most so many milliseconds of the engine's own time. */
const rows = 100_000;
const aim = 100;

/** What people ask: who did what, the latest events, what was denied in one session. */
const queries = [
  `SELECT session_id, kind, count(*), min(happened_at), max(happened_at) FROM ${table} GROUP BY ALL`,
  `FROM ${table} ORDER BY happened_at DESC LIMIT 50`,
  `SELECT happened_at, subject, detail FROM ${table} WHERE kind = 'denied' AND session_id = 's2' ORDER BY 1`,
];

/**
 * Queries over a database of 100,000 rows, in the time that the engine itself says it took (`EXPLAIN ANALYZE`): the slowest of some that
 * people ask, against the 100 ms that it may take.
 */
export async function benchDatabase(rounds: number, say: (text: string) => void): Promise<Line[]> {
  say('Querying a database…');
  const engine = loadLibrary(resolve(import.meta.dirname, '..'));
  if (!engine) throw new Error('@duckdb/node-api is not installed: run `npm ci`');
  const folder = await mkdtemp(join(tmpdir(), 'wt-bench-database-'));
  try {
    const file = join(folder, 'agentdb.duckdb');
    const made = await engine.open(file);
    await made.run([
      `CREATE TABLE ${table} (${Object.entries(columns)
        .map(([name, type]) => `${name} ${type}`)
        .join(', ')})`,
      `INSERT INTO ${table} BY NAME SELECT 'e' || i AS event_id, '0123456789ab' AS worktree_id, 'login-form' AS worktree, 'login' AS branch,
        '2026-11-29 10:00:00Z'::TIMESTAMPTZ + to_seconds(i) AS happened_at, 's' || (i % 500) AS session_id, 'agent ' || (i % 20) AS agent,
        ['session_started', 'waits', 'denied', 'task_completed'][1 + i % 4] AS kind, 'git push origin ' || i AS subject, 'the reason ' || i AS detail
        FROM range(${rows}) t(i)`,
      `CREATE INDEX ${index} ON ${table}(worktree_id)`,
      'CHECKPOINT',
    ]);
    made.close();
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const connection = await engine.open(undefined, {
        setUp: [`ATTACH ${literal(file)} AS w (READ_ONLY)`, `CREATE VIEW ${table} AS FROM w.main.${table}`],
      });
      const took: number[] = [];
      for (const query of queries) {
        const [plan] = await connection.run([`EXPLAIN (ANALYZE, FORMAT json) ${query}`]);
        took.push((JSON.parse(String(plan?.['explain_value'])) as { latency: number }).latency * 1000);
      }
      times.push(Math.max(...took));
      connection.close();
    }
    const candidateMs = quantile(times, 0.5);
    const noise = (quantile(times, 0.75) - quantile(times, 0.25)) / candidateMs;
    const work = `a query over ${rows.toLocaleString('en')} rows, by the engine's own time`;
    return [
      {
        ...{ work, baseline: `${aim} ms`, aim: 1, rounds, noise },
        ...{ ratio: candidateMs / aim, candidateMs, baselineMs: aim },
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
