import { Problem } from '../base/problem.ts';
import { mayCheck, planChecks, runChecks, endOf } from './checks.ts';
import { againCommand, reading, type Merging } from './merging.ts';
import type { ChecksAttempt } from './mergeData.ts';
import type { ChecksOutcome } from './model.ts';
import { mergeMessages } from '../messages/merge.ts';

/**
 * Runs the checks after the merge commit, which must pass in the merged tree. The commit stays in any case; until they pass the merge
 * stays pending.
 *
 * @throws Problem `checks-failed`, or `not-approved` for configured checks (both with outcome incomplete).
 */
export async function runPostMergeChecks(
  merging: Omit<Merging, 'pending'>,
  commit: string,
  attempt?: ChecksAttempt,
): Promise<ChecksOutcome> {
  const { workspace, target, options, source } = merging;
  const plan = await planChecks(workspace, target.root);
  if (!plan) return { state: 'none', command: undefined };
  const { command } = plan;
  const again = againCommand(source);
  const tree = ['rev-parse', '--verify', '--quiet', `${commit}^{tree}`];
  // These very files may have just passed.
  if (attempt?.state === 'settled' && attempt.tree === (await workspace.git.line(tree, reading(merging))))
    return { state: 'passed', command };
  if (!(await mayCheck(workspace, plan, options))) {
    if (!plan.configured) return { state: 'unapproved', command };
    throw new Problem(
      'not-approved',
      mergeMessages.mergedButChecks({ sourceName: source.name, commit: commit.slice(0, 12), command }),
      { next: mergeMessages.againApproveApproves({ again }), outcome: 'incomplete' },
    );
  }
  const answer = await runChecks(workspace, target.root, plan, options);
  if (answer.exitCode === 0) return { state: 'passed', command };
  throw new Problem(
    'checks-failed',
    mergeMessages.mergedButChecksCommand({
      sourceName: source.name,
      commit: commit.slice(0, 12),
      command,
      end: endOf(answer),
    }),
    {
      next: mergeMessages.correctAndRecheck({ targetRoot: target.root, again }),
      items: answer.lastLines,
      outcome: 'incomplete',
    },
  );
}
