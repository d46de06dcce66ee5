import { refuseLinksOut } from '../repository/places.ts';
import { writeActive, type ActiveWorktree } from '../repository/stateFile.ts';
import { Problem } from '../base/problem.ts';
import { fillPattern } from '../repository/fillPattern.ts';
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

/** A worktree of another tool has no recorded project, but may be given one by the team's pattern. */
function composeProjectOf({ configuration, repository }: Workspace, worktree: Worktree): string | undefined {
  const { entry, name, slug } = worktree;
  if (entry?.composeProject !== undefined) return entry.composeProject;
  const pattern = configuration.compose?.projectPattern;
  if (pattern === undefined || worktree.main) return undefined;
  const values = { name, slug, project: repository.name, branch: worktree.branch, work_id: entry?.workId };
  try {
    return fillPattern(pattern, values, 'compose.project_pattern');
  } catch (thrown) {
    // Such as one that uses a work id, which this worktree does not have.
    if (!Problem.is(thrown)) throw thrown;
    return undefined;
  }
}
