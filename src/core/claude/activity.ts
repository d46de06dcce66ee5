import type { Environment } from '../base/environment.ts';
import type { HookDecision } from './hookDecision.ts';
import type { HookInput } from './hookInput.ts';
import { openPullRequest } from './openPullRequest.ts';
import { pollStateOf } from './pollMarker.ts';
import type { Scope } from './scope.ts';

/**
 * Decides on the events that only report what a session does (UserPromptSubmit, Notification, PermissionRequest, Stop, SessionEnd,
 * SubagentStart, SubagentStop). They are logged, so that the tree can show who works, waits or is idle; nothing is ever stopped. What
 * people and agents say to each other is not logged.
 */
export async function recordActivity(environment: Environment, input: HookInput, scope: Scope): Promise<HookDecision> {
  return { kind: 'none', detail: await detailOf(environment, input, scope) };
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
