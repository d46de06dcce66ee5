import { stat } from 'node:fs/promises';
import { isWithin, realPathOf } from '../../base/paths.ts';
import { commandForLog, redact } from '../../base/redact.ts';
import { editedFile, readTranscript, type HookFailure, type ToolCall, type ToolOutcome } from '../transcript.ts';
import { dangerOf, isTemporary } from './danger.ts';
import type { RetroFinding, RetroFindingKind } from './findings.ts';

/** A transcript and the worktree that its agent belongs to. */
export interface WorkerTranscript {
  readonly file: string;
  readonly session: string;
  readonly worktree: string;
  /** The absolute path of the worktree. */
  readonly path: string;
}

/** The input of a retrospective of a transcript. */
export interface Beforehand {
  /** ISO 8601; what happened before does not count. */
  readonly since: string;
  /** The calls that a hook is known to have refused, by id. */
  readonly denied: ReadonlySet<string>;
}

/** What a transcript shows: what ran although it was dangerous, what was published on an old base, which of our hooks failed. */
export async function findInTranscript(transcript: WorkerTranscript, beforehand: Beforehand): Promise<RetroFinding[]> {
  const { file, session, worktree, path } = transcript;
  const findings: RetroFinding[] = [];
  const find = (kind: RetroFindingKind, at: string, words: string, why: string): void => {
    if (at >= beforehand.since) findings.push({ kind, at, worktree, session, transcript: file, words, why });
  };
  const calls = new Map<string, ToolCall>();
  let baseMoved: string | undefined;
  for await (const event of readTranscript(file)) {
    switch (event.kind) {
      case 'hook':
        if (isOurs(event))
          find('failed-hook', event.at, event.event, `${event.what}: ${redact(event.message).slice(0, 300)}`);
        break;
      case 'notice':
        if (reportsBase(event.text)) baseMoved = event.at;
        break;
      case 'call':
        calls.set(event.id, event);
        break;
      case 'outcome': {
        const call = calls.get(event.id);
        calls.delete(event.id);
        if (!call) break;
        const command = call.input['command'];
        if (wasStopped(event, beforehand)) {
          if (/blocking because onFailure/.test(event.text))
            find('failed-hook', event.at, call.tool, 'a guard could not be started, and the call was blocked');
        } else if (typeof command === 'string') {
          const why = dangerOf(command, event.text, { worktree: path, cwd: call.cwd ?? path });
          if (why !== undefined)
            find('allowed-dangerous', call.at, commandForLog(command), event.failed ? `${why}; it failed` : why);
          if (/\bwt\s+rebase\b/.test(command)) baseMoved = undefined;
          else if (baseMoved !== undefined && /\bwt\s+(?:push|pr)\b/.test(command)) {
            find('skipped-rebase', call.at, commandForLog(command), `its base was known to have moved at ${baseMoved}`);
          }
        } else if (!event.failed) {
          const why = await editedOutside(call, path);
          if (why !== undefined) find('allowed-dangerous', call.at, why, 'edits a file outside the worktree');
        }
        if (reportsBase(event.text)) baseMoved = event.at;
        break;
      }
    }
  }
  return findings;
}

/** A call that was refused did no harm: by one of our hooks, or by a person or a rule of Claude Code's own. */
function wasStopped(outcome: ToolOutcome, { denied }: Beforehand): boolean {
  if (denied.has(outcome.id)) return true;
  return (
    outcome.failed &&
    /hook (?:error|denied)|blocking because onFailure|permission to use|doesn't want to proceed|was rejected|requires approval|haven't granted/i.test(
      outcome.text,
    )
  );
}

const reportsBase = (text: string): boolean => /"base_updated"/.test(text);

/** A hook is recognized by its command, or by its status message where it has one. */
function isOurs({ what, command }: HookFailure): boolean {
  const failed = what === 'hook_non_blocking_error' || what === 'hook_error_during_execution' || what === 'hook_failed';
  return (
    failed &&
    /[\\/]bin[\\/]wt hook |[\\/]\.worktrees[\\/]hooks[\\/]run|[\\/]hook\.js |^Worktree Stacks: /.test(`${command} `)
  );
}

async function editedOutside(call: ToolCall, worktree: string): Promise<string | undefined> {
  const file = editedFile(call);
  if (file === undefined || (isTemporary(file) && !isTemporary(worktree))) return undefined;
  if (isWithin(await realPathOf(worktree), await realPathOf(file))) return undefined;
  // Since moved: the session stood in the worktree where that was then.
  const movedWith =
    call.cwd !== undefined && isWithin(call.cwd, file) && !(await stat(call.cwd).catch(() => undefined));
  return movedWith ? undefined : file;
}
