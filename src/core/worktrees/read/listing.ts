import { parseWorktreeList } from '../../git/worktreeList.ts';
import { respell } from '../../repository/identity.ts';
import { Administrations, absolutePath, readAdministration, readAdministrations } from './administration.ts';
import { lookAt, lookAtMain } from './condition.ts';
import type { Condition, Operation } from '../model.ts';
import type { Workspace } from '../workspace.ts';

/** One working tree as git and the disk have it, before anything is added from the registry and the branches. */
export interface Listing {
  /** Absolute, spelled as the main root is. */
  readonly path: string;
  readonly main: boolean;
  readonly bare: boolean;
  readonly branch: string | undefined;
  readonly head: string | undefined;
  readonly lockReason: string | undefined;
  readonly condition: Condition;
  readonly gitDir: string | undefined;
  readonly operation: Operation | undefined;
  /** It has submodules whose repositories are kept in its git directory. */
  readonly modules: boolean;
  readonly trouble: string | undefined;
}

/**
 * Lists the working trees: the main one first, the others in git's order. One git process; everything else is read from disk.
 *
 * @throws Problem when git cannot list them.
 */
export async function readListing({ git, repository }: Workspace, signal: AbortSignal): Promise<Listing[]> {
  const { commonDir, mainRoot } = repository;
  const args = [`--git-dir=${commonDir}`, 'worktree', 'list', '--porcelain', '-z'];
  const [output, linked, own, spell] = await Promise.all([
    git.text(args, { cwd: commonDir, signal }),
    readAdministrations(commonDir),
    readAdministration(commonDir),
    respell(mainRoot),
  ]);
  const administrations = new Administrations(linked);
  return Promise.all(
    parseWorktreeList(output).map(async (listed, index): Promise<Listing> => {
      const main = index === 0;
      const administration = main ? own : await administrations.of(listed);
      const path = main ? mainRoot : spell(absolutePath(listed, administration));
      const place = await (main ? lookAtMain(mainRoot, commonDir) : lookAt(path, administration?.gitDir, commonDir));
      return {
        path,
        main,
        bare: main && repository.bare,
        branch: listed.branch ?? administration?.heldBranch,
        head: listed.head,
        lockReason: listed.lockReason,
        operation: administration?.operation,
        modules: administration?.modules ?? false,
        ...place,
      };
    }),
  );
}
