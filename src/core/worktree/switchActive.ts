import { refuseLinksOut } from '../repository/places.ts';
import { writeActive, type ActiveWorktree } from '../repository/stateFile.ts';
import { Problem } from '../base/problem.ts';
import { composeProjectOf } from './composeProject.ts';
import type { Worktree } from './model.ts';
import { quoted } from '../base/quoted.ts';
import type { Workspace } from './workspace.ts';
import { worktreeMessages } from '../messages/worktree.ts';

/**
 * Makes a worktree the active one: writes the state file.
 *
 * @throws Problem `not-found` when there is no working tree to lead a session to; `not-writable`, `outside-repository`.
 */
export async function switchActive(workspace: Workspace, worktree: Worktree): Promise<ActiveWorktree> {
  const { environment, git, repository } = workspace;
  if (worktree.bare || worktree.condition !== 'fine') {
    throw new Problem('not-found', worktreeMessages.cannotMadeActive({ name: worktree.name, path: worktree.path }), {
      next: worktreeMessages.cleanupDropsEntry({ name: quoted(worktree.name) }),
      outcome: 'incomplete',
    });
  }
  const composeProject = composeProjectOf(workspace, worktree);
  const active: ActiveWorktree = {
    path: worktree.path,
    branch: worktree.branch ?? '',
    ...(composeProject === undefined ? {} : { composeProject }),
    created: environment.now().toISOString(),
  };
  await refuseLinksOut(git, repository, worktreeMessages.notMadeActive({ name: worktree.name }));
  await writeActive(environment, repository, active);
  return active;
}
