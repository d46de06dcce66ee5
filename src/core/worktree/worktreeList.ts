import { basename } from 'node:path';
import { samePlace } from '../base/paths.ts';
import { parseWorktreeList } from '../git/worktreeList.ts';
import { respell } from '../repository/spelling.ts';
import { Administrations, absolutePath, readAdministration, readAdministrations } from './adminDir.ts';
import { lookAt, lookAtMain, type LocationState } from './condition.ts';
import { FolderFinder } from './findFolder.ts';
import type { Condition, GitOperation } from './model.ts';
import { readSparse } from './sparse.ts';
import type { Workspace } from './workspace.ts';

/** One working tree as git and the disk have it, before anything is added from the registry and the branches. */
export interface Listing {
  /** The name of git's admin directory; `undefined` for the main working tree. */
  readonly id: string | undefined;
  /** Where it was found: absolute, spelled as the main root is. */
  readonly path: string;
  readonly main: boolean;
  readonly bare: boolean;
  readonly branch: string | undefined;
  readonly head: string | undefined;
  readonly lockReason: string | undefined;
  readonly condition: Condition;
  /** Git works in the folder, but has another path on record. */
  readonly staleLink: boolean;
  readonly gitDir: string | undefined;
  readonly operation: GitOperation | undefined;
  /** It has submodules whose repositories are kept in its git directory. */
  readonly modules: boolean;
  /** It has a sparse checkout: only some of its files are to be there. */
  readonly sparse: boolean;
  readonly trouble: string | undefined;
}

/**
 * Lists the working trees: the main one first, the others in git's order. One git process; everything else is read from disk.
 *
 * Git lists the paths that it has on record. A worktree that is not there is looked for, and listed where its `.git` file proves it to
 * be; only one that is found nowhere keeps git's path.
 *
 * @throws Problem when git cannot list them.
 */
export async function readListing(workspace: Workspace, signal: AbortSignal): Promise<Listing[]> {
  const { git, repository } = workspace;
  const { commonDir, mainRoot } = repository;
  const args = ['worktree', 'list', '--porcelain', '-z'];
  const [output, linked, own, isSparse, spell] = await Promise.all([
    git.in(commonDir).text(args, { signal }),
    readAdministrations(commonDir),
    readAdministration(commonDir),
    readSparse(commonDir),
    respell(mainRoot),
  ]);
  const administrations = new Administrations(linked);
  const finder = new FolderFinder(workspace);
  return Promise.all(
    parseWorktreeList(output).map(async (listed, index): Promise<Listing> => {
      const main = index === 0;
      const administration = main ? own : await administrations.of(listed);
      const { branch, operation, modules } = {
        branch: listed.branch ?? administration?.heldBranch,
        operation: administration?.operation,
        modules: administration?.modules ?? false,
      };
      const facts = { branch, head: listed.head, lockReason: listed.lockReason, operation, modules };
      if (main) {
        const [place, sparse] = await Promise.all([lookAtMain(mainRoot, commonDir), isSparse(commonDir)]);
        const { bare } = repository;
        const files = { bare, sparse: sparse && !bare };
        return { ...facts, ...place, ...files, id: undefined, path: mainRoot, main, staleLink: false };
      }
      const written = absolutePath(listed, administration);
      const gitDir = administration?.gitDir;
      const found = await findPlace(finder, spell(written), gitDir, commonDir);
      const id = gitDir === undefined ? undefined : basename(gitDir);
      const staleLink = found.condition === 'fine' && !(await samePlace(found.path, written));
      const sparse = gitDir !== undefined && (await isSparse(gitDir));
      return { ...facts, ...found, id, path: spell(found.path), main, bare: false, staleLink, sparse };
    }),
  );
}

async function findPlace(
  finder: FolderFinder,
  path: string,
  gitDir: string | undefined,
  commonDir: string,
): Promise<LocationState & { readonly path: string }> {
  const place = await lookAt(path, gitDir, commonDir);
  if (place.condition === 'fine' || gitDir === undefined) return { ...place, path };
  return (await finder.find(gitDir, path)) ?? { ...place, path };
}
