import { fillPattern, type Placeholders } from '../repository/fillPattern.ts';
import { Problem } from '../base/problem.ts';
import type { Worktree } from './model.ts';
import type { Workspace } from './workspace.ts';

/** A worktree as far as its compose project depends on it. */
export type WithProject = Pick<Worktree, 'name' | 'slug' | 'main'> & Partial<Pick<Worktree, 'branch' | 'entry'>>;

/**
 * The compose project that the team's pattern gives a worktree, as Compose takes it: small letters, digits, `-` and `_`, the first a letter
 * or a digit. `undefined` when the team has not asked for any.
 *
 * @throws Problem `usage` for a placeholder that is not known, or has no value.
 */
export function projectByPattern(
  { configuration }: Pick<Workspace, 'configuration'>,
  values: Placeholders,
): string | undefined {
  const pattern = configuration.compose?.projectPattern;
  if (pattern === undefined) return undefined;
  const filled = fillPattern(pattern, values, 'compose.project_pattern').toLowerCase();
  return filled.replaceAll(/[^a-z0-9_-]+/g, '-').replace(/^[^a-z0-9]+/, '') || undefined;
}

/**
 * The compose project of a worktree: the recorded one. One of another tool has none recorded, but may be given one by the team's pattern.
 * The main working tree has none.
 */
export function composeProjectOf(
  workspace: Pick<Workspace, 'configuration' | 'repository'>,
  { main, entry, name, slug, branch }: WithProject,
): string | undefined {
  if (entry?.composeProject !== undefined) return entry.composeProject;
  if (main) return undefined;
  const values = { name, slug, project: workspace.repository.name, branch, work_id: entry?.workId };
  try {
    return projectByPattern(workspace, values);
  } catch (thrown) {
    // Such as one that uses a work id, which this worktree does not have.
    if (!Problem.is(thrown)) throw thrown;
    return undefined;
  }
}
