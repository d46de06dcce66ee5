import type { Environment } from '../base/environment.ts';
import { silence, type HookAnswer } from './hookAnswer.ts';
import type { HookInput } from './hookInput.ts';
import { noteInLog } from './hookLog.ts';
import { openPullRequest } from './openPullRequest.ts';
import { pollStateOf } from './poll.ts';
import type { Scope } from './scope.ts';

/**
 * Answers the hooks that only tell what a session does (UserPromptSubmit, Notification, PermissionRequest, Stop, SessionEnd,
 * SubagentStart, SubagentStop): writes it down, so that the tree can show who works, waits or is idle. Never stops anything.
 * What people and agents say to each other is not written down.
 */
export async function recordActivity(environment: Environment, input: HookInput, scope: Scope): Promise<HookAnswer> {
  await noteInLog(environment, input, scope, { decision: 'none', detail: await detailOf(environment, input, scope) });
  return silence;
}

async function detailOf(environment: Environment, input: HookInput, scope: Scope): Promise<string | undefined> {
  if (input.hook_event_name === 'Stop' || input.hook_event_name === 'SubagentStop') {
    if (scope.kind !== 'worktree') return undefined;
    if (openPullRequest(scope.worktree, scope.root.commonDir) === undefined) return undefined;
    const poll = await pollStateOf(environment, scope.worktree.path);
    return poll === 'live' ? undefined : unwatched;
  }
  return input.notification_type ?? input.source ?? input.reason;
}

/** The detail of a session that stopped while nobody watched its pull request. */
export const unwatched = 'pull request not watched';
