import { join } from 'node:path';
import { writeAtomically } from '../base/atomicFile.ts';
import { readJsonObject } from '../base/jsonText.ts';
import { samePath } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import type { Repository } from '../repository/identity.ts';

/** The last time that somebody went from one worktree to another, by their paths. Of the repository, not of one shell, as `git switch -` is. */
interface Switched {
  readonly from: string;
  readonly to: string;
}

/**
 * Notes that somebody went from one worktree to another, so that they find back. That it cannot be noted stops nothing.
 *
 * @param from `undefined` where it is not known.
 */
export async function noteSwitch(repository: Repository, from: string | undefined, to: string): Promise<void> {
  if (from === undefined || samePath(from, to)) return;
  const switched: Switched = { from, to };
  try {
    await writeAtomically(fileOf(repository), `${JSON.stringify(switched)}\n`);
  } catch (thrown) {
    if (!Problem.is(thrown)) throw thrown;
  }
}

/**
 * The path of the worktree to go back to: the one that was left last; where that is the one they are in already, the one that they went to.
 *
 * @param now where they are.
 */
export async function previousWorktree(repository: Repository, now: string | undefined): Promise<string | undefined> {
  const { from, to } = (await readJsonObject(fileOf(repository)).catch(() => undefined)) ?? {};
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  return now !== undefined && samePath(from, now) ? to : from;
}

const fileOf = ({ commonDir }: Repository): string => join(commonDir, 'worktree-stacks', 'switched.json');
