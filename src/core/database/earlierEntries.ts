import type { HookDecision } from '../claude/hookDecision.ts';
import type { LogEntry } from '../claude/decisionLog.ts';
import type { Engine } from './engine.ts';
import type { DatabaseOwner } from './ownership.ts';
import { queryDatabases } from './query.ts';
import { table } from './shape.ts';

/** The most rows that are read: some weeks of many agents. */
const most = 10_000;

/**
 * What the databases of worktrees still have of the log of the hooks, which is rotated: calls that were denied, and what was sent back.
 *
 * @param before only what is older than this, ISO 8601: the log has the rest.
 * @throws Problem as `queryDatabases`.
 */
export async function earlierEntries(
  engine: Engine,
  owners: readonly DatabaseOwner[],
  { since, before, signal }: { readonly since: Date; readonly before: string; readonly signal?: AbortSignal },
): Promise<LogEntry[]> {
  const sql = `SELECT strftime(happened_at AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ') AS at, kind, session_id, agent, worktree, tool, subject, detail
    FROM ${table} WHERE kind IN ('denied', 'sent_back') AND happened_at >= '${since.toISOString()}' AND happened_at < '${new Date(before).toISOString()}'
    ORDER BY 1`;
  const { rows } = await queryDatabases(engine, owners, sql, { limit: most, several: true, signal });
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return rows.map((row) => {
    const denied = row['kind'] === 'denied';
    return {
      at: text(row['at']) ?? '',
      event: denied ? 'PreToolUse' : 'TeammateIdle',
      decision: (denied ? 'deny' : 'block') satisfies HookDecision['kind'],
      reason: text(row['detail']),
      session: text(row['session_id']),
      agent: text(row['agent']),
      worktree: text(row['worktree']),
      tool: text(row['tool']),
      words: text(row['subject']),
    };
  });
}
