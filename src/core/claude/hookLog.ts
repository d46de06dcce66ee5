import type { Environment } from '../base/environment.ts';
import { isoTime } from '../base/isoTime.ts';
import { identityOf, type ProcessIdentity } from '../base/processes.ts';
import { appendToLog, type HookDecision, type LogEntry } from './decisionLog.ts';
import type { HookInput } from './hookInput.ts';
import { commandForLog, redact } from '../base/redact.ts';
import type { Scope } from './scope.ts';

/** What a hook has to say about an event beside what the event itself tells. */
export interface Noted {
  readonly decision: HookDecision;
  readonly reason?: string | undefined;
  readonly detail?: string | undefined;
}

/**
 * Writes down what a hook saw and decided, in the log of the repository that the event belongs to. Nothing is written in a
 * repository without a registry: there this product has no business.
 */
export async function noteInLog(environment: Environment, input: HookInput, scope: Scope, noted: Noted): Promise<void> {
  if (scope.root === undefined) return;
  appendToLog(scope.root.commonDir, await entryOf(environment, input, scope, noted));
}

async function entryOf(environment: Environment, input: HookInput, scope: Scope, noted: Noted): Promise<LogEntry> {
  return known<LogEntry>({
    at: isoTime(environment.now().getTime()),
    event: input.hook_event_name ?? '',
    decision: noted.decision,
    reason: noted.reason === undefined ? undefined : redact(noted.reason),
    session: input.session_id,
    transcript: input.transcript_path,
    agent: input.agent_type ?? input.teammate_name,
    agentId: input.agent_id,
    worktree: scope.kind === 'worktree' ? scope.worktree.name : undefined,
    cwd: input.cwd,
    tool: input.tool_name,
    toolUse: input.tool_use_id,
    words: wordsOf(input),
    detail: noted.detail,
    client: await clientOf(environment),
  });
}

/** Leaves out what is not known. */
function known<T extends object>(fields: { readonly [Key in keyof Required<T>]: T[Key] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** The command that is to run, or the file that is to be written; never what is to be written into it. */
function wordsOf({ tool_input: tool }: HookInput): string | undefined {
  const command = tool?.['command'];
  if (typeof command === 'string') return commandForLog(command);
  const path = tool?.['file_path'] ?? tool?.['notebook_path'];
  return typeof path === 'string' ? redact(path) : undefined;
}

/** The process of Claude Code, which names itself to its hooks. */
async function clientOf(environment: Environment): Promise<ProcessIdentity | undefined> {
  const pid = Number(environment.variables['CLAUDE_PID']);
  return Number.isSafeInteger(pid) && pid > 0 ? identityOf({ ...environment, pid }) : undefined;
}
