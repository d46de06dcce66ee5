import { isAbsolute, resolve } from 'node:path';
import { isWithin, pathBelow, realPathOf } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { readRegistry } from '../repository/registry.ts';
import { readAdministrations } from './adminDir.ts';
import type { Workspace } from './workspace.ts';
import { worktreeMessages } from '../messages/worktree.ts';

/**
 * A project path as it is in a worktree (seed 003): a relative one starts at the worktree's root; an absolute one inside any
 * working tree of the repository becomes the same file of this worktree; any other absolute one stays as it is.
 *
 * @returns an absolute path; it need not exist.
 * @throws Problem `usage` for an empty path, `outside-repository` for one that leads out of the worktree, by `..` or by a link.
 */
export async function resolveProjectPath(workspace: Workspace, worktreeRoot: string, file: string): Promise<string> {
  if (file === '') throw new Problem('usage', worktreeMessages.pathEmpty(), { next: worktreeMessages.givePathFile() });
  const inProject = isAbsolute(file) ? await projectPath(workspace, worktreeRoot, file) : file;
  if (inProject === undefined) return resolve(file);
  const path = resolve(worktreeRoot, inProject);
  const [realRoot, real] = await Promise.all([realPathOf(worktreeRoot), realPathOf(path)]);
  if (!isWithin(resolve(worktreeRoot), path) || !isWithin(realRoot, real)) {
    throw new Problem(
      'outside-repository',
      worktreeMessages.leadsOutWorktree({ file: JSON.stringify(file), worktreeRoot, real }),
      {
        next: worktreeMessages.givePathInside(),
      },
    );
  }
  return path;
}

/** The path of a file from the root of the working tree that holds it; `undefined` outside of all of them. Working trees nest. */
async function projectPath({ repository }: Workspace, worktreeRoot: string, file: string): Promise<string | undefined> {
  const { commonDir, mainRoot } = repository;
  const linked = (await readAdministrations(commonDir)).flatMap(({ gitDir, written }) =>
    written === undefined ? [] : [resolve(gitDir, written)],
  );
  // Git's record of a worktree that was moved names its old place; the registry may know a later one.
  const recorded = await readRegistry(repository).then(
    ({ worktrees }) => [...worktrees.values()].map(({ path }) => path),
    () => [],
  );
  const roots = [worktreeRoot, mainRoot, ...linked, ...recorded].map((root) => resolve(root));
  const written = innermost(roots, resolve(file));
  if (written !== undefined) return written;
  const realRoots = await Promise.all(roots.map(realPathOf));
  return innermost(realRoots, await realPathOf(file));
}

function innermost(roots: readonly string[], file: string): string | undefined {
  const [root] = roots.filter((each) => isWithin(each, file)).sort((one, other) => other.length - one.length);
  return root === undefined ? undefined : pathBelow(root, file);
}
