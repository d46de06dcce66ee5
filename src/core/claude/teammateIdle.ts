import type { Environment } from '../base/environment.ts';
import { readLog } from './decisionLog.ts';
import { answerWith, block, silence, type HookAnswer } from './hookAnswer.ts';
import type { HookInput } from './hookInput.ts';
import { noteInLog } from './hookLog.ts';
import { openPullRequest } from './openPullRequest.ts';
import { pollStateOf } from './poll.ts';
import type { Scope } from './scope.ts';
import { shellWord } from '../base/quoted.ts';

/** So often within so many milliseconds a team-mate is sent back; then its poll evidently cannot be started. */
const patience = { times: 3, within: 15 * 60_000 };
/** As much of the end of the log as holds what happened in that time, in bytes. */
const recent = 256 * 1024;

/**
 * Answers the TeammateIdle hook: a worker whose worktree has a pull request may rest only while a poll watches it, since nobody
 * else would wake it when its checks fail. Once it is merged or closed there is nothing to watch. Whoever is not called after a
 * worktree is none of our business.
 */
export async function teammateIdle(environment: Environment, input: HookInput, scope: Scope): Promise<HookAnswer> {
  if (scope.kind !== 'worktree' || scope.by !== 'agent') return silence;
  const { name, path } = scope.worktree;
  const pullRequest = openPullRequest(scope.worktree, scope.root.commonDir);
  const poll = pullRequest === undefined ? 'live' : await pollStateOf(environment, path);
  if (poll === 'live') {
    await noteInLog(environment, input, scope, { decision: 'none' });
    return silence;
  }
  const what = `You have PR #${pullRequest} but no active background poll.`;
  if (await wasSentBackOften(environment, input, scope)) {
    await noteInLog(environment, input, scope, { decision: 'told', reason: what, detail: 'gave up' });
    return answerWith({
      systemMessage: `${name}: pull request #${pullRequest} is not watched, and its worker did not start a poll. Run: wt poll ${shellWord(name)}`,
    });
  }
  await noteInLog(environment, input, scope, {
    decision: 'block',
    reason: what,
    detail: poll === 'dead' ? 'the last poll died' : undefined,
  });
  return block(`${what} Run: wt poll ${shellWord(name)} (as a background task) before going idle.`);
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
