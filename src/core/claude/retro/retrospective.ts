import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { Environment } from '../../base/environment.ts';
import { Problem } from '../../base/problem.ts';
import type { WatchedWorktree } from '../agentStates.ts';
import { readLog, type LogEntry } from '../decisionLog.ts';
import { agentTranscript } from '../transcript.ts';
import { findingKinds, type RetroFinding } from './findings.ts';
import { denialsIn, findInLog } from './fromLog.ts';
import { findInTranscript, type WorkerTranscript } from './fromTranscript.ts';
import { claudeMessages } from '../../messages/claude.ts';

/** What a retrospective found, and what it had to go by. */
export interface Retrospective {
  /** ISO 8601. */
  readonly since: string;
  /** Events in the log of the hooks. */
  readonly events: number;
  /** Calls that were refused, each once. */
  readonly denied: number;
  /** Transcripts that were read. */
  readonly transcripts: number;
  /** By kind, then by time. */
  readonly findings: readonly RetroFinding[];
}

/**
 * Reports how agents worked in their worktrees, from the log of the hooks and from Claude's transcripts. Reads only.
 *
 * @param worktrees all of the repository but the main one.
 * @param earlier gives what is known of the time before the oldest entry of the log, ISO 8601; the oldest first.
 */
export async function lookBack(
  environment: Environment,
  commonDir: string,
  worktrees: readonly WatchedWorktree[],
  since: Date,
  earlier: (before: string) => Promise<readonly LogEntry[]> = async () => [],
): Promise<Retrospective> {
  const logged = await readLog(commonDir, { since });
  const entries = [...(await earlier(logged[0]?.at ?? environment.now().toISOString())), ...logged];
  const denials = denialsIn(entries);
  const denied = new Set(denials.flatMap(({ toolUse }) => toolUse ?? []));
  const transcripts = await transcriptsOf(environment, entries, worktrees, since);
  const findings = findInLog(entries);
  for (const transcript of transcripts) {
    findings.push(...(await findInTranscript(transcript, { since: since.toISOString(), denied })));
  }
  findings.sort(
    (one, other) => findingKinds.indexOf(one.kind) - findingKinds.indexOf(other.kind) || one.at.localeCompare(other.at),
  );
  return {
    since: since.toISOString(),
    events: entries.length,
    denied: denials.length,
    transcripts: transcripts.length,
    findings,
  };
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * A point in time as people write it: `90m`, `12h`, `2d`, `1w` back from now, or a date or time in ISO 8601.
 *
 * @throws Problem `usage` for anything else.
 */
export function parseSince(text: string, now: Date): Date {
  const [, number, unit] = /^(\d+)\s*([mhdw])$/.exec(text.trim()) ?? [];
  if (number !== undefined && unit !== undefined)
    return new Date(now.getTime() - Number(number) * units[unit as keyof typeof units]);
  const date = /^\d{4}-\d{2}-\d{2}/.test(text.trim()) ? new Date(text.trim()) : undefined;
  if (date && !Number.isNaN(date.getTime())) return date;
  throw new Problem('usage', claudeMessages.noTime({ text: JSON.stringify(text) }), {
    next: claudeMessages.write90m12h(),
  });
}

/** The folder of Claude Code's transcripts. */
function projectsFolder({ variables }: Environment): string {
  const home = variables['HOME'] ?? variables['USERPROFILE'] ?? homedir();
  return join(variables['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects');
}

/** The transcripts of workers: those that the log names, and those of sessions that were started in a worktree. */
async function transcriptsOf(
  environment: Environment,
  entries: readonly LogEntry[],
  worktrees: readonly WatchedWorktree[],
  since: Date,
): Promise<WorkerTranscript[]> {
  const found = new Map<string, WorkerTranscript>();
  const add = (file: string, session: string, { name, path }: WatchedWorktree): void =>
    void (found.has(file) || found.set(file, { file, session, worktree: name, path }));
  const byName = new Map(worktrees.map((each) => [each.name, each]));
  for (const { worktree, transcript, session, agentId } of entries) {
    const owner = byName.get(worktree ?? '');
    if (!owner || transcript === undefined || session === undefined) continue;
    add(agentId === undefined ? transcript : agentTranscript(transcript, agentId), session, owner);
  }
  for (const owner of worktrees) {
    // Claude Code's way to name a folder after a path.
    const folder = join(projectsFolder(environment), owner.path.replace(/[^a-zA-Z0-9]/g, '-'));
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.endsWith('.jsonl')) continue;
      const session = basename(name, '.jsonl');
      add(join(folder, name), session, owner);
      const agents = join(folder, session, 'subagents');
      for (const agent of await readdir(agents).catch(() => []))
        if (agent.endsWith('.jsonl')) add(join(agents, agent), session, owner);
    }
  }
  const fresh = await Promise.all(
    [...found.values()].map(
      async (each) => ((await stat(each.file).catch(() => undefined))?.mtimeMs ?? 0) >= since.getTime(),
    ),
  );
  return [...found.values()].filter((_, index) => fresh[index]);
}
