import { Problem } from '../core/base/problem.ts';
import { openSession } from '../core/github/connect.ts';
import { dependentsWithPulls, retargetDependents as retarget } from '../core/github/pr/retarget.ts';
import type { Snapshot, Worktree } from '../core/worktree/model.ts';
import { quoted } from '../core/base/quoted.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import type { CommandLine } from './command.ts';
import { cliMessages } from './cliMessages.ts';

/**
 * Gives the pull requests into the branch of a worktree their new base before the branch goes. That GitHub cannot be asked keeps nobody
 * from removing a worktree; it is a warning that names what completes it.
 *
 * @param offline GitHub is not asked at all.
 */
export async function retargetDependents(
  { output, signal }: CommandLine,
  workspace: Workspace,
  snapshot: Snapshot,
  worktree: Worktree,
  offline: boolean,
): Promise<void> {
  const dependents = dependentsWithPulls(snapshot, worktree);
  if (dependents.length === 0) return;
  const session = offline
    ? () => Promise.reject(new Problem('offline', cliMessages.githubNotAsked()))
    : () => openSession(workspace, { signal, progress: output.progress });
  try {
    const all = await retarget(workspace, snapshot, worktree, { session, progress: output.progress, signal });
    for (const { number, from, to, problem } of all) {
      if (problem) output.warn(problem);
      else output.tell(`Pull request #${number} is into ${to} now, instead of ${from}.`);
    }
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    const numbers = dependents.map(({ worktree: { entry } }) => `#${entry?.pr?.number}`);
    const [first] = dependents;
    output.warn(
      new Problem(
        'host-refused',
        cliMessages.pullRequestsInto({
          branch: worktree.branch ?? worktree.name,
          numbers: numbers.join(', '),
          reason: thrown.message,
        }),
        {
          next: cliMessages.openStackBefore({
            detail: quoted(first?.worktree.name ?? ''),
            branch: worktree.branch ?? worktree.name,
          }),
        },
      ),
    );
  }
}
