import { unwatched } from '../activity.ts';
import type { LogEntry } from '../decisionLog.ts';
import { shellTools } from '../guardedTools.ts';
import { harmlessness, isTemporary } from './danger.ts';
import type { RetroFinding, RetroFindingKind } from './findings.ts';

/** What the log of the hooks alone shows. */
export function findInLog(entries: readonly LogEntry[]): RetroFinding[] {
  return [...deniedHarmless(entries), ...missingPolls(entries), ...failedHooks(entries)];
}

/** The refusals, each once: the plugin and a generated agent may both have refused the same call. */
export function denialsIn(entries: readonly LogEntry[]): LogEntry[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    if (entry.decision !== 'deny') return false;
    const key = entry.toolUse ?? `${entry.at} ${entry.words ?? ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function deniedHarmless(entries: readonly LogEntry[]): RetroFinding[] {
  return denialsIn(entries).flatMap((entry) => {
    const words = entry.words ?? '';
    const why = isCommand(entry)
      ? harmlessness(words, entry.reason ?? '')
      : isTemporary(words)
        ? 'it is a temporary file'
        : undefined;
    return why === undefined ? [] : [toFinding('denied-harmless', entry, words, why)];
  });
}

const isCommand = ({ tool = '' }: LogEntry): boolean => shellTools.includes(tool);

/** One finding for each session and worktree, however often it happened. */
function missingPolls(entries: readonly LogEntry[]): RetroFinding[] {
  const times = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const missing =
      entry.event === 'TeammateIdle'
        ? entry.decision === 'block' || entry.decision === 'notified'
        : entry.detail === unwatched;
    if (!missing || entry.worktree === undefined) continue;
    const key = `${entry.session ?? ''}\n${entry.worktree}`;
    times.set(key, [...(times.get(key) ?? []), entry]);
  }
  return [...times.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const sentBack = all.filter((entry) => entry.decision === 'block').length;
    const stopped = all.length - sentBack;
    const parts = [
      ...(stopped > 0 ? [`it stopped ${counted(stopped)} while nobody watched its pull request`] : []),
      ...(sentBack > 0 ? [`it was sent back ${counted(sentBack)} to start a poll`] : []),
    ];
    return [toFinding('missing-poll', first, 'wt poll', parts.join(', and '))];
  });
}

const counted = (times: number): string => (times === 1 ? 'once' : `${times} times`);

function failedHooks(entries: readonly LogEntry[]): RetroFinding[] {
  return entries
    .filter((entry) => entry.decision === 'failed')
    .map((entry) => toFinding('failed-hook', entry, entry.event, entry.reason ?? 'it failed'));
}

function toFinding(kind: RetroFindingKind, entry: LogEntry, words: string, why: string): RetroFinding {
  const { at, worktree, session, transcript } = entry;
  return { kind, at, worktree, session, transcript, words, why };
}
