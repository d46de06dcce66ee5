import { Problem } from '../core/base/problem.ts';
import { openSession } from '../core/github/connect.ts';
import { readAncestry } from '../core/github/plan/ancestry.ts';
import { retargetChildren } from '../core/github/pr/rescue.ts';
import type { Removal } from '../core/remove/inspect.ts';
import type { Snapshot } from '../core/worktree/model.ts';
import type { Workspace } from '../core/worktree/workspace.ts';
import type { CommandLine } from './command.ts';

/**
 * Gives the pull requests of a worktree's dependents the base that their branches get when it is removed. GitHub is asked only when
 * there are such pull requests; that it cannot be asked keeps nobody from removing a worktree and is told as a warning.
 */
export async function retargetDependents(
  { output, signal }: CommandLine,
  workspace: Workspace,
  snapshot: Snapshot,
  removal: Removal,
): Promise<void> {
  const { worktree, newBase } = removal;
  const { branch } = worktree;
  const dependents = snapshot.worktrees.filter(({ name, entry }) => removal.dependents.includes(name) && entry?.pr);
  if (branch === undefined || newBase === undefined || dependents.length === 0) return;
  const only = new Set(dependents.flatMap(({ entry }) => entry?.pr?.number ?? []));
  try {
    const { github } = await openSession(workspace, { signal, progress: output.progress });
    const { git, repository } = workspace;
    const contains = async (commit: string, of: string): Promise<boolean> =>
      (await readAncestry(git, repository.commonDir, [commit, of], signal)).contains(commit, of);
    for (const { number, problem } of await retargetChildren(github, branch, newBase, { only, contains, signal })) {
      if (problem) output.warn(problem);
      else output.tell(`Pull request #${number} is into ${newBase} now, instead of ${branch}.`);
    }
  } catch (thrown) {
    if (!Problem.is(thrown) || thrown.reason === 'cancelled') throw thrown;
    const names = dependents.map(({ name }) => name);
    output.warn(
      new Problem(
        'host-refused',
        `The pull requests of ${names.join(', ')} still have the base ${branch}: ${thrown.message}`,
        {
          next: names.map((name) => `\`wt pr ${name}\``).join(', '),
        },
      ),
    );
  }
}
