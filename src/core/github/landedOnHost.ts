import { Problem } from '../base/problem.ts';
import type { Snapshot } from '../worktree/model.ts';
import type { Workspace } from '../worktree/workspace.ts';
import { factsOf, type SessionOptions } from './connect.ts';
import type { PullRequestFacts } from './facts.ts';
import { recordedOf } from './recordedNumbers.ts';

/**
 * Tells a restack what GitHub says became of pull requests: it alone knows of a merge that left other commits or other files on the trunk.
 * Where it cannot be asked, that matters only for branches of which a pull request is recorded; for others there may well be none, and
 * no GitHub either.
 */
export function landedOnHost(workspace: Workspace, snapshot: Snapshot, options: SessionOptions = {}): PullRequestFacts {
  const recorded = recordedOf(snapshot);
  const facts = factsOf(workspace, recorded, options);
  return {
    async pullRequestsOf(branches) {
      try {
        return await facts.pullRequestsOf(branches);
      } catch (thrown) {
        const known = branches.some((branch) => recorded.has(branch));
        if (known || !Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
        workspace.environment.log.debug(`[stack] GitHub was not asked: ${thrown.message}`);
        return new Map();
      }
    },
  };
}
