import type { Git } from './git.ts';

/** When a commit was made, and what it is about. */
export interface CommitSummary {
  /** In seconds since 1970. */
  readonly time: number;
  /** The first line of its message. */
  readonly subject: string;
}

/** Summaries of commits by id, in one process; of none without any. Commits that do not exist are left out. */
export async function readSummaries(
  git: Git,
  commonDir: string,
  oids: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Map<string, CommitSummary>> {
  if (oids.size === 0) return new Map();
  const format = '--format=%H%x00%ct%x00%s';
  const args = ['rev-list', '--no-walk=unsorted', '--no-commit-header', format, '--ignore-missing', '--stdin'];
  const answer = await git.in(commonDir).run(args, { input: `${[...oids].join('\n')}\n`, signal });
  return parseSummaries(answer.stdout);
}

/** Reads lines of id, time and subject with NUL between. */
export function parseSummaries(output: string): Map<string, CommitSummary> {
  const summaries = new Map<string, CommitSummary>();
  for (const line of output.split('\n')) {
    const [oid, time, subject] = line.split('\0');
    if (oid && time !== undefined) summaries.set(oid, { time: Number(time), subject: subject ?? '' });
  }
  return summaries;
}
