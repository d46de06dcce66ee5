import { join } from 'node:path';
import { closedProblem, obstacleProblem } from '../base/fileProblem.ts';
import { followLinks } from '../base/links.ts';
import { closedFolder, obstacleOn, type Obstacle, type WantedEntry } from '../base/obstacle.ts';
import { isWithin, realPathOf, relativeTo } from '../base/paths.ts';
import { Problem } from '../base/problem.ts';
import { shellWord } from '../base/quoted.ts';
import type { Git } from '../git/git.ts';
import type { Repository } from './identity.ts';
import { repositoryMessages } from '../messages/repository.ts';
import type { Message } from '../messages/message.ts';

/** A file or folder that we keep in a repository. */
interface Place {
  readonly path: string;
  readonly wanted: WantedEntry;
}

/** The files and folders that we keep in a repository and that a new worktree needs. */
function placesOf({ mainRoot, commonDir, bare }: Repository): Place[] {
  const own = join(commonDir, 'worktree-stacks');
  const folders = [
    ...['', 'operations', 'log', 'trash'].map((name) => join(own, name)),
    join(commonDir, 'info'),
    ...['', 'hooks', 'bin'].map((name) => join(mainRoot, '.worktrees', name)),
    ...(bare ? [] : [join(mainRoot, '.claude', 'agents')]),
  ];
  const files = [
    join(commonDir, 'info', 'exclude'),
    join(mainRoot, '.worktrees', 'stack.json'),
    join(mainRoot, '.claude', 'dev-worktree.local.md'),
  ];
  return [
    ...folders.map((path): Place => ({ path, wanted: 'folder' })),
    ...files.map((path): Place => ({ path, wanted: 'file' })),
  ];
}

/**
 * What is in the way of the files that we keep in a repository: files and pipes where folders are needed and the reverse, links to nothing
 * or in a circle, folders that the user may not enter. Each obstacle once.
 */
export function findObstacles(repository: Repository): Obstacle[] {
  const found = new Map<string, Obstacle>();
  for (const { path, wanted } of placesOf(repository)) {
    const obstacle = obstacleOn(path, wanted);
    if (obstacle) found.set(obstacle.at, obstacle);
  }
  return [...found.values()];
}

/** The problems of the folders of ours that the user may not write to. */
export function findClosed(repository: Repository, doing: Message): Problem[] {
  const closed = placesOf(repository).map(({ path, wanted }) =>
    closedFolder(wanted === 'folder' ? join(path, 'x') : path),
  );
  return [...new Set(closed)].flatMap((folder) => (folder === undefined ? [] : [closedProblem(doing, folder)]));
}

/**
 * Makes sure, before anything is touched, that all can be written which a new worktree needs beside its own folder.
 *
 * @param doing for the sentence: "x cannot be created".
 * @throws Problem `not-writable` that names what is in the way; `outside-repository` as {@link refuseLinksOut}.
 */
export async function requirePlaces(
  git: Git,
  repository: Repository,
  doing: Message,
  signal?: AbortSignal,
): Promise<void> {
  const [obstacle] = findObstacles(repository);
  if (obstacle) throw obstacleProblem(doing, obstacle);
  const [closed] = findClosed(repository, doing);
  if (closed) throw closed;
  await refuseLinksOut(git, repository, doing, signal);
}

/**
 * Refuses to write outside of the repository because somebody has committed a link there. A link of the person's own, which is not
 * committed, is followed: it was put there to be.
 *
 * @throws Problem `outside-repository` that names the link.
 */
export async function refuseLinksOut(
  git: Git,
  { mainRoot, bare }: Repository,
  doing: Message,
  signal?: AbortSignal,
): Promise<void> {
  if (bare) return;
  const root = await realPathOf(mainRoot);
  const leading = ['.claude/agents/x', '.claude/dev-worktree.local.md'].flatMap((way) => {
    const { links, end } = followLinks(root, way);
    return end === undefined || isWithin(root, end) ? [] : links.filter((link) => isWithin(root, link));
  });
  const names = [...new Set(leading)].map((link) => relativeTo(root, link));
  if (names.length === 0) return;
  const args = ['ls-files', '--cached', '-z', '--', ...names.map((name) => `:(literal)${name}`)];
  const [committed] = await git.nul(args, { cwd: mainRoot, signal });
  if (!committed) return;
  const link = join(mainRoot, committed);
  throw new Problem('outside-repository', repositoryMessages.committedLinkLeads({ doing, link }), {
    file: link,
    next: repositoryMessages.putFolderPlace({ committed: shellWord(committed), link: shellWord(link) }),
    outcome: 'incomplete',
  });
}

/**
 * Refuses to write through a link in the place of `.worktrees` that leads out of the repository, whoever has put it there: what removes
 * worktrees could not tell any more whose they are.
 *
 * @throws Problem `outside-repository`.
 */
export async function refuseWorktreesElsewhere({ mainRoot }: Repository): Promise<void> {
  const root = await realPathOf(mainRoot);
  const { links, end } = followLinks(root, '.worktrees');
  if (links.length === 0 || end === undefined || isWithin(root, end)) return;
  throw worktreesElsewhere(join(mainRoot, '.worktrees'), end);
}

/** The problem of `.worktrees` as a link that leads out of the repository. */
function worktreesElsewhere(link: string, end: string): Problem {
  return new Problem('outside-repository', repositoryMessages.linkLeadsOut({ link, end }), {
    file: link,
    next: repositoryMessages.removeLinkRmLink({ link: shellWord(link), pattern: `${end}/{slug}` }),
    outcome: 'incomplete',
  });
}
