import { Problem } from '../base/problem.ts';
import type { Configuration } from '../repository/configuration.ts';
import { distinctSlugOf, slugOf } from '../repository/slug.ts';
import type { Naming } from '../worktree/naming.ts';

/** Long enough for people; git's files for a branch need room for more behind it. */
const longestName = 200;

/** Folders of `.worktrees/` that are ours. */
const reserved: ReadonlySet<string> = new Set(['bin', 'hooks']);

/** Whether a request says what the worktree is called, with a name or with a work id where that alone tells worktrees apart. */
export function hasName(
  request: { readonly name?: string | undefined; readonly workId?: string | undefined },
  configuration: Configuration,
): boolean {
  return Boolean(request.name?.trim() || (isByWorkId(configuration) && request.workId?.trim()));
}

function isByWorkId({ worktree }: Configuration): boolean {
  return [worktree.locationPattern, worktree.branchPattern].some((pattern) => pattern.includes('{work_id}'));
}

/** The name of a worktree for a task: its slug, so that the branch is called like the folder. Two tasks with one slug get two names. */
export function nameForTask(task: string, others: readonly Naming[]): string {
  const slug = slugOf(task);
  return others.some(({ name }) => name === slug) ? distinctSlugOf(task) : slug;
}

/**
 * The name that a worktree is to have: the one that was typed, or the work id where that alone tells worktrees apart.
 *
 * @throws Problem `usage` when there is none, `invalid-name`.
 */
export function wantedName(
  request: { readonly name?: string | undefined; readonly workId?: string | undefined },
  configuration: Configuration,
): string {
  const byWorkId = isByWorkId(configuration);
  const name = request.name?.trim() || (byWorkId ? request.workId?.trim() : undefined);
  if (!name) {
    throw new Problem('usage', 'The new worktree needs a name.', {
      next: byWorkId ? 'give a name, or `--work-id`' : 'run `wt create <name>`',
    });
  }
  checkName(name, 'name');
  if (request.workId !== undefined) checkName(request.workId, 'work id');
  return name;
}

function checkName(name: string, what: string): void {
  const wrong = (why: string): Problem =>
    new Problem('invalid-name', `${JSON.stringify(name)} cannot be a ${what}: ${why}.`, {
      next: `choose another ${what}`,
    });
  if (name === '@' || name === '.') throw wrong('it has a meaning of its own');
  if (name.startsWith('-')) throw wrong('it would be read as an option');
  if (name.split(/[\\/]/).some((part) => part === '..' || part === '.')) throw wrong('it leads to another folder');
  if (/[\u0000-\u001f\u007f]/.test(name)) throw wrong('it holds a line break or another control character');
  if (Buffer.byteLength(name) > longestName) throw wrong(`it is longer than ${longestName} bytes`);
}

/**
 * The slug for a name among the worktrees that there are.
 *
 * @throws Problem `taken` when there is a worktree of this name.
 */
export function chooseSlug(name: string, others: readonly Naming[], taken: (other: Naming) => Problem): string {
  const same = others.find((other) => other.name === name);
  if (same) throw taken(same);
  const plain = slugOf(name);
  return reserved.has(plain) || others.some((other) => other.slug === plain) ? distinctSlugOf(name) : plain;
}
