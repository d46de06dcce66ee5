import type { Environment } from '../base/environment.ts';
import { readLog } from './decisionLog.ts';
import { noDecision, type HookDecision } from './hookDecision.ts';
import type { HookInput } from './hookInput.ts';
import { openPullRequest } from './openPullRequest.ts';
import { pollStateOf } from './pollMarker.ts';
import type { Scope } from './scope.ts';
import { shellWord } from '../base/quoted.ts';

/** After this many blocks within this time (ms), the poll evidently cannot be started, and the team-mate may rest. */
const patience = { times: 3, within: 15 * 60_000 };
/** How much of the end of the log is read to cover that time, in bytes. */
const recent = 256 * 1024;

/**
 * Decides on the TeammateIdle event: a worker whose worktree has an open pull request may rest only while a poll watches it, since
 * nobody else would wake it when its checks fail. `undefined` for team-mates that are not named after a worktree.
 */
export async function teammateIdle(
  environment: Environment,
  input: HookInput,
  scope: Scope,
): Promise<HookDecision | undefined> {
  if (scope.kind !== 'worktree' || scope.by !== 'agent') return undefined;
  const { name, path } = scope.worktree;
  const pullRequest = openPullRequest(scope.worktree, scope.root.commonDir);
  const poll = pullRequest === undefined ? 'live' : await pollStateOf(environment, path);
  if (poll === 'live') return noDecision;
  const reason = `You have PR #${pullRequest} but no active background poll.`;
  if (await wasSentBackOften(environment, input, scope)) {
    const systemMessage = `${name}: pull request #${pullRequest} is not watched, and its worker did not start a poll. Run: wt poll ${shellWord(name)}`;
    return { kind: 'notified', reason, detail: 'gave up', systemMessage };
  }
  return {
    kind: 'block',
    reason,
    message: `${reason} Run: wt poll ${shellWord(name)} (as a background task) before going idle.`,
    detail: poll === 'dead' ? 'the last poll died' : undefined,
  };
}

async function wasSentBackOften(environment: Environment, input: HookInput, scope: Scope): Promise<boolean> {
  if (scope.root === undefined) return false;
  const since = new Date(environment.now().getTime() - patience.within);
  const entries = await readLog(scope.root.commonDir, { since, lastBytes: recent });
  const own = entries.filter(
    (entry) => entry.event === 'TeammateIdle' && entry.session === input.session_id && entry.agentId === input.agent_id,
  );
  return own.length >= patience.times && own.slice(-patience.times).every((entry) => entry.decision === 'block');
}
