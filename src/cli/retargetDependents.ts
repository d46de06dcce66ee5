import { Problem } from '../core/base/problem.ts';
import { openSession } from '../core/github/connect.ts';
import { readAncestry } from '../core/github/plan/ancestry.ts';
import { retargetChildren } from '../core/github/pr/rescue.ts';
import type { Snapshot, Worktree } from '../core/worktree/model.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import type { CommandLine } from './command.ts';
import { dependentsOf } from './stackOrder.ts';

/**
 * Gives the pull requests of what stands on a worktree the base that their branches get when it is removed. GitHub is asked only when
 * there are such pull requests; that it cannot be asked keeps nobody from removing a worktree and is told as a warning.
 */
export async function retargetDependents(
  { output, signal }: CommandLine,
  workspace: Workspace,
  snapshot: Snapshot,
  worktree: Worktree,
): Promise<void> {
  const { branch, base } = worktree;
  const to = base?.branch ?? snapshot.trunk;
  const dependents = dependentsOf(snapshot.worktrees, worktree).filter(({ entry }) => entry?.pr);
  if (branch === undefined || to === undefined || dependents.length === 0) return;
  const only = new Set(dependents.flatMap(({ entry }) => entry?.pr?.number ?? []));
  try {
    const { github } = await openSession(workspace, { signal, progress: output.progress });
    const { git, repository } = workspace;
    const contains = async (commit: string, of: string): Promise<boolean> =>
      (await readAncestry(git, repository.commonDir, [commit, of], signal)).contains(commit, of);
    for (const { number, problem } of await retargetChildren(github, branch, to, { only, contains, signal })) {
      if (problem) output.warn(problem);
      else output.tell(`Pull request #${number} is into ${to} now, instead of ${branch}.`);
    }
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    const names = dependents.map(({ name }) => name);
    output.warn(
      new Problem(
        'host-refused',
        `The pull requests of ${names.join(', ')} still stand on ${branch}: ${thrown.message}`,
        {
          next: names.map((name) => `\`wt pr ${name}\``).join(', '),
        },
      ),
    );
  }
}
