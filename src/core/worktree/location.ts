import type { Message } from '../messages/message.ts';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { isWithin, pathBelow, realPathOf, relativeTo, samePath, upFrom } from '../base/paths.ts';
import { findAtPlace, realNeighbours } from '../base/realNeighbours.ts';
import { fitForWindows, longestFolder, unfitPart } from '../base/windowsNames.ts';
import { whyUnfit } from '../base/windowsNameProblem.ts';
import { Problem } from '../base/problem.ts';
import { fillPattern, type Placeholders } from '../repository/fillPattern.ts';
import type { Listing } from './worktreeList.ts';
import { quoted } from '../base/quoted.ts';
import type { Workspace } from './workspace.ts';
import { worktreeMessages } from '../messages/worktree.ts';

/** Where a worktree is to be put. */
export interface WorktreeLocation {
  /** Absolute, in the person's spelling of the main root. */
  readonly path: string;
  /** Relative to the main root, with forward slashes; absolute on another drive. */
  readonly relativePath: string;
}

/**
 * Where the configured pattern puts a worktree, when nothing is in the way.
 *
 * @throws Problem `outside-repository` when the place is not what the pattern means: through a link out of the repository, in a
 *   git directory, in another worktree or repository; `taken` when something is there; `not-found` when the folder above
 *   it is missing and must not be made; `usage` for a pattern that cannot be filled; `invalid-name` for a path that Windows cannot hold.
 */
export async function resolveLocation(
  workspace: Workspace,
  values: Placeholders,
  listing: readonly Listing[],
): Promise<WorktreeLocation> {
  const { configuration, environment, repository } = workspace;
  const { locationPattern, createParent } = configuration.worktree;
  const pattern = locationPattern.replace(/^~(?=[/\\])/, () => homeOf(environment));
  const path = resolve(
    repository.mainRoot,
    fillPattern(pattern, forPath(values, environment), 'worktree.location_pattern'),
  );
  const fixed = resolve(repository.mainRoot, pattern.split('{')[0]?.replace(/[^/\\]*$/, '') ?? '');
  if (samePath(path, fixed) || !isWithin(fixed, path)) throw elsewhere(path, worktreeMessages.notBelow({ fixed }));
  if (environment.platform === 'win32') refuseUnfit(path, fixed);
  const linked = listing.filter(({ main }) => !main);
  await checkSurroundings(workspace, path, linked);
  await checkFree(path, linked);
  if (!createParent && !(await lstat(dirname(path)).catch(() => undefined))) {
    throw new Problem('not-found', worktreeMessages.parentMissing({ folder: dirname(path) }), {
      next: worktreeMessages.makeFolder({ folder: JSON.stringify(dirname(path)) }),
    });
  }
  const settled = await behindLinks(repository.mainRoot, path);
  return { path: settled, relativePath: relativeTo(repository.mainRoot, settled) };
}

/** Git knows a worktree by its real path: where a link within the repository leads elsewhere, that counts for us as well. */
async function behindLinks(mainRoot: string, path: string): Promise<string> {
  if (!isWithin(mainRoot, path)) return path;
  const [real, root] = await Promise.all([realPathOf(path), realPathOf(mainRoot)]);
  const below = pathBelow(root, real);
  return below === undefined ? path : join(mainRoot, below);
}

/** The names in the pattern are fit for Windows by then; what the team has written into it need not be. */
function refuseUnfit(path: string, fixed: string): void {
  const unfit = unfitPart(relativeTo(fixed, path));
  if (unfit !== undefined) {
    throw new Problem('invalid-name', worktreeMessages.unfitFolder({ path, why: whyUnfit(unfit) }), {
      next: worktreeMessages.correctLocationPattern(),
      outcome: 'incomplete',
    });
  }
  if (path.length <= longestFolder) return;
  throw new Problem('invalid-name', worktreeMessages.pathTooLong({ path, count: longestFolder }), {
    next: worktreeMessages.shortenPath(),
    outcome: 'incomplete',
  });
}

/** What people put into names but many tools cannot bear in a path (`#`, `%`, blanks, …) becomes `-` there, and so does what Windows cannot. */
function forPath(values: Placeholders, { platform }: Pick<Environment, 'platform'>): Placeholders {
  const clean = (value: string): string => {
    const plain = value.replace(/[^\p{L}\p{M}\p{N}._/-]+/gu, '-');
    return platform === 'win32' ? fitForWindows(plain) : plain;
  };
  return {
    ...values,
    name: clean(values.name),
    branch: values.branch === undefined ? undefined : clean(values.branch),
    work_id: values.work_id === undefined ? undefined : clean(values.work_id).replaceAll('/', '-'),
  };
}

function homeOf({ platform, variables }: Environment): string {
  const home = variables[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  if (home) return home;
  throw new Problem('usage', worktreeMessages.worktreeLocationPattern(), {
    next: worktreeMessages.writeWholePath(),
  });
}

function elsewhere(path: string, why: Message, next = worktreeMessages.correctLocationPattern()): Problem {
  return new Problem('outside-repository', worktreeMessages.worktreeCannotMade({ path, why }), {
    next,
    outcome: 'incomplete',
  });
}

async function checkSurroundings({ repository }: Workspace, path: string, linked: readonly Listing[]): Promise<void> {
  const { mainRoot, commonDir } = repository;
  const [real, realRoot] = await Promise.all([realPathOf(path), realPathOf(mainRoot)]);
  if (isWithin(mainRoot, path) && !isWithin(realRoot, real)) {
    throw elsewhere(
      path,
      worktreeMessages.linkWayLeads({ real }),
      worktreeMessages.removeLinkWorktrees({ pattern: '/disk/{project}-{slug}' }),
    );
  }
  // A bare repository may be its own main root: there only what git itself keeps in it is out of bounds.
  const gitsOwn = samePath(realRoot, commonDir) ? bareFolders.map((folder) => join(commonDir, folder)) : [commonDir];
  if (gitsOwn.some((folder) => isWithin(folder, real))) throw elsewhere(path, worktreeMessages.insideGitDirectory());
  for (const ours of ['bin', 'hooks', 'stack.json']) {
    if (isWithin(join(mainRoot, '.worktrees', ours), path))
      throw elsewhere(path, worktreeMessages.worktreeStacksKeeps());
  }
  const roots = await realNeighbours(linked.map((other) => other.path));
  const above = linked.find((_, index) => {
    const root = roots[index] ?? '';
    return !samePath(root, real) && isWithin(root, real);
  });
  if (above) throw elsewhere(path, worktreeMessages.insideWorktree({ otherPath: above.path }));
  for (const at of [...upFrom(path)].slice(1)) {
    if (samePath(at, mainRoot) || !isWithin(mainRoot, at)) break;
    if (await lstat(join(at, '.git')).catch(() => undefined)) {
      throw elsewhere(path, worktreeMessages.insideAnotherRepository({ at }));
    }
  }
}

const bareFolders = [
  'branches',
  'hooks',
  'info',
  'logs',
  'lfs',
  'modules',
  'objects',
  'refs',
  'worktrees',
  'worktree-stacks',
];

async function checkFree(path: string, linked: readonly Listing[]): Promise<void> {
  const other = await findAtPlace(linked, path);
  if (other) throw takenLocation(other);
  for (const at of [...upFrom(path)].slice(1, -1)) {
    const above = await lstat(at).catch(() => undefined);
    if (above?.isFile())
      throw new Problem('taken', worktreeMessages.worktreeCannotMadeFile({ path, at }), { file: at });
    if (above) break;
  }
  const there = await lstat(path).catch(() => undefined);
  if (!there || (there.isDirectory() && (await readdir(path)).length === 0)) return;
  throw new Problem('taken', worktreeMessages.existsAlreadyNo({ path }), {
    file: path,
    next: worktreeMessages.moveAwayChoose(),
  });
}

/** The problem of a worktree that is registered where a new one is to go, or under its name. */
export function takenLocation(other: Listing, name?: string): Problem {
  const called = name === undefined ? `the worktree at ${other.path}` : `the worktree ${JSON.stringify(name)}`;
  const word = quoted(name ?? other.path);
  switch (other.condition) {
    case 'fine':
      return new Problem(
        'taken',
        worktreeMessages.exists({
          called,
          where: name === undefined ? '' : worktreeMessages.atPath({ otherPath: other.path }),
        }),
        {
          file: other.path,
          next: worktreeMessages.chooseAnotherName({ word }),
        },
      );
    case 'moved':
      return new Problem('taken', worktreeMessages.alreadyButMoved({ called }), {
        file: other.path,
        next: worktreeMessages.gitWorktreeRepair({ otherPath: quoted(other.path) }),
      });
    case 'missing':
      return new Problem('taken', worktreeMessages.folderMissing({ called }), {
        file: other.path,
        next: worktreeMessages.cleanupDropsRecord({ word }),
      });
    case 'empty':
      return new Problem('taken', worktreeMessages.directoryIsNoWorktree({ otherPath: other.path }), {
        file: other.path,
        next: worktreeMessages.cleanupDropsRecord({ word }),
      });
    case 'broken':
    case 'foreign':
      return new Problem('taken', worktreeMessages.gitRecordButSomething({ called, otherPath: other.path }), {
        file: other.path,
        next: worktreeMessages.infoOrAnotherName(),
      });
  }
}
