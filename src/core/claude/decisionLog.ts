import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withoutWaiting } from '../base/plainFile.ts';
import type { ProcessIdentity } from '../base/processes.ts';
import { errorCode } from '../base/problem.ts';
import type { HookDecision } from './hookDecision.ts';
import { shareAtOnce, sharingIn } from '../base/sharedModes.ts';

/** One line of the log: an event and a hook's decision on it. Holds no secrets and no file content. */
export interface LogEntry {
  /** ISO 8601. */
  readonly at: string;
  /** Claude Code's name of the event: `PreToolUse`, `Stop`, … */
  readonly event: string;
  readonly decision: HookDecision['kind'];
  /** The reason that the agent got. */
  readonly reason?: string | undefined;
  readonly session?: string | undefined;
  /** The transcript of the session, an absolute path. */
  readonly transcript?: string | undefined;
  readonly agent?: string | undefined;
  readonly agentId?: string | undefined;
  /** The name of the worktree that the call belongs to. */
  readonly worktree?: string | undefined;
  readonly cwd?: string | undefined;
  readonly tool?: string | undefined;
  readonly toolUse?: string | undefined;
  /** The command, shortened, or the path that was to be written. */
  readonly words?: string | undefined;
  /** The id of the workflow's run that began, was taken over or ended; `words` are its work then. */
  readonly run?: string | undefined;
  /** What else there is to an event: a session's source, a notification's kind. */
  readonly detail?: string | undefined;
  /** The process of Claude Code. */
  readonly client?: ProcessIdentity | undefined;
}

/** The log is rotated when it has grown to this many bytes; this many old files stay. */
const fullAt = 1024 * 1024;
const mostArchives = 7;
/** The longest line, in bytes: the system does not split one write of that size. */
const longestLine = 4000;
const current = 'hooks.jsonl';
const archived = /^hooks-\d{8}T\d{9}Z-\d+\.jsonl$/;

/** The folder of a repository's log. */
export function logFolder(commonDir: string): string {
  return join(commonDir, 'worktree-stacks', 'log');
}

/**
 * Adds a line to the log of a repository. Many processes may do so at once: a line is one write to a file that is opened for
 * appending. Never fails: a hook that cannot write its log still answers.
 */
export function appendToLog(commonDir: string, entry: LogEntry): void {
  const folder = logFolder(commonDir);
  try {
    let size: number;
    const file = openForAppending(commonDir, folder);
    try {
      writeSync(file, lineOf(entry));
      size = fstatSync(file).size;
    } finally {
      closeSync(file);
    }
    if (size > fullAt) rotate(folder, entry.at);
  } catch {
    // A full disk or a read-only repository must not change what a guard decides.
  }
}

/** A pipe of that name must not make a hook wait for a reader. */
const appending = constants.O_WRONLY | constants.O_APPEND | ((constants.O_NONBLOCK as number | undefined) ?? 0);

/** The log is readable for the owner of the repository, and for those that git shares it with. */
function openForAppending(commonDir: string, folder: string): number {
  const file = join(folder, current);
  try {
    return openSync(file, appending);
  } catch (thrown) {
    if (errorCode(thrown) !== 'ENOENT') throw thrown;
    const sharing = sharingIn(commonDir);
    const made = mkdirSync(folder, { recursive: true });
    if (made !== undefined) for (const each of [dirname(folder), folder]) shareAtOnce(each, sharing);
    const descriptor = openSync(file, appending | constants.O_CREAT, sharing === 0 ? 0o600 : 0o666);
    shareAtOnce(file, sharing);
    return descriptor;
  }
}

function lineOf(entry: LogEntry): Buffer {
  const line = Buffer.from(`${JSON.stringify(entry)}\n`);
  if (line.length <= longestLine) return line;
  const cut = (text: string | undefined): string | undefined => text?.slice(0, 300);
  const short = Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, typeof value === 'string' ? cut(value) : (value as unknown)]),
  );
  const shorter = Buffer.from(`${JSON.stringify(short)}\n`);
  return shorter.length <= longestLine
    ? shorter
    : Buffer.from(`${JSON.stringify({ at: entry.at, event: entry.event, decision: entry.decision })}\n`);
}

/** Every archive has a name of its own: when two processes rotate at once, the worst is a short file, never a lost one. */
function rotate(folder: string, at: string): void {
  const stamp = at.replace(/[-:.]/g, '');
  try {
    renameSync(join(folder, current), join(folder, `hooks-${stamp}-${Math.floor(Math.random() * 1e9)}.jsonl`));
  } catch (thrown) {
    if (errorCode(thrown) !== 'ENOENT') throw thrown;
  }
  const old = readdirSync(folder)
    .filter((name) => archived.test(name))
    .sort();
  for (const name of old.slice(0, -mostArchives)) rmSync(join(folder, name), { force: true });
}

/** What to read of the log. */
export interface LogSpan {
  /** Only what was written at or after this time. */
  readonly since?: Date;
  /** At most about so many bytes, the latest. */
  readonly lastBytes?: number;
}

/** The log of a repository, the oldest line first. Lines that cannot be read are passed over. */
export async function readLog(commonDir: string, span: LogSpan = {}): Promise<LogEntry[]> {
  const folder = logFolder(commonDir);
  const names = (await readdir(folder).catch(() => [])).filter((name) => archived.test(name)).sort();
  const from = span.since?.toISOString() ?? '';
  const parts: LogEntry[][] = [];
  let left = span.lastBytes ?? Number.POSITIVE_INFINITY;
  for (const name of [current, ...names.reverse()]) {
    const text = await readEnd(join(folder, name), left);
    left -= text.length;
    const entries = text.split('\n').flatMap(toEntry);
    parts.push(entries.filter((entry) => entry.at >= from));
    if (left <= 0 || (entries[0] !== undefined && entries[0].at < from)) break;
  }
  return parts.reverse().flat();
}

/** The last bytes of a file, from the beginning of a line; empty where there is no file. */
async function readEnd(file: string, bytes: number): Promise<string> {
  const handle = await open(file, withoutWaiting).catch(() => undefined);
  if (!handle) return '';
  try {
    const found = await handle.stat();
    if (!found.isFile()) return '';
    const { size } = found;
    const start = Math.max(0, size - bytes);
    const buffer = Buffer.alloc(size - start);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    const text = buffer.toString('utf8', 0, bytesRead);
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

function toEntry(line: string): LogEntry[] {
  try {
    // Earlier versions wrote `told`.
    const entry = JSON.parse(line.replace('"decision":"told"', '"decision":"notified"')) as Partial<LogEntry> | null;
    const whole =
      typeof entry?.at === 'string' && typeof entry.event === 'string' && typeof entry.decision === 'string';
    return whole ? [entry as LogEntry] : [];
  } catch {
    return [];
  }
}
