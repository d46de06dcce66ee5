import type { Environment } from '../base/environment.ts';
import { identityOf, type ProcessIdentity } from '../base/processes.ts';
import { commandForLog, redact } from '../base/redact.ts';
import { appendToLog, type LogEntry } from './decisionLog.ts';
import type { HookDecision } from './hookDecision.ts';
import type { HookInput } from './hookInput.ts';
import type { Scope } from './scope.ts';

/**
 * Writes an event and a hook's decision on it to the log of the repository that the event belongs to. A repository without a registry
 * gets no log.
 */
export async function logDecision(
  environment: Environment,
  input: HookInput,
  scope: Scope,
  decision: HookDecision,
): Promise<void> {
  if (scope.root === undefined) return;
  appendToLog(scope.root.commonDir, await entryOf(environment, input, scope, decision));
}

async function entryOf(
  environment: Environment,
  input: HookInput,
  scope: Scope,
  decision: HookDecision,
): Promise<LogEntry> {
  const reason = 'reason' in decision ? decision.reason : undefined;
  return {
    at: environment.now().toISOString(),
    event: input.hook_event_name ?? '',
    decision: decision.kind,
    reason: reason === undefined ? undefined : redact(reason),
    session: input.session_id,
    transcript: input.transcript_path,
    agent: input.agent_type ?? input.teammate_name,
    agentId: input.agent_id,
    worktree: scope.kind === 'worktree' ? scope.worktree.name : undefined,
    cwd: input.cwd,
    tool: input.tool_name,
    toolUse: input.tool_use_id,
    words: subjectOf(input),
    detail: decision.detail,
    client: await clientOf(environment),
  };
}

/** The command to run, or the file to write; never its content. */
function subjectOf({ tool_input: tool }: HookInput): string | undefined {
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
