import type { Environment } from '../base/environment.ts';
import { findCaller } from '../claude/runs/caller.ts';
import { isOwn } from '../claude/runs/claimRun.ts';
import { runFactsOf, type RunFacts } from '../claude/runs/runFacts.ts';

/**
 * The workflow that has claimed a worktree and may still run, as far as that can be checked. One's own does not count: whoever runs it
 * knows.
 *
 * @param root the real path of the worktree.
 */
export async function findLiveRun(
  environment: Environment,
  commonDir: string,
  root: string,
): Promise<RunFacts | undefined> {
  const facts = await runFactsOf(environment, commonDir, root);
  if (!facts || facts.state === 'dead') return undefined;
  return isOwn(facts.run, await findCaller(environment)) ? undefined : facts;
}
