import type { Progress, Snapshot } from '../../worktree/model.ts';
import { rewriteBody } from '../operations.ts';
import type { PullRequest } from '../pullRequest.ts';
import { worktreeGraph, type StackedWorktree } from '../../stack/graph.ts';
import { fits } from './limits.ts';
import type { PullRepositories } from '../pulls/repositories.ts';
import { withStackTable } from './stackTable.ts';
import { githubMessages } from '../../messages/github.ts';

/**
 * Brings the tables of a stack up to date in the texts of all its open pull requests, also of those that were not asked for. People write
 * into these texts as well, see {@link rewriteBody}; where there is no room for the table, the text stays without.
 *
 * @param failed told of each whose text GitHub did not take; the others go on.
 */
export async function updateTables(
  { github }: PullRepositories,
  snapshot: Snapshot,
  around: readonly StackedWorktree[],
  found: Map<string, PullRequest>,
  how: {
    readonly progress?: Progress | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly failed: (member: StackedWorktree, pull: PullRequest, thrown: unknown) => void;
  },
): Promise<void> {
  const { progress, signal, failed } = how;
  for (const [index, member] of around.entries()) {
    const pull = found.get(member.branch);
    if (pull?.state !== 'open') continue;
    const rows = worktreeGraph(snapshot)
      .stackOf(member.worktree.branch)
      .flatMap((each) => {
        const row = found.get(each.branch);
        return row?.state === 'open' ? [row.number] : [];
      });
    const bodyOf = ({ body, base }: PullRequest): string => {
      const whole = withStackTable(body, rows, pull.number, snapshot.trunk ?? base.branch);
      return fits(whole) ? whole : withStackTable(body, [], pull.number, snapshot.trunk ?? base.branch);
    };
    if (bodyOf(pull) === pull.body) continue;
    const time = github.timeLeft(around.length - index);
    progress?.(githubMessages.updatingTable({ number: pull.number, time }));
    try {
      const updated = await rewriteBody(github, pull.number, bodyOf, signal);
      if (updated?.state === 'open') found.set(member.branch, updated);
    } catch (thrown) {
      failed(member, pull, thrown);
    }
  }
}
